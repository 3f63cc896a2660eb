// npm run bench: prints the speed of the built package in one table, in comparison with FNV-1 on the same machine, and
// what removing near-duplicates takes, in comparison with npm packages.
//
//     npm run bench                         # on examples/sample.jsonl
//     npm run bench -- PATH/docs.jsonl.gz   # or NEARPRINT_TEXTS=PATH: documents { lang, text }, one a line
//     npm run bench -- DIR [SIZES] [NAMES]  # near-duplicates only, with what is dropped wrongly and left; the arguments
//                                           # are those of benches/peers/run.mjs
//
// Every round measures every case once, and the reference too, so that other load on the machine affects all of them.
// The table has the medians.
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { failWithUsage, readArguments } from '../scripts/arguments.mjs';
import { build } from '../scripts/build.mjs';
import { root, run } from '../scripts/run.mjs';
import { installPackages } from '../scripts/setup.mjs';
import { writeCorpus } from './corpus.mjs';
import { readObjects } from './lines.mjs';
import { median, time } from './times.mjs';

const SIZE = 1 << 20; // UTF-16 units of each kind of text
const SYNOPSIS = '[PATH] [SIZES] [NAMES]';
const {
  path = process.env.NEARPRINT_TEXTS ?? join(root, 'examples', 'sample.jsonl'),
  sizes,
  names,
} = readArguments(SYNOPSIS);
const isCollection = statSync(path).isDirectory();
if (!isCollection && sizes !== undefined) failWithUsage('only a folder takes SIZES and NAMES', SYNOPSIS);

await build();
const dedupePeers = (...args) => run(process.execPath, ['benches/peers/run.mjs', ...args]);
if (isCollection) {
  dedupePeers(path, ...[sizes, names].filter((argument) => argument !== undefined));
  process.exit();
}
const { fingerprint, fingerprintAll, Fingerprinter } = await import(pathToFileURL(join(root, 'pkg', 'simhash.js')));

// ---- The texts ---------------------------------------------------------------------------------------------------

const documents = readObjects(path);

/** The texts of a kind, repeated or cut off so that all kinds have the same size. */
function texts(isOfKind) {
  const found = documents.filter(isOfKind).map(({ text }) => text);
  const all = [];
  for (let at = 0, size = 0; found.length > 0 && size < SIZE; at++) {
    all.push(found[at % found.length]);
    size += all.at(-1).length;
  }
  return all;
}

const isEnglish = ({ lang, text }) => lang === 'en' || (lang === undefined && /^[\p{Script=Latin}\P{L}]*$/u.test(text));
const ascii = texts((d) => isEnglish(d) && /^[\0-\x7f]*$/.test(d.text));
const running = ascii.join(' ');
const pieces = (length) => running.match(new RegExp(`[^]{${length}}`, 'g')) ?? [];
const kinds = {
  'English, ASCII': ascii,
  'English, typographic': texts((d) => isEnglish(d) && /[‘’“”]/.test(d.text)),
  Chinese: texts((d) => d.lang === 'zh'),
  Japanese: texts((d) => d.lang === 'ja'),
  Korean: texts((d) => d.lang === 'ko'),
  Russian: texts((d) => d.lang === 'ru'),
  Arabic: texts((d) => d.lang === 'ar'),
};

// ---- The reference: FNV-1, 64 bits, over all bytes ---------------------------------------------------------------

/** The module with `(func (export "fnv1") (param $at i32) (param $end i32) (result i64) ...)`, as bytes. */
function reference() {
  const leb = (value) => {
    const bytes = [];
    for (let rest = BigInt.asIntN(64, value); ; rest >>= 7n) {
      const byte = Number(rest & 127n);
      if (rest >= -64n && rest < 64n) return [...bytes, byte];
      bytes.push(byte | 128);
    }
  };
  const section = (id, ...bytes) => [id, bytes.length, ...bytes];
  const [local, set, tee, constant] = [0x20, 0x21, 0x22, 0x42];
  const code = [
    ...[1, 1, 0x7e], // (local $hash i64)
    ...[constant, ...leb(0xcbf29ce484222325n), set, 2],
    ...[0x03, 0x40], // loop
    ...[local, 2, constant, ...leb(0x100000001b3n), 0x7e, local, 0, 0x31, 0, 0, 0x85, set, 2], // $hash * prime ^ [$at]
    ...[local, 0, 0x41, 1, 0x6a, tee, 0, local, 1, 0x49, 0x0d, 0], // until ++$at = $end
    ...[0x0b, local, 2, 0x0b],
  ];
  const module = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7e),
    ...section(3, 1, 0),
    ...section(5, 1, 0, 64),
    ...section(7, 2, 6, ...Buffer.from('memory'), 2, 0, 4, ...Buffer.from('fnv1'), 0, 0),
    ...section(10, 1, code.length, ...code),
  ];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(module))).exports;
}

const { memory, fnv1 } = reference();
const bytes = Buffer.from(running.repeat(Math.ceil(2 ** 21 / running.length))).subarray(0, 2 ** 21);
new Uint8Array(memory.buffer).set(bytes);

// ---- Hand-written JavaScript: words by a regular expression, one hash per word, sums in a typed array --------------

