// Stamps: one hash of all sources of a part of the build, stored in build/. A part whose stamp is unchanged is not
// rebuilt.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const fileOf = (part) => join(root, 'build', `${part}.stamp`);

/** The files of a source, which is a file or a folder. */
function filesOf(source) {
  const path = join(root, source);
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function hashOf(sources, extra) {
  const hash = createHash('sha256').update(extra);
  for (const file of sources.flatMap(filesOf).sort()) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

export const isUpToDate = (part, sources, extra = '') =>
  existsSync(fileOf(part)) && readFileSync(fileOf(part), 'utf8') === hashOf(sources, extra);

export function stamp(part, sources, extra = '') {
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(fileOf(part), hashOf(sources, extra));
}
