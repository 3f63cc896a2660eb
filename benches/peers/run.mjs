// Removes near-duplicates with nearprint, with three npm packages and with three Python packages, and prints what each
// takes, drops wrongly and leaves.
//
//     node benches/peers/run.mjs DIR [SIZES] [NAMES] [--folded]   # 10000,200000 and all packages by default
//     node benches/peers/run.mjs FILE                             # nearprint and the npm packages
//
// DIR is a collection as benches/corpus.mjs describes it. FILE is JSON Lines with `id` and `text`; what is dropped wrongly
// and left is not known there.
//
// With --folded, the packages that accept features get the shingles that define these mistakes, whose words are folded. Without it,
// they get the shingles of the words as they are written.
//
// The npm packages are those of package.json here. The Python packages are those of requirements.txt, in a virtual
// environment of their own, in build/peers; they take Python 3.11. The program takes Linux.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { failWithUsage, readArguments } from '../../scripts/arguments.mjs';
import { output, root } from '../../scripts/run.mjs';
import { installPackages } from '../../scripts/setup.mjs';
import { measured } from '../command.mjs';
import { corpus, countMistakes, writeCorpus } from '../corpus.mjs';
import { readLines, readObjects } from '../lines.mjs';
import { kindOf, tokensOf } from '../quality/shingles.mjs';
import { installPython, python } from './python.mjs';

const SYNOPSIS = 'PATH [SIZES=10000,200000] [NAMES] [--folded]';
const { path, sizes, names: chosen, folded } = readArguments(SYNOPSIS);
if (!/^[1-9]\d*(,[1-9]\d*)*$/.test(sizes)) {
  failWithUsage(`SIZES must be numbers with commas between them, got '${sizes}'`, SYNOPSIS);
}
const isCollection = statSync(path).isDirectory();
if (folded && !isCollection) failWithUsage('only a folder can be combined with --folded', SYNOPSIS);
const folder = join(root, 'benches', 'peers');
const work = join(root, 'build', 'peers');

const npm = {
  label: 'npm',
  versions: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).devDependencies,
  install: () => installPackages(folder, 'the npm packages to compare with'),
  command: [process.execPath, '--max-old-space-size=8192', join(folder, 'peers.mjs')],
};
const pypi = {
  label: 'PyPI',
  versions: Object.fromEntries(readLines(join(folder, 'requirements.txt')).map((line) => line.split('=='))),
  install: installPython,
  command: [python, join(folder, 'peers.py')],
};

/** Each package, and how many documents it can take in ten minutes and 8 GB where that is fewer than a million. */
const packages = {
  minhash: { from: npm, limit: 200_000 },
  'bloom-filters': { from: npm, limit: 10_000 },
  'simhash-js': { from: npm, limit: 10_000 },
  rensa: { from: pypi },
  datasketch: { from: pypi },
  simhash: { from: pypi },
};

/** Runs the command line on one thread and returns what it took and dropped. */
async function nearprint(documents) {
  const report = join(work, 'report.jsonl');
  const { processor, megabytes } = await measured(['dedupe', '-q', '--threads', '1', '--report', report, documents]);
  const dropped = readObjects(report).map(({ id, duplicateOf }) => [id, duplicateOf]);
  return { seconds: processor, megabytes, dropped };
}

function peer(name, documents) {
  const list = join(work, 'dropped.tsv');
  const [program, ...args] = packages[name].from.command;
  const taken = JSON.parse(execFileSync(program, [...args, name, documents, list]));
  return { ...taken, dropped: readLines(list).map((line) => line.split('\t').map(Number)) };
}

/** The cells of a row from the seconds on: dashes if the package cannot handle this many documents. */
async function measure(name, { documents, size, collection }) {
  if (size > packages[name]?.limit) return Array(5).fill('–');
  const { seconds, megabytes, dropped } = name === 'nearprint' ? await nearprint(documents) : peer(name, documents);
  const { wrong, left } = collection ? countMistakes(collection, dropped) : {};
  return [
    seconds.toFixed(1),
    Math.round(megabytes),
    dropped.length.toLocaleString('en'),
    wrong?.toFixed(1) ?? '',
    left?.toFixed(1) ?? '',
  ];
}

function label(name) {
  if (name === 'nearprint') return `**${name}**`;
  const { versions, label } = packages[name].from;
  return `${name} ${versions[name]} (${label})`;
}

/** The tokens of a text, and the number of them in a shingle, by the definition of the truth. */
function foldedTokens(text) {
  const tokens = tokensOf(text);
  return { tokens, width: kindOf(tokens) };
}

function ofCollection(size) {
  const collection = corpus(path, size);
  return { documents: writeCorpus(collection.texts, work, folded ? foldedTokens : undefined), size, collection };
}

const ofFile = () => ({ documents: path, size: readLines(path).length });

const isByDefault = (name) => isCollection || packages[name].from === npm;
const names = chosen?.split(',') ?? ['nearprint', ...Object.keys(packages).filter(isByDefault)];
const unknown = names.find((name) => name !== 'nearprint' && !(name in packages));
if (unknown !== undefined)
  failWithUsage(`NAMES must be some of nearprint, ${Object.keys(packages).join(', ')}, got '${unknown}'`, SYNOPSIS);
const registries = new Set(names.flatMap((name) => packages[name]?.from ?? []));
for (const registry of registries) registry.install();
mkdirSync(work, { recursive: true });

const versions = [`Node ${process.version}`, ...(registries.has(pypi) ? [output(python, ['--version'])] : [])];
console.log(`${versions.join(', ')}, ${cpus()[0].model.trim()}\n`);
console.log('| documents | | seconds | MB | dropped | wrong | left |');
console.log('| ---: | --- | ---: | ---: | ---: | ---: | ---: |');
for (const size of isCollection ? sizes.split(',').map(Number) : [null]) {
  const given = isCollection ? ofCollection(size) : ofFile();
  for (const name of names) {
    console.log(`| ${[given.size.toLocaleString('en'), label(name), ...(await measure(name, given))].join(' | ')} |`);
  }
}
