#!/usr/bin/env node
// Prints how well clusters agree with brute force on families of texts, their time on versions of one text, and how many
// documents that dedupe drops are in no cluster. Of a collection, also how much of the pairs Deduplicator.pairs() finds.
//
//     node benches/clusters.mjs [DIRECTORY] [LIMIT]
//
// DIRECTORY is a collection as benches/corpus.mjs describes it, with `pairs.tsv` or `pairs.tsv.br`: a header, then `a`, `b` and a
// thousand times their exact resemblance, every pair of .4 or more. Expected are the pairs whose sketches resemble each other by
// the threshold.
import { join } from 'node:path';
import { Deduplicator, dedupe, isNearDuplicate, MIN_RESEMBLANCE, resemblance, sketch } from '../pkg/index.js';
import { readArguments } from '../scripts/arguments.mjs';
import { random } from '../tests/js/random.mjs';
import { corpus } from './corpus.mjs';
import { readLines } from './lines.mjs';
import { jaccard } from './quality/truth.mjs';
import { processorTime } from './times.mjs';

const { directory, limit } = readArguments('[DIRECTORY] [LIMIT=50000]');

const seconds = () => processorTime() / 1e6;

/** Returns `versions` texts of the same 150 words. In each, `edits` words at random places are replaced by random ones. */
function family(versions, edits, below) {
  return Array.from({ length: versions }, () => {
    const words = Array.from({ length: 150 }, (_, at) => `w${at}`);
    for (let edit = 0; edit < edits; edit++) words[below(150)] = `x${below(1e6)}`;
    return words.join(' ');
  });
}

/** Returns the word pairs of each text as ascending numbers. */
function pairsOf(texts) {
  const numbers = new Map();
  const numberOf = (pair) => numbers.get(pair) ?? numbers.set(pair, numbers.size).size - 1;
  return texts.map((text) => {
    const words = text.split(' ');
    const pairs = words.slice(1).map((word, at) => numberOf(`${words[at]} ${word}`));
    return Uint32Array.from(new Set(pairs)).sort();
  });
}

/** Returns for each set the sets that it resembles, with their exact resemblance: every pair is compared. */
function neighboursOf(sets) {
  const neighbours = sets.map(() => new Map());
  for (const [a, set] of sets.entries()) {
    for (let b = 0; b < a; b++) {
      const resemblance = jaccard(set, sets[b]);
      if (resemblance < MIN_RESEMBLANCE) continue;
      neighbours[a].set(b, resemblance);
      neighbours[b].set(a, resemblance);
    }
  }
  return neighbours;
}

/** Returns the mean of the exact resemblance of all pairs, as a text. */
function meanResemblance(sets) {
  const all = sets.flatMap((set, at) => sets.slice(0, at).map((other) => jaccard(set, other)));
  return (all.reduce((sum, resemblance) => sum + resemblance) / all.length).toFixed(2);
}

/** The rules of both linkages, on all pairs. Each returns the number of the cluster of each text. */
const linkages = {
  star(neighbours) {
    const clusters = neighbours.map(() => undefined);
    const order = [...neighbours.keys()].sort((a, b) => neighbours[b].size - neighbours[a].size || a - b);
    const representatives = new Set();
    for (const at of order) {
      if (clusters[at] !== undefined) continue;
      const near = [...neighbours[at]].filter(([other]) => representatives.has(other));
      if (near.length > 0) {
        [[clusters[at]]] = near.sort(([a, x], [b, y]) => y - x || a - b);
        continue;
      }
      representatives.add(at);
      clusters[at] = at;
      for (const other of neighbours[at].keys()) clusters[other] ??= at;
    }
    return clusters;
  },
  single(neighbours) {
    const clusters = neighbours.map(() => undefined);
    for (const start of neighbours.keys()) {
      if (clusters[start] !== undefined) continue;
      clusters[start] = start;
      const reached = [start];
      for (const at of reached) {
        for (const other of neighbours[at].keys()) {
          if (clusters[other] !== undefined) continue;
          clusters[other] = start;
          reached.push(other);
        }
      }
    }
    return clusters;
  },
};

/** Returns the number of pairs of texts with one label. */
function pairsWithin(labels) {
  const sizes = new Map();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  let pairs = 0;
  for (const size of sizes.values()) pairs += (size * (size - 1)) / 2;
  return pairs;
}

/** Returns the F1 of the pairs of texts that are in one cluster. */
function f1(found, expected) {
  const both = pairsWithin(found.map((label, at) => `${label} ${expected[at]}`));
  return (2 * both) / (pairsWithin(found) + pairsWithin(expected));
}

/** Returns the number of the cluster of each of `count` documents; a document in no cluster has a number of its own. */
function labelsOf(kept, count, linkage) {
  const labels = Array.from({ length: count }, (_, at) => count + at);
  for (const [number, { members }] of kept.clusters({ linkage }).entries()) {
    for (const { id } of members) labels[id] = number;
  }
  return labels;
}

/** Returns how many of some texts `dedupe` drops, and how many of these are in no cluster of each linkage, as cells of a row. */
async function leftOut(texts) {
  const kept = new Deduplicator();
  const dropped = [];
  for await (const { document, position, duplicatePosition } of dedupe(texts)) {
    kept.add(position, document);
    if (duplicatePosition !== undefined) dropped.push(position);
  }
  const counts = Object.keys(linkages).map((linkage) => {
    const inClusters = new Set(kept.clusters({ linkage }).flatMap(({ members }) => members.map(({ id }) => id)));
    return dropped.filter((position) => !inClusters.has(position)).length;
  });
  kept.free();
  return [texts.length, dropped.length, ...counts].join(' | ');
}

