// Prints what a Deduplicator costs by size: microseconds of processor time for each document that came after the line
// before, and bytes for each kept one. `benches/search.rs` prints the same for the crate and ten million random sketches.
//
//     node benches/million.mjs FILE [MILLIONS]
//
// FILE is JSON Lines with a field `text`. To get a million different documents, the lines are repeated: in repetition n,
// three of four words get the suffix n, so that no document is a near-duplicate of one of another repetition. The last
// line is of documents that are kept already.
import { Deduplicator, Sketcher } from '../pkg/index.js';
import { readArguments } from '../scripts/arguments.mjs';
import { readObjects } from './lines.mjs';
import { processorTime } from './times.mjs';

/** The number of documents that are measured at once. */
const BATCH = 256;

/** One of this many batches is observed once more at the end. */
const AGAIN = 50;

const { file, millions } = readArguments('FILE [MILLIONS=1]');
const texts = readObjects(file)
  .map(({ text }) => text)
  .filter((text) => text.length < 4000);
const kept = new Deduplicator();
const sketcher = new Sketcher();
const most = 1e6 * millions;
const marks = [1e4, 3e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6].filter((mark) => mark < most).concat(most);
let [sketching, searching, last] = [0, 0, 0];
const again = [];

function textOf(id) {
  const round = Math.floor(id / texts.length);
  const text = texts[id % texts.length];
  if (round === 0) return text;
  return text
    .split(' ')
    .map((word, at) => (at % 4 ? `${word}${round}` : word))
    .join(' ');
}

console.log(
  '| kept documents | sketch, µs | search and addition, µs | bytes per kept document |\n| ---: | ---: | ---: | ---: |',
);
for (let id = 0; marks.length > 0; id += BATCH) {
  const ids = Array.from({ length: BATCH }, (_, at) => id + at);
  const batch = ids.map(textOf);
  const start = processorTime();
  const sketches = sketcher.sketchAll(batch);
  const middle = processorTime();
  kept.observeAll(sketches.map((sketch, at) => ({ id: ids[at], sketch })));
  sketching += middle - start;
  searching += processorTime() - middle;
  if (kept.size >= marks[0]) {
    const each = (time) => (time / (id + BATCH - last)).toFixed(1);
    console.log(`| ${kept.size} | ${each(sketching)} | ${each(searching)} | ${(kept.bytes / kept.size).toFixed(1)} |`);
    [sketching, searching, last] = [0, 0, id + BATCH];
    marks.shift();
  }
  if (id % (AGAIN * BATCH) === 0) again.push(...sketches);
}
const documents = again.map((sketch, at) => ({ id: -1 - at, sketch }));
const start = processorTime();
kept.observeAll(documents);
console.log(`| the same documents again | | ${((processorTime() - start) / documents.length).toFixed(1)} | |`);
