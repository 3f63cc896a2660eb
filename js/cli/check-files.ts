// Refuses an output that is also another file of the run: a report that is an input or the index, for example.
import { fstatSync } from 'node:fs';
import { reason, UserError } from '../node/errors.js';
import { realPath } from './file-system.js';
import type { Input } from './input-file.js';
import { identityIn, identityOf } from './known-files.js';
import type { Values } from './options.js';

interface NamedFile {
  readonly name: string;
  /** The identity of a file that exists, or the path of another one. */
  readonly identity: string;
}

/** Returns a file. If it cannot be examined, its reader reports that. */
const named = (path: string, name = path): NamedFile => ({ name, identity: identityOf(path) ?? realPath(path) });

function standardStream(fd: 0 | 1): NamedFile {
  const name = fd === 0 ? 'standard input' : 'standard output';
  try {
    return { name, identity: identityIn(fstatSync(fd, { bigint: true }), name) ?? name };
  } catch (error) {
    throw new UserError(`${name}: ${reason(error)}`);
  }
}

/**
 * Checks that no output of the options overwrites another file, such as the key. `read` files are only read; `kept` files hold
 * state, such as an index.
 */
export function checkFiles(
  inputs: readonly Input[],
  values: Values,
  { read = [], kept = [] }: { read?: readonly string[]; kept?: readonly string[] } = {},
): void {
  const settings = [values['files-from'], values['key-file']].filter((path) => path !== undefined);
  const known = [...inputs.map(({ path }) => path), ...read, ...settings].map((path) =>
    path === '-' ? standardStream(0) : named(path),
  );
  const check = (...writers: NamedFile[]) => {
    for (const writer of writers) {
      const other = known.find(({ identity }) => identity === writer.identity);
      if (other !== undefined) throw new UserError(`${writer.name} would overwrite ${other.name}`);
    }
    known.push(...writers);
  };
  check(...kept.map((path) => named(path)));
  check(standardStream(1));
  for (const option of ['report', 'report-html', 'json-summary'] as const) {
    const path = values[option];
    if (path !== undefined) check(named(path, `--${option} ${path}`));
  }
}
