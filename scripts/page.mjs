// What the page is made of: for the server, which serves it from where it lies, and for build-www, which puts it together.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const at = (...path) => join(root, ...path);

/** The page's files by address. The sample is loaded when it is asked for, the others at once. */
export function pageFiles() {
  const own = readdirSync(at('www')).map((name) => [name, at('www', name)]);
  return new Map([
    ...own,
    ['pkg/index.js', at('pkg', 'index.js')],
    ['sample.jsonl', at('examples', 'sample.jsonl')],
    ['sample.md', at('examples', 'sample.md')],
  ]);
}

/** The service worker: it keeps all that the page needs, under a name that changes when a file does. */
export function serviceWorker() {
  const files = pageFiles();
  for (const later of ['sw.js', 'sample.jsonl', 'sample.md']) files.delete(later);
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const hash = createHash('sha256');
  for (const path of files.values()) hash.update(readFileSync(path));
  const list = ['./', ...files.keys()].map((name) => `'${name}'`).join(', ');
  return readFileSync(at('www', 'sw.js'), 'utf8')
    .replace('@VERSION@', `${version}-${hash.digest('hex').slice(0, 12)}`)
    .replace("'@FILES@'", list);
}

/** The policy that the page gives itself, for the header: Workers do not read their page's. */
export function policy() {
  const [, content] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(
    readFileSync(at('www', 'index.html'), 'utf8'),
  );
  return `${content}; frame-ancestors 'none'`;
}
