#!/usr/bin/env node
// Prints how much of the pairs Deduplicator.pairs() finds, and the time of clusters on versions of one text.
//
//     node benches/clusters.mjs [DIRECTORY [LIMIT]]
//
// DIRECTORY is a collection as benches/corpus.mjs describes it, with `pairs.tsv` or `pairs.tsv.br`: a header, then `a`, `b` and a
// thousand times their exact resemblance, every pair of .4 or more. Expected are the pairs whose sketches resemble each other by
// the threshold.
import { Deduplicator, isNearDuplicate, sketch } from '../pkg/index.js';
import { random } from '../tests/js/random.mjs';
import { corpus, linesOf } from './corpus.mjs';

const [directory, limit = '50000'] = process.argv.slice(2);

const seconds = () => process.cpuUsage().user / 1e6;

if (directory !== undefined) {
  const sketches = corpus(directory, Number(limit)).texts.map((text) => sketch(text));
  const kept = new Deduplicator();
  sketches.forEach((document, at) => {
    kept.add(at, document);
  });
  const degrees = new Uint32Array(sketches.length);
  const expected = linesOf(directory, 'pairs.tsv')
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
}

console.log('| versions of one text | seconds | stars | in the largest | components |');
console.log('| ---: | ---: | ---: | ---: | ---: |');
for (const versions of [150, 3000, 30_000, 300_000]) {
  const below = random(versions);
  const kept = new Deduplicator();
  for (let id = 0; id < versions; id++) {
    const words = Array.from({ length: 150 }, (_, at) => `w${at}`);
    for (let edit = 0; edit < 2; edit++) words[below(150)] = `x${below(1e6)}`;
    kept.add(id, words.join(' '));
  }
  const began = seconds();
  const stars = kept.clusters();
  const took = (seconds() - began).toFixed(2);
  const components = kept.clusters({ linkage: 'single' });
  const share = ((100 * stars[0].members.length) / versions).toFixed(1);
  console.log(`| ${versions} | ${took} | ${stars.length} | ${share} % | ${components.length} |`);
  kept.free();
}
