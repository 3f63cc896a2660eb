// Prints how many pages of manuals lose a tenth, and half, of the words of their paragraphs in their main text. Downloads the manuals,
// packages of Debian, into build/pages.
//
//     npm run build && npm run bench:pages
//     npm run bench:pages -- twisted-doc rust-doc     other packages of Debian
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readArguments } from '../../scripts/arguments.mjs';
import { fail, root } from '../../scripts/run.mjs';
import { lostShare, paragraphsOf } from './oracle.mjs';

const { package: packages } = readArguments('[PACKAGE ...]');
const { mainText } = await import('../../pkg/html.js');

/** The generators of manuals, and the packages with their pages. */
const generators = {
  DocBook: 'postgresql-doc-15',
  Doxygen: 'libeigen3-doc',
  Sphinx: 'python3.11-doc',
  'gtk-doc': 'libgtk-3-doc',
  Javadoc: 'openjdk-17-doc',
};

/** The maximum shares of pages that lose a tenth and half of their words. */
const MAX_TENTH = 0.01;
const MAX_HALF = 0.001;

const cache = join(root, 'build', 'pages');

/** Downloads and unpacks a package, and returns its folder. */
function unpacked(name) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    execFileSync('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', name], { cwd: unfinished });
    const [archive] = readdirSync(unfinished);
    execFileSync('dpkg', ['-x', archive, '.'], { cwd: unfinished });
    rmSync(join(unfinished, archive));
  } catch (error) {
    fail(`${name} cannot be downloaded: ${error.message.split('\n')[0]}`);
  }
  renameSync(unfinished, folder);
  return folder;
}

/** Yields the name and the HTML of each page in a folder. Links to files are not followed. */
function* pagesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !/\.x?html?(?:\.gz)?$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const file = readFileSync(path);
    const bytes = entry.name.endsWith('.gz') ? gunzipSync(file) : file;
    const isLatin = /charset=.?(?:iso-8859-1|windows-1252)/i.test(bytes.toString('latin1', 0, 1024));
    yield { path, html: bytes.toString(isLatin ? 'latin1' : 'utf8') };
  }
}

function measure(name) {
  const lost = [];
  for (const { path, html } of pagesIn(unpacked(name))) {
    const words = paragraphsOf(html).flat();
    if (words.length > 0) lost.push({ path, share: lostShare(words, mainText(html)) });
  }
  lost.sort((a, b) => b.share - a.share);
  const countFrom = (share) => lost.filter((page) => page.share >= share).length;
  return { name, pages: lost.length, tenth: countFrom(0.1), half: countFrom(0.5), worst: lost[0] };
}

const chosen = packages.length > 0 ? packages.map((name) => [name, name]) : Object.entries(generators);
console.log('| generator | pages | a tenth omitted | half omitted | largest loss of a page |');
console.log('| --- | ---: | ---: | ---: | ---: |');
let failures = 0;
for (const [generator, name] of chosen) {
  const { pages, tenth, half, worst } = measure(name);
  if (tenth > MAX_TENTH * pages || half > MAX_HALF * pages) failures++;
  const most = worst === undefined ? '' : `${(100 * worst.share).toFixed(1)} %`;
  console.log(`| ${generator} | ${pages} | ${tenth} | ${half} | ${most} |`);
  if (worst?.share >= 0.1) console.error(`${generator}: ${worst.path.slice(cache.length + 1)}`);
}
process.exit(failures === 0 ? 0 : 1);
