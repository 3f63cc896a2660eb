// Prints what `dedupe` of the package takes for the documents of a file, in comparison with `fingerprintAll` of the same texts, and
// where the time goes.
//
//     npm run build
//     node benches/api.mjs FILE [ROUNDS]
//
// FILE is JSON Lines with a field `text`. Each round measures each line of the table once, by processor time of all threads. The
// table has the medians, and the medians of the ratios within a round.
import { Deduplicator, dedupe, sketchAll } from '../pkg/index.js';
import { fingerprintAll } from '../pkg/simhash.js';
import { readArguments } from '../scripts/arguments.mjs';
import { readObjects } from './lines.mjs';
import { median, processorTime } from './times.mjs';

/** The number of texts that are sketched or fingerprinted at once. */
const BATCH = 4096;

const { file, rounds } = readArguments('FILE [ROUNDS=5]');
const texts = readObjects(file).map(({ text }) => text);
const numbered = texts.map((text, id) => ({ id, text }));
const named = texts.map((text, at) => ({ id: `https://example.org/documents/${at}.html`, text }));
const url = ({ id }) => id;

const inBatches = (work) => () => {
  for (let at = 0; at < texts.length; at += BATCH) work(texts.slice(at, at + BATCH), at);
};

/** Sketches, and the set decides on a sketch in a call. */
const observeSketches = () => {
  const kept = new Deduplicator();
  const observe = (batch, from) => {
    const documents = sketchAll(batch).map((sketch, at) => ({ id: from + at, sketch }));
    kept.observeAll(documents);
  };
  inBatches(observe)();
  kept.free();
};

const observeTexts = () => {
  const kept = new Deduplicator();
  for (const { id, text } of numbered) kept.observe(id, text);
  kept.free();
};

const runDedupe = (documents, options) => async () => {
  for await (const _ of dedupe(documents, options));
};

const REFERENCE = '`fingerprintAll`';
const cases = {
  [REFERENCE]: inBatches((batch) => fingerprintAll(batch)),
  '`sketchAll`': inBatches((batch) => sketchAll(batch)),
  '`sketchAll`, `observeAll` of sketches': observeSketches,
  '`observe` of each text': observeTexts,
  '`dedupe`, numbers as ids': runDedupe(numbered),
  '`dedupe`, URLs as ids': runDedupe(named, { id: url }),
};

const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(cases)) {
    const start = processorTime();
    await run();
    times[name].push((processorTime() - start) / 1e6);
  }
}

console.log(`${texts.length.toLocaleString('en')} documents, Node ${process.version}\n`);
console.log(`| | seconds of processor time | µs per document | times ${REFERENCE} |\n| --- | ---: | ---: | ---: |`);
for (const [name, taken] of Object.entries(times)) {
  const seconds = median(taken);
  const ratio = median(taken.map((time, round) => time / times[REFERENCE][round]));
  const each = (1e6 * seconds) / texts.length;
  console.log(`| ${name} | ${seconds.toFixed(2)} | ${each.toFixed(2)} | ${ratio.toFixed(2)} |`);
}
