// Prints what `nearprint dedupe` takes for a file of JSON Lines, in comparison with `JSON.parse` of the same lines in the same run,
// the processor time of its threads, and what follows from it for machines with more cores. It takes Linux.
//
//     node benches/dedupe.mjs FILE [ROUNDS]
//
// Each round measures each line of the tables once; the tables have the medians. There are two references: `JSON.parse` of each
// line that is in memory, from its bytes to an object that is dropped; and a whole program of Node that reads the file and parses
// each line.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { readArguments } from '../scripts/arguments.mjs';
import { measured, measuredNode } from './command.mjs';
import { splitLines } from './lines.mjs';
import { median, processorTime, time } from './times.mjs';

const { file: path, rounds } = readArguments('FILE [ROUNDS=3]');
const file = resolve(path);
const bytes = readFileSync(file);

/** Parses each line in memory. */
function parse() {
  const lines = splitLines(bytes);
  const start = processorTime();
  const wall = time(() => {
    for (const line of lines) JSON.parse(line.toString());
  });
  return { wall: wall / 1000, processor: (processorTime() - start) / 1e6, lines: lines.length };
}

const program = `
  import { readFileSync } from 'node:fs';
  for (const line of readFileSync(${JSON.stringify(file)}, 'utf8').split('\\n')) if (line !== '') JSON.parse(line);`;

const [PARSE, PROGRAM] = ['`JSON.parse`', 'Node program that reads and parses'];
const cases = { [PARSE]: parse, [PROGRAM]: () => measuredNode(['--input-type=module', '--eval', program]) };
const threadsOf = {};
for (const threads of [1, 2]) {
  const args = ['dedupe', '-q', '--threads', `${threads}`];
  for (const [source, run] of [
    ['from a pipe', () => measured(args, bytes)],
    ['from a file', () => measured([...args, file])],
  ]) {
    const name = `\`nearprint dedupe\`, ${source}, \`--threads ${threads}\``;
    [cases[name], threadsOf[name]] = [run, threads];
  }
}

const taken = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(cases)) taken[name].push(await run());
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const head = (...names) => row(...names) ?? row('---', ...names.slice(1).map(() => '---:'));
/** The median of the rounds of a number, which `of` returns from what a run has taken. */
const medianOf = (name, of) => median(taken[name].map(of));
/** The median of the ratios of a number to the same of a reference in the same round. */
const ratio = (name, reference, of) => median(taken[name].map((run, round) => of(run) / of(taken[reference][round])));

const processor = (run) => run.processor;
const wall = (run) => run.wall;
console.log(
  `${taken[PARSE][0].lines.toLocaleString('en')} lines, Node ${process.version}, ${cpus().length} processors, ${cpus()[0].model.trim()}\n`,
);
head(
  '',
  'seconds',
  `times ${PARSE}`,
  'seconds of processor time',
  `times ${PARSE}`,
  'times the Node program',
  'memory, MB',
);
for (const name of Object.keys(cases)) {
  const megabytes = medianOf(name, (run) => run.megabytes);
  row(
    name,
    medianOf(name, wall).toFixed(2),
    ratio(name, PARSE, wall).toFixed(2),
    medianOf(name, processor).toFixed(2),
    ratio(name, PARSE, processor).toFixed(2),
    name === PARSE ? '' : ratio(name, PROGRAM, processor).toFixed(2),
    megabytes === undefined ? '' : Math.round(megabytes),
  );
}

// ---- Threads -----------------------------------------------------------------------------------------------------

/** The processor time of a run's workers: the busiest threads after the main one. With `--threads 1`, the main thread reads. */
const workers = (count) => (run) =>
  count === 1 ? 0 : run.others.slice(0, count).reduce((sum, seconds) => sum + seconds, 0);
const deciding = (run) => run.main;
const share = (run) => run.main / run.processor;

console.log('\nProcessor time by thread, in seconds. Engine: compilation, garbage and files, in threads of Node.\n');
head('', 'deciding', 'workers', 'engine', 'share of the deciding thread', 'seconds, of one thread');
for (const [name, count] of Object.entries(threadsOf)) {
  const engine = (run) => run.processor - run.main - workers(count)(run);
  row(
    name,
    medianOf(name, deciding).toFixed(2),
    medianOf(name, workers(count)).toFixed(2),
    medianOf(name, engine).toFixed(2),
    `${Math.round(100 * medianOf(name, share))} %`,
    ratio(name, name.replace(/\d/, '1'), wall).toFixed(2),
  );
}

// ---- More cores, calculated --------------------------------------------------------------------------------------

/** Returns the least time of a run on a number of cores: one thread decides, and the cores share all processor time. */
const least = (cores) => (run) => Math.max(run.main, run.processor / cores);
const parallel = Object.keys(threadsOf).filter((name) => threadsOf[name] > 1);
console.log(
  '\nCalculated, not measured: the least seconds on the clock, by the processor time of the deciding thread and of all.\n',
);
head('cores', ...parallel.map((name) => name.replace(/, `--threads.*/, '')));
for (const cores of [2, 4, 8, 16]) row(cores, ...parallel.map((name) => medianOf(name, least(cores)).toFixed(2)));
