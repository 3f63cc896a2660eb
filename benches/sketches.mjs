// Prints the speed of sketches of a batch, in comparison with fingerprints of the same texts.
//
//     npm run build
//     node benches/sketches.mjs
//
// Every round measures every case once, so that other load on the machine affects all of them. The table has the medians.
import { readFileSync } from 'node:fs';
import { Sketcher } from '../pkg/index.js';
import { Fingerprinter } from '../pkg/simhash.js';

const SIZE = 1 << 18; // characters in all
const ROUNDS = 41;

const lines = readFileSync(new URL('../examples/sample.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const documents = lines.map((line) => JSON.parse(line));
const running = documents.flatMap(({ lang, text }) => (lang === 'en' ? text : [])).join(' ');
const text = running.repeat(Math.ceil(SIZE / running.length)).slice(0, SIZE);

const encoder = new TextEncoder();
const cases = [100, 700, 3000].flatMap((length) => {
  const strings = text.match(new RegExp(`[\\s\\S]{${length}}`, 'g')).map((piece) => piece.toWellFormed());
  const bytes = strings.map((piece) => encoder.encode(piece));
  return [
    { name: `strings of ${length} characters`, texts: strings, fingerprints: [], sketches: [] },
    { name: `bytes of ${length} characters`, texts: bytes, fingerprints: [], sketches: [] },
  ];
});

const [fingerprinter, sketcher] = [new Fingerprinter(), new Sketcher()];
const time = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};
for (let round = 0; round < ROUNDS; round++) {
  for (const { texts, fingerprints, sketches } of cases) {
    fingerprints.push(time(() => fingerprinter.fingerprintAll(texts)));
    sketches.push(time(() => sketcher.sketchAll(texts)));
  }
}

const median = (times) => times.toSorted((a, b) => a - b)[ROUNDS >> 1];
console.log('| texts | fingerprint, µs | sketch, µs | speed of sketches |\n| --- | ---: | ---: | ---: |');
for (const { name, texts, fingerprints, sketches } of cases) {
  const [fingerprint, sketch] = [fingerprints, sketches].map((times) => (1000 * median(times)) / texts.length);
  console.log(`| ${name} | ${fingerprint.toFixed(2)} | ${sketch.toFixed(2)} | ${(fingerprint / sketch).toFixed(2)} |`);
}
