import { statSync } from 'node:fs';
import { alternatives } from '../common/types.js';
import type { Deduplicator } from '../index.js';
import { count, countOf, shorten } from '../node/errors.js';
import { literalId } from '../node/fields.js';
import { ignoreOptions } from '../node/ignore.js';
import { IndexFile, openIndex } from './index-file.js';
import type { Io } from './io.js';
import { UsageError, type Values } from './options.js';
import { Output } from './output.js';

/** Returns the names and values of a record, separated by tabs. */
const rowsOf = (record: Readonly<Record<string, string | number | null>>): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}\t${value ?? '-'}\n`)
    .join('');

/** Formats a time. The last valid date stands for all later times, which a program may have stored. */
const dateOf = (seconds: number): string => new Date(Math.min(1000 * seconds, 8.64e15)).toISOString();

export async function indexCommand(values: Values, io: Io): Promise<void> {
  const [action, path, ...others] = values.files;

  /** Changes the index file, and saves it. `change` returns a description of the change. */
  async function update(change: (index: Deduplicator) => string): Promise<void> {
    const file = new IndexFile(path);
    try {
      if (!(await file.acquire(io))) return;
      const saved = file.load() ?? openIndex(path);
      file.saved = saved;
      const done = change(saved.index);
      file.save();
      io.note(`${done}; ${path} has ${countOf(saved.index.size, 'document')}`);
    } finally {
      file.close();
    }
  }

  const actions: Readonly<Record<string, () => Promise<void>>> = {
    async stats() {
      const { index, ignored } = openIndex(path);
      const expired = index.prune();
      const times = Array.from(index, ({ id }) => index.expires(id)).filter((time) => time !== undefined);
      const [next] = Float64Array.from(times).sort();
      const { size: documents, scheme } = index;
      const nextExpiry = next === undefined ? null : dateOf(next);
      const bytes = statSync(path).size;
      const ignore = ignoreOptions(ignored) || null;
      const rows = { documents, expiring: times.length, expired, nextExpiry, scheme, ignore, bytes };
      await Output.stdout.write(values.json ? `${JSON.stringify(rows)}\n` : rowsOf(rows));
    },

    async delete() {
      if (others.length === 0) throw new UsageError('index delete needs ids');
      await update((index) => {
        // `1` and `"1"` are two ids: the string is meant if the number is unknown.
        const deleted = others.filter((id) => index.delete(literalId(id)) || index.delete(id));
        return `${count(deleted.length)} of ${count(others.length)} ids deleted`;
      });
    },

    prune: () => update((index) => `${countOf(index.prune(), 'expired document')} removed`),
  };

  const names = Object.keys(actions);
  if (action === undefined || !Object.hasOwn(actions, action)) {
    const got = action === undefined ? 'none' : `"${shorten(action, 40)}"`;
    throw new UsageError(`the action of index must be ${alternatives(names)}, got ${got}`);
  }
  if (path === undefined) throw new UsageError(`index ${action} needs an index file`);
  if (others.length > 0 && action !== 'delete') {
    throw new UsageError(`index ${action} needs one file, got ${others.length + 1}`);
  }
  await actions[action]();
}
