// Whether the package is published. The documents and the page must agree with its package.json.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Until the release, each document has this sentence above its first command that needs the published package. */
export const NOT_PUBLISHED = 'nearprint is not published yet';

/** Commands, and lines of a package.json, that a registry without the package refuses. */
const NEEDS_PACKAGE =
  /(?:npm install|npx|cargo add) nearprint|npm:nearprint|node_modules\/nearprint|"nearprint": "\^|^\/\/ {5}npm install$/m;

/** Returns whether a `package.json` belongs to a published package: a private one cannot be published. */
export const isPublished = ({ private: isPrivate = false }) => !isPrivate;

/** Returns the names of the documents, a map of names to texts, that contradict `published`. */
export const wrongDocuments = (documents, published) =>
  Object.keys(documents).filter((name) => {
    const notice = documents[name].indexOf(NOT_PUBLISHED);
    if (published) return notice >= 0;
    const command = documents[name].search(NEEDS_PACKAGE);
    return command >= 0 && (notice < 0 || notice > command);
  });

const folder = (path, ending) =>
  readdirSync(join(root, path), { recursive: true })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith(ending) && !name.includes('/node_modules/'));

/** Returns the documents and the programs of examples, as a map of names to texts. */
export function readDocuments() {
  const names = ['README.md', ...folder('docs', '.md'), ...folder('examples', '.mjs')];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}
