// The documents of the package.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Returns the README without pictures and links to files, which a registry cannot resolve. */
const removeLocalLinks = (readme) =>
  readme
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replace(/\[([^\]]*)\]\((?!https:|#)([^)]*)\)/g, (_, text, path) =>
      text === path ? path : `${text} (\`${path}\`)`,
    );

/** Copies the changelog and the licences, and writes the README. */
export function copyDocuments() {
  const licenses = readdirSync(root).filter((name) => name.startsWith('LICENSE-'));
  for (const name of ['CHANGELOG.md', ...licenses]) cpSync(join(root, name), join(root, 'pkg', name));
  writeFileSync(join(root, 'pkg', 'README.md'), removeLocalLinks(readFileSync(join(root, 'README.md'), 'utf8')));
}
