// Prints what a Deduplicator costs by size: microseconds of processor time and bytes for each kept document.
//
//     node benches/million.mjs FILE [MILLIONS]
//
// FILE is JSON Lines with a field `text`. To get a million different documents, the lines are repeated: in repetition n,
// three of four words get the suffix n, so that no document is a near-duplicate of one of another repetition.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, millions = '1'] = process.argv.slice(2);
const { Deduplicator, Fingerprinter } = await import(new URL('../pkg/index.js', import.meta.url));
const texts = [];
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { text } = JSON.parse(line);
  if (text.length < 4000) texts.push(text);
}
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const kept = new Deduplicator();
const marks = [10_000, 30_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000];
let [sketching, searching, last] = [0, 0, 0];
const fingerprinter = new Fingerprinter();
console.log('| kept | sketch, µs | search and addition, µs | bytes |\n| --- | --- | --- | --- |');
for (let id = 0; kept.size < 1e6 * Number(millions); id++) {
  const round = Math.floor(id / texts.length);
  const words = texts[id % texts.length].split(' ');
  const text = round === 0 ? words.join(' ') : words.map((word, at) => (at % 4 ? `${word}${round}` : word)).join(' ');
  let start = cpu();
  const sketch = fingerprinter.sketch(text);
  sketching += cpu() - start;
  start = cpu();
  kept.addIfNew(id, sketch);
  searching += cpu() - start;
  if (kept.size >= marks[0] || kept.size >= 1e6 * Number(millions)) {
    const each = (time) => (time / (id + 1 - last)).toFixed(1);
    console.log(`| ${kept.size} | ${each(sketching)} | ${each(searching)} | ${(kept.bytes / kept.size).toFixed(1)} |`);
    [sketching, searching, last] = [0, 0, id + 1];
    marks.shift();
  }
}
