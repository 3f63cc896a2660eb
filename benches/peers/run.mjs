// Removes near-duplicates with nearprint and with three Python packages, and prints what each takes, drops wrongly and
// leaves.
//
//     node benches/peers/run.mjs DIR [SIZES] [NAMES]     # 10000,200000 and all packages by default
//
// The name `simhash8` is nearprint by the distance of fingerprints, 8 of 64 bits.
// DIR is a collection as benches/corpus.mjs describes it. The packages are installed into a virtual environment of their
// own, in build/peers, with the versions of requirements.txt. It takes Python 3.11 and Linux.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fail, output, root, run, say } from '../../scripts/run.mjs';
import { measured } from '../command.mjs';
import { corpus, judge, writeCorpus } from '../corpus.mjs';

const [folder, sizes = '10000,200000', names = 'nearprint,rensa,datasketch,simhash'] = process.argv.slice(2);
if (folder === undefined) fail('takes a folder with docs.jsonl and pairs.tsv');
const work = join(root, 'build', 'peers');
const venv = join(work, 'venv');
const python = join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

function install() {
  if (existsSync(python)) return;
  const host = ['python3.11', 'python3', 'python'].find((name) => output(name, ['--version'])?.includes(' 3.11'));
  if (host === undefined) fail('Python 3.11 is not installed');
  say('installing the Python packages to compare with');
  run(host, ['-m', 'venv', venv]);
  run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    'benches/peers/requirements.txt',
  ]);
}

const pairsOf = (path, read) => readFileSync(path, 'utf8').split('\n').slice(0, -1).map(read);

/** Options of the command line by name. */
const rules = { nearprint: [], simhash8: ['--max-distance', '8'] };

/** Runs the command line on one thread and returns what it took and dropped. */
function nearprint(documents, rule) {
  const report = join(work, 'report.jsonl');
  const { processor, megabytes } = measured(['dedupe', '-q', '--threads', '1', ...rule, '--report', report, documents]);
  const dropped = pairsOf(report, (line) => {
    const { id, duplicateOf } = JSON.parse(line);
    return [id, duplicateOf];
  });
  return { seconds: processor, megabytes, dropped };
}

function peer(name, documents) {
  const path = join(work, 'dropped.tsv');
  const taken = JSON.parse(execFileSync(python, [join(root, 'benches', 'peers', 'peers.py'), name, documents, path]));
  return { ...taken, dropped: pairsOf(path, (line) => line.split('\t').map(Number)) };
}

install();
const versions = new Map(
  pairsOf(join(root, 'benches', 'peers', 'requirements.txt'), (line) => line.split('==')).filter(([, it]) => it),
);
console.log(`Node ${process.version}, ${output(python, ['--version'])}, ${cpus()[0].model.trim()}\n`);
console.log(
  '| documents | | seconds | MB | dropped | wrong | left |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: |',
);
for (const size of sizes.split(',').map(Number)) {
  const collection = corpus(folder, size);
  const documents = writeCorpus(collection.texts, work);
  for (const name of names.split(',')) {
    const { seconds, megabytes, dropped } = rules[name] ? nearprint(documents, rules[name]) : peer(name, documents);
    const judged = judge(collection, dropped);
    const label = versions.has(name) ? `${name} ${versions.get(name)}` : `**${name}**`;
    const cells = [size.toLocaleString('en'), label, seconds.toFixed(1), Math.round(megabytes)];
    cells.push(judged.dropped.toLocaleString('en'), judged.wrong.toFixed(1), judged.left.toFixed(1));
    console.log(`| ${cells.join(' | ')} |`);
  }
}
