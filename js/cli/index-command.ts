// The command index: looks at index files, and changes them.
import { statSync } from 'node:fs';
import { Deduplicator } from '../index.js';
import { canonicalId } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import { UsageError, type Values } from './args.js';
import { shorten } from './errors.js';
import { IndexFile, openIndex } from './index-file.js';
import { readList } from './inputs.js';
import type { Io } from './io.js';
import { Output, rowsOf } from './output.js';
import { count } from './progress.js';
import { suggestion } from './suggest.js';

/** The number of rows that are written at once. */
const SLICE = 1000;

const dateOf = (seconds: number): string => new Date(1000 * seconds).toISOString();

/** Prints what an index has. */
async function stats(path: string, values: Values): Promise<void> {
  const index = openIndex(path);
  const expired = index.prune();
  let [expiring, next] = [0, Number.POSITIVE_INFINITY];
  for (const { id } of index) {
    const expires = index.expires(id);
    if (expires === undefined) continue;
    expiring++;
    next = Math.min(next, expires);
  }
  const { size, scheme, probes } = index;
  const rows = {
    documents: size,
    expiring,
    expired,
    nextExpiry: expiring === 0 ? null : dateOf(next),
    scheme,
    probes,
    bytes: statSync(path).size,
  };
  await Output.stdout.write(values.flag('json') ? `${JSON.stringify(rows)}\n` : rowsOf(rows));
}

/** Prints the documents of an index. */
async function exportDocuments(path: string, io: Io): Promise<void> {
  const index = openIndex(path);
  index.prune();
  let rows: string[] = [];
  const write = async () => {
    await Output.stdout.write(rows.join(''));
    rows = [];
  };
  for (const { id, sketch } of index) {
    if (io.signal.aborted) return;
    const expires = index.expires(id);
    const row = { id, sketch: Buffer.from(sketch.toBytes()).toString('hex') };
    rows.push(`${JSON.stringify(expires === undefined ? row : { ...row, expires: dateOf(expires) })}\n`);
    if (rows.length === SLICE) await write();
  }
  await write();
}

/** Changes an index file, and saves it. `change` returns what it has done. */
async function update(
  path: string,
  load: (file: IndexFile) => Deduplicator,
  io: Io,
  change: (index: Deduplicator) => string,
): Promise<void> {
  const file = new IndexFile(path);
  try {
    if (!(await file.acquire(io))) return;
    const index = load(file);
    const done = change(index);
    file.save(index);
    io.note(`${done}; ${path} has ${count(index.size)} documents`);
  } finally {
    file.close();
  }
}

/** Loads an index that must exist. */
function existing(file: IndexFile): Deduplicator {
  const index = file.load();
  if (index === null) throw new UserError(`${file.path}: no such file or directory`);
  return index;
}

async function deleteDocuments(path: string, given: string[], values: Values, io: Io): Promise<void> {
  const list = values.path('ids');
  const ids = [...given, ...(list === undefined ? [] : await readList(list, '--ids', io))];
  if (ids.length === 0) throw new UsageError('index delete needs ids, as arguments or in the file of --ids');
  await update(path, existing, io, (index) => {
    // A program may have stored "1" as a string.
    const deleted = ids.filter((id) => [canonicalId(id), id].some((each) => index.delete(each)));
    return `${count(deleted.length)} of ${count(ids.length)} ids deleted`;
  });
}

async function merge(path: string, others: string[], io: Io): Promise<void> {
  if (others.length === 0) throw new UsageError('index merge needs the files whose documents are added');
  const loadOrMake = (file: IndexFile) => file.load() ?? new Deduplicator({ scheme: openIndex(others[0]).scheme });
  await update(path, loadOrMake, io, (index) => {
    const before = index.size;
    for (const other of others) {
      const added = openIndex(other);
      if (added.scheme !== index.scheme) {
        throw new UserError(`${other} must be of the scheme ${index.scheme}, got ${added.scheme}`);
      }
      index.merge(added);
      added.free();
    }
    return `${count(index.size - before)} documents added`;
  });
}

const actions: Readonly<Record<string, (path: string, others: string[], values: Values, io: Io) => Promise<void>>> = {
  stats: (path, _, values) => stats(path, values),
  export: (path, _, __, io) => exportDocuments(path, io),
  delete: deleteDocuments,
  merge: (path, others, _, io) => merge(path, others, io),
  prune: (path, _, __, io) =>
    update(path, existing, io, (index) => `${count(index.prune())} expired documents removed`),
};

export async function indexCommand(values: Values, io: Io): Promise<void> {
  const [action, path, ...others] = values.files;
  const names = Object.keys(actions);
  if (action === undefined || !Object.hasOwn(actions, action)) {
    const got = action === undefined ? 'none' : `"${shorten(action, 40)}"${suggestion(action, names)}`;
    throw new UsageError(`the action of index must be stats, export, delete, merge or prune, got ${got}`);
  }
  if (path === undefined) throw new UsageError(`index ${action} needs an index file`);
  if (others.length > 0 && action !== 'delete' && action !== 'merge') {
    throw new UsageError(`index ${action} needs one file, got ${others.length + 1}`);
  }
  await actions[action](path, others, values, io);
}
