// Prints what `nearprint dedupe` takes for a file of JSON Lines, compared with `JSON.parse` of the same lines, from their bytes,
// in the same minute.
//
//     node benches/dedupe.mjs FILE [ROUNDS]
//
// Each round measures each line of the table once; the table has the medians. The ratio is of processor time, which other
// programs on the machine affect less than the time on the clock.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measured } from './command.mjs';

const [file, rounds = '3'] = process.argv.slice(2);
const bytes = readFileSync(file);
const lines = [];
for (let [start, end] = [0, 0]; start < bytes.length; start = end) {
  end = bytes.indexOf(10, start) + 1 || bytes.length;
  lines.push(bytes.subarray(start, end));
}

function parse() {
  const start = performance.now();
  const before = process.cpuUsage();
  for (const line of lines) JSON.parse(line.toString());
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1000, processor: (user + system) / 1e6, megabytes: Number.NaN };
}

const dedupe = (threads) => () => measured(['dedupe', '-q', '--threads', threads, file]);
const fromPipe = () => measured(['dedupe', '-q', '--threads', '1'], bytes);
const cases = {
  '`JSON.parse`': parse,
  'a pipe, `--threads 1`': fromPipe,
  'a file, `--threads 1`': dedupe('1'),
  'a file, `--threads 2`': dedupe('2'),
};
const taken = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, run] of Object.entries(cases)) taken[name].push(run());
}

const median = (name, key) => taken[name].map((each) => each[key]).toSorted((a, b) => a - b)[Number(rounds) >> 1];
console.log(
  `${lines.length.toLocaleString('en')} lines, Node ${process.version}, ${cpus().length} processors, ${cpus()[0].model.trim()}\n`,
);
console.log('| | seconds | processor, seconds | of `JSON.parse` | MB |\n| --- | ---: | ---: | ---: | ---: |');
for (const name of Object.keys(cases)) {
  const [wall, processor, megabytes] = ['wall', 'processor', 'megabytes'].map((key) => median(name, key));
  const ratio = processor / median('`JSON.parse`', 'processor');
  const memory = Number.isNaN(megabytes) ? '' : Math.round(megabytes);
  console.log(`| ${name} | ${wall.toFixed(2)} | ${processor.toFixed(2)} | ${ratio.toFixed(2)} | ${memory} |`);
}
