// Removes near-duplicates with an npm package, as its documentation shows, and prints what that took: peers.py in
// JavaScript, with the same features, arguments and output.
//
//     node peers.mjs minhash|bloom-filters|simhash-js DOCUMENTS DROPPED
//
// It takes Linux. run.mjs installs the packages.
import { createWriteStream, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { failWithUsage, readArguments } from '../../scripts/arguments.mjs';

const TOKEN = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]|[\p{L}\p{N}]+/gu;
const DENSE = /^[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]/;
const THRESHOLD = 0.7;
const PERMUTATIONS = 128;

/** Returns the tokens of a text, and the number of them in a shingle. */
function tokenize(text) {
  const tokens = text.normalize('NFKC').toLowerCase().match(TOKEN) ?? [];
  const dense = tokens.filter((token) => DENSE.test(token)).length;
  return { tokens, width: 2 * dense > tokens.length ? 5 : 3 };
}

function shingles(document) {
  const { tokens, width } = document.tokens ? document : tokenize(document.text);
  if (tokens.length <= width) return [tokens.join(' ')];
  return Array.from({ length: tokens.length - width + 1 }, (_, at) => tokens.slice(at, at + width).join(' '));
}

/** The id of the most similar candidate, the first of equals, or null if none has the threshold. */
function best(candidates, similarity, threshold = THRESHOLD) {
  let [found, highest] = [null, threshold];
  for (const [id, other] of candidates) {
    const value = similarity(other);
    if (value > highest || (value === highest && found === null)) [found, highest] = [id, value];
  }
  return found;
}

/** The packages by name. Each makes a function that returns the id of the kept document that a document resembles, or null. */
const packages = {
  async minhash() {
    const { Minhash, LshIndex } = (await import('minhash')).default;
    // The documented bands of 4 numbers. A query throws for a band that the index lacks, so a document is inserted before.
    const index = new LshIndex();
    const kept = new Map();
    return (document) => {
      const { id } = document;
      const own = new Minhash({ numPerm: PERMUTATIONS });
      for (const shingle of shingles(document)) own.update(shingle);
      index.insert(id, own);
      const candidates = index.query(own).flatMap((other) => (kept.has(other) ? [[other, kept.get(other)]] : []));
      const found = best(candidates, (other) => own.jaccard(other));
      if (found === null) kept.set(String(id), own);
      return found;
    };
  },

  async 'bloom-filters'() {
    const { MinHashFactory } = (await import('bloom-filters')).default;
    // It accepts numbers, and has no index.
    const factory = new MinHashFactory(PERMUTATIONS, 2 ** 32 - 1);
    const kept = new Map();
    return (document) => {
      const own = factory.create();
      own.bulkLoad(shingles(document).map((shingle) => crc32(shingle)));
      const found = best(kept, (other) => own.compareWith(other));
      if (found === null) kept.set(document.id, own);
      return found;
    };
  },

  async 'simhash-js'() {
    const { SimHash, Comparator } = (await import('simhash-js')).default;
    // It accepts a text and forms features itself. It has no index and no documented threshold. The threshold is 1, since
    // similarities below it are frequent among texts that share nothing.
    const hasher = new SimHash();
    const kept = new Map();
    return ({ id, text }) => {
      const own = hasher.hash(text);
      const found = best(kept, (other) => Comparator.similarity(own, other), 1);
      if (found === null) kept.set(id, own);
      return found;
    };
  },
};

const SYNOPSIS = 'NAME DOCUMENTS DROPPED';
const { name, documents, dropped } = readArguments(SYNOPSIS);
if (!(name in packages)) {
  failWithUsage(`NAME must be one of ${Object.keys(packages).join(', ')}, got '${name}'`, SYNOPSIS);
}
const nearest = await packages[name]();
const lines = await open(documents);
const out = createWriteStream(dropped);
for await (const line of lines.readLines()) {
  const document = JSON.parse(line);
  const found = nearest(document);
  if (found !== null) out.write(`${document.id}\t${found}\n`);
}
await finished(out.end());
const { user, system } = process.cpuUsage();
// Not maxRSS: it is at least the value of the process that started this one.
const [, peak] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'));
console.log(JSON.stringify({ seconds: (user + system) / 1e6, megabytes: peak / 1024 }));