/** Returns texts of 60 words, each the one before with another word. */
function chain(length, below) {
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
  return Array.from({ length }, (_, at) => {
    words[below(60)] = `x${at}`;
    return words.join(' ');
  });
}

/** Returns pages of 52 words: 40 that all share, and 12 of their own. One page in four is a version of another with other words. */
function template(pages, below) {
  const numbersOf = () => Array.from({ length: 12 }, () => `n${below(1e6)}`);
  const pageOf = (numbers) =>
    Array.from({ length: 52 }, (_, at) => (at % 4 === 1 && at < 48 ? numbers[at >> 2] : `w${at}`)).join(' ');
  const made = [];
  return Array.from({ length: pages }, (_, at) => {
    const numbers = at % 4 === 3 ? made[below(made.length)].with(below(12), `n${below(1e6)}`) : numbersOf();
    made.push(numbers);
    return pageOf(numbers);
  });
}

console.log("| versions of a text | edited words of 150 | mean resemblance | F1 of 'star' | F1 of 'single' |");
console.log('| ---: | ---: | ---: | ---: | ---: |');
for (const edits of [2, 6, 9]) {
  for (const versions of [100, 300, 1000, 3000]) {
    const below = random(versions);
    // One text in ten is not of the family.
    const texts = family(versions, edits, below).concat(family(versions / 10, 300, below));
    const kept = new Deduplicator();
    for (const [id, text] of texts.entries()) kept.add(id, text);
    const sets = pairsOf(texts);
    const neighbours = neighboursOf(sets);
    const scores = Object.entries(linkages).map(([linkage, cluster]) =>
      f1(labelsOf(kept, texts.length, linkage), cluster(neighbours)).toFixed(3),
    );
    console.log(`| ${versions} | ${edits} | ${meanResemblance(sets.slice(0, 100))} | ${scores.join(' | ')} |`);
    kept.free();
  }
}

console.log('| versions of one text | seconds | stars | in the largest | components |');
console.log('| ---: | ---: | ---: | ---: | ---: |');
for (const versions of [150, 3000, 30_000, 300_000]) {
  const below = random(versions);
  const kept = new Deduplicator();
  for (const [id, text] of family(versions, 2, below).entries()) kept.add(id, text);
  const began = seconds();
  const stars = kept.clusters();
  const took = (seconds() - began).toFixed(2);
  const components = kept.clusters({ linkage: 'single' });
  const share = ((100 * stars[0].members.length) / versions).toFixed(1);
  console.log(`| ${versions} | ${took} | ${stars.length} | ${share} % | ${components.length} |`);
  kept.free();
}

console.log("| texts | documents | dropped | dropped, in no cluster of 'star' | dropped, in no cluster of 'single' |");
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const edits of [2, 9, 10]) {
  console.log(
    `| versions with ${edits} edited words of 150 | ${await leftOut(family(10_000, edits, random(edits)))} |`,
  );
}
console.log(`| pages of a template | ${await leftOut(template(20_000, random(1)))} |`);
console.log(`| a chain | ${await leftOut(chain(10_000, random(2)))} |`);

if (directory !== undefined) {
  const { texts } = corpus(directory, limit);
  const sketches = texts.map((text) => sketch(text));
  const kept = new Deduplicator();
  sketches.forEach((document, at) => {
    kept.add(at, document);
  });
  const degrees = new Uint32Array(sketches.length);
  const expected = readLines(join(directory, 'pairs.tsv'))
    .slice(1)
    .map((line) => line.split('\t').map(Number))
    .filter(([a, b]) => a < sketches.length && b < sketches.length)
    .filter(([a, b]) => isNearDuplicate(sketches[a], sketches[b]));
  for (const pair of expected) for (const at of pair.slice(0, 2)) degrees[at]++;
  const keyOf = (a, b) => Math.min(a, b) * sketches.length + Math.max(a, b);
  const began = seconds();
  const found = new Set(Array.from(kept.pairs(), ({ a, b }) => keyOf(a, b)));
  console.log(`${sketches.length} documents, ${found.size} pairs in ${(seconds() - began).toFixed(1)} s`);
  console.log('| near-duplicates | pairs | found |\n| --- | ---: | ---: |');
  for (const [low, high] of [
    [1, 16],
    [17, 128],
    [129, Number.POSITIVE_INFINITY],
  ]) {
    const some = expected.filter(([a, b]) => {
      const degree = Math.max(degrees[a], degrees[b]);
      return degree >= low && degree <= high;
    });
    const share = some.filter(([a, b]) => found.has(keyOf(a, b))).length / some.length;
    console.log(`| ${low} to ${high} | ${some.length} | ${(100 * share).toFixed(2)} % |`);
  }
  const neighbours = sketches.map(() => new Map());
  for (const [a, b] of expected) {
    const similarity = resemblance(sketches[a], sketches[b]);
    neighbours[a].set(b, similarity);
    neighbours[b].set(a, similarity);
  }
  for (const [linkage, cluster] of Object.entries(linkages)) {
    const score = f1(labelsOf(kept, sketches.length, linkage), cluster(neighbours));
    console.log(`clusters by '${linkage}': F1 ${score.toFixed(3)}`);
  }
  kept.free();
  console.log(
    `| texts | documents | dropped | dropped, in no cluster of 'star' | dropped, in no cluster of 'single' |`,
  );
  console.log('| --- | ---: | ---: | ---: | ---: |');
  console.log(`| ${directory} | ${await leftOut(texts)} |`);
}