function handWritten(text) {
  const sums = new Int32Array(64);
  let [lastHigh, lastLow, isFirst] = [0, 0, true];
  const counts = new Map();
  const add = (high, low) => {
    const key = high * 4294967296 + low; // not exact: a number has 53 bits
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if ((count & (count - 1)) !== 0) return;
    for (let bit = 0; bit < 32; bit++) {
      sums[bit] += ((low >>> bit) & 1) * 2 - 1;
      sums[bit + 32] += ((high >>> bit) & 1) * 2 - 1;
    }
  };
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    let [high, low] = [0x811c9dc5, 0x811c9dc5 ^ word.length];
    for (let at = 0; at < word.length; at++) {
      high = Math.imul(high ^ word.charCodeAt(at), 0x01000193);
      low = Math.imul(low ^ word.charCodeAt(at), 0x85ebca6b);
    }
    [high, low] = [Math.imul(high ^ (high >>> 15), 0xc2b2ae35) >>> 0, Math.imul(low ^ (low >>> 13), 0xc2b2ae35) >>> 0];
    add(high, low);
    if (!isFirst) add((Math.imul(lastHigh, 31) + high) >>> 0, (Math.imul(lastLow, 31) + low) >>> 0);
    [lastHigh, lastLow, isFirst] = [high, low, false];
  }
  return sums;
}

// ---- Peers -------------------------------------------------------------------------------------------------------

function peers() {
  const folder = join(root, 'benches', 'peers');
  installPackages(folder, 'the npm packages to compare with');
  const require = createRequire(join(folder, 'package.json'));
  const { SimHash } = require('simhash-js');
  const hasher = new SimHash();
  const simhash = require('simhash')('md5');
  return {
    'simhash-js': (text) => hasher.hash(text),
    simhash: (text) => simhash(text.split(/\s+/)),
  };
}

// ---- The cases ---------------------------------------------------------------------------------------------------

const all = (options) => {
  const fingerprinter = new Fingerprinter(options);
  return (list) => fingerprinter.fingerprintAll(list);
};
const each = (run) => (list) => {
  for (const text of list) run(text);
};
const single = new Fingerprinter();
const hasTexts = ([, , list]) => list.length > 0;
const own = [
  ...Object.entries(kinds).map(([kind, list]) => ['v1', kind, list, all()]),
  ['v1, texts of 3,000 characters, `fingerprintAll`', 'English, ASCII', pieces(3000), all()],
  [
    'v1, texts of 3,000 characters, `fingerprint`',
    'English, ASCII',
    pieces(3000),
    each((text) => single.fingerprint(text)),
  ],
  ['v1, texts of 100 characters', 'English, ASCII', pieces(100), all()],
  ['words, tf', 'English, ASCII', ascii, all({ features: 'words', weights: 'tf' })],
  ['bigrams, tf', 'Chinese', kinds.Chinese, all({ features: 'bigrams', weights: 'tf' })],
].filter(hasTexts);
const others = [
  ['hand-written JavaScript', 'English, ASCII', ascii, each(handWritten)],
  ['hand-written JavaScript', 'Russian', kinds.Russian, each(handWritten)],
  ...Object.entries(peers()).map(([name, run]) => [name, 'English, ASCII', ascii.slice(0, 60), each(run)]),
].filter(hasTexts);

/** The speed of each case and of the reference (`clock`), in bytes per millisecond. */
function measure(cases, rounds) {
  const references = [];
  const times = cases.map(() => []);
  for (let round = 0; round < rounds; round++) {
    references.push(time(() => fnv1(0, bytes.length)));
    for (const [at, [, , list, run]] of cases.entries()) times[at].push(time(() => run(list)));
  }
  const clock = bytes.length / median(references);
  const speeds = cases.map(([what, kind, list], at) => {
    const size = list.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return { what, kind, speed: size / median(times[at]), rate: (list.length / median(times[at])) * 1e3, clock };
  });
  return { clock, speeds };
}

// Measured separately: the garbage of the other programs would slow the cases above.
const { clock, speeds } = measure(own, 25);
speeds.push(...measure(others, 9).speeds);

const row = (cells) => `| ${cells.join(' | ')} |`;
console.log(
  `Node ${process.version}, ${process.arch}, ${cpus()[0].model.trim()}; FNV-1: ${Math.round(clock / 1e3)} MB/s\n`,
);
console.log(row(['scheme or program', 'texts', 'MB/s', 'times FNV-1', 'texts per second']));
console.log(row(['---', '---', '---:', '---:', '---:']));
for (const { what, kind, speed, rate, clock } of speeds) {
  const numbers = [(speed / 1e3).toFixed(1), (speed / clock).toFixed(3), Math.round(rate).toLocaleString('en')];
  console.log(row([what, kind, ...numbers]));
}

// ---- Start-up and sizes ------------------------------------------------------------------------------------------

console.log('\nStart-up\n');
run(process.execPath, ['benches/startup.mjs', '15']);
console.log();
console.log(row(['artifact', 'bytes', 'Brotli']));
console.log(row(['---', '---:', '---:']));
for (const name of ['pkg/dedupe.wasm', 'pkg/simhash.wasm', 'pkg/compat.wasm', 'pkg/dedupe.js', 'pkg/simhash.js']) {
  const brotli = brotliCompressSync(readFileSync(join(root, name))).length;
  console.log(
    row([name.split('/').at(-1), statSync(join(root, name)).size, brotli].map((n) => n.toLocaleString('en'))),
  );
}

// ---- Near-duplicates ---------------------------------------------------------------------------------------------

const plain = writeCorpus(
  documents.map(({ text }) => text),
  join(root, 'build', 'bench'),
);
console.log('\nThe command line\n');
run(process.execPath, ['benches/dedupe.mjs', plain]);

console.log('\nThe command line and npm packages\n');
dedupePeers(plain);

console.log('\nNearIndex');
run(process.execPath, ['benches/index.mjs']);

// The measured functions must agree.
if (fingerprintAll([running])[0] !== fingerprint(running)) process.exitCode = 1;
