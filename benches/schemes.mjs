// Prints how well the choices of a scheme find edited copies, and how close unrelated texts come. The figures in
// docs/measurements.md are the output on examples/sample.jsonl.
//
//     npm run build
//     node benches/schemes.mjs [FILE]     # examples/sample.jsonl by default
//
// FILE has a JSON object with a `text` on every line, and may end in .gz. The texts are cut into passages. The edited copy
// of a passage lacks one span of 2 % of its characters and has another replaced by a span of another passage. Unrelated
// passages are in one language (`lang`) that share less than a fifth of their `v1` features.
import { join } from 'node:path';
import { distance, Fingerprinter, features } from '../pkg/simhash.js';
import { readArguments } from '../scripts/arguments.mjs';
import { root } from '../scripts/run.mjs';
import { readObjects } from './lines.mjs';

const LENGTH = 1500; // code points of a passage
const MAX_PASSAGES = 1500; // passages
const RATE = 1e-4; // of false positives, at which the recall of schemes is compared
const SHORT = 20_000; // short texts

const { file = join(root, 'examples', 'sample.jsonl') } = readArguments('[FILE]');
const documents = readObjects(file);

/** The multiplicative generator MINSTD: every run has the same edits. Returns a whole number below `limit`. */
let state = 1;
const random = (limit) => {
  state = (state * 48271) % 2147483647;
  return Math.floor((state / 2147483647) * limit);
};

function passagesOf({ text, lang }) {
  const characters = Array.from(text);
  const count = Math.floor(characters.length / LENGTH);
  return Array.from({ length: count }, (_, at) => ({
    lang,
    characters: characters.slice(at * LENGTH, (at + 1) * LENGTH),
  }));
}

/** At most MAX_PASSAGES items, evenly spaced. */
const sample = (items) => items.filter((_, at) => (at * MAX_PASSAGES) % items.length < MAX_PASSAGES);
const passages = sample(documents.flatMap(passagesOf));

function edited({ characters, lang }) {
  const span = LENGTH / 50;
  const others = passages.filter((passage) => passage.lang === lang);
  const from = random(LENGTH - span);
  const copy = [...characters];
  copy.splice(random(LENGTH - span), span, ...others[random(others.length)].characters.slice(from, from + span));
  copy.splice(random(LENGTH - span), span);
  return copy.join('');
}

const texts = passages.map(({ characters }) => characters.join(''));
const copies = passages.map(edited);

/** The pairs of unrelated passages, as positions. */
function unrelatedPairs() {
  const sets = texts.map((text) => new Set(features(text).map(({ hash }) => hash)));
  const pairs = [];
  for (let a = 0; a < sets.length; a++) {
    for (let b = 0; b < a; b++) {
      if (passages[a].lang !== passages[b].lang) continue;
      let shared = 0;
      for (const hash of sets[a]) if (sets[b].has(hash)) shared++;
      if (shared < 0.2 * (sets[a].size + sets[b].size - shared)) pairs.push([a, b]);
    }
  }
  return pairs;
}

const unrelated = unrelatedPairs();
const share = (values, isCounted) => values.filter(isCounted).length / values.length;
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);

const schemes = {
  'v1 (words and pairs, log)': {},
  'weights: tf': { weights: 'tf' },
  'weights: binary': { weights: 'binary' },
  'mix: false': { mix: false },
  'hash: fnv1a': { hash: 'fnv1a' },
  'features: words': { features: 'words' },
  'features: { words: 2 }': { features: { words: 2 } },
  'features: { words: 3 }': { features: { words: 3 } },
  'features: bigrams': { features: 'bigrams' },
  'features: { chars: 4 }': { features: { chars: 4 } },
  'normalize: none': { normalize: 'none' },
};

console.log(`${texts.length} passages of ${LENGTH} characters, ${unrelated.length} unrelated pairs\n`);
row(
  'scheme',
  'share of copies within 8 bits',
  'unrelated pairs within 8 bits',
  'mean distance of unrelated pairs',
  `distance with ${RATE} false positives`,
  'share of copies within this distance',
);
row('---', '---:', '---:', '---:', '---:', '---:');
for (const [name, options] of Object.entries(schemes)) {
  const fingerprinter = new Fingerprinter(options);
  const all = fingerprinter.fingerprintAll(texts);
  const far = unrelated.map(([a, b]) => distance(all[a], all[b]));
  const near = copies.map((copy, at) => distance(all[at], fingerprinter.fingerprint(copy)));
  let bits = 0;
  while (bits < 64 && share(far, (d) => d <= bits + 1) <= RATE) bits++;
  const mean = far.reduce((sum, d) => sum + d, 0) / far.length;
  const within = (most) => share(near, (d) => d <= most).toFixed(3);
  row(name, within(8), far.filter((d) => d <= 8).length, mean.toFixed(1), bits, within(bits));
}

// ---- Short texts: one word of an English text replaced ------------------------------------------------------------

const words = documents
  .filter(({ lang = 'en' }) => lang === 'en')
  .flatMap(({ text }) => text.match(/[A-Za-z]+/g) ?? []);
const bounds = [4, 8, 12, 16, 24, 32, 48, 64, 96];
const found = bounds.map(() => ({ count: 0, near: 0 }));
const fingerprinter = new Fingerprinter();
for (let round = 0; round < SHORT; round++) {
  const length = 2 + random(48);
  const start = random(words.length - length);
  const original = words.slice(start, start + length);
  const changed = original.with(random(length), words[random(words.length)]);
  const print = fingerprinter.fingerprint(original.join(' '));
  const { length: count } = features(original.join(' '));
  const group = found[bounds.findLastIndex((bound) => count >= bound)];
  const other = fingerprinter.fingerprint(changed.join(' '));
  if (group === undefined || print === other) continue;
  group.count++;
  if (distance(print, other) <= 8) group.near++;
}

console.log('\nEnglish texts with one word replaced, by the number of different features\n');
row('features', 'texts', 'share within 8 bits of the original');
row('---', '---:', '---:');
found.slice(0, -1).forEach(({ count, near }, at) => {
  row(`${bounds[at]} to ${bounds[at + 1] - 1}`, count, (near / count).toFixed(3));
});
