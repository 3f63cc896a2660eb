// Documents for the tests: sketches of real sentences and of generated words, half of them near-duplicates of earlier ones.
import { readFileSync } from 'node:fs';
import { sketch } from 'nearprint';
import { random } from '../js/random.mjs';

const VOCABULARY = 30_000;

/** The sentences of the sample (examples/sample.md has their licences), in six languages. */
const sentences = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .flatMap((line) => JSON.parse(line).text.split(/(?<=[.!?。！？])\s*|\n+/))
  .filter(({ length }) => length >= 20);

/** Returns a function that makes the text of the next document. */
function texts(seed) {
  const next = random(seed);
  const all = [];
  // Words as frequent as in natural language: the rank is inversely proportional to the frequency.
  const word = () => `w${Math.floor(VOCABULARY ** (next(1 << 24) / (1 << 24))).toString(36)}`;
  const generated = () => Array.from({ length: 25 + next(150) }, word);
  const real = () =>
    Array.from({ length: 5 + next(10) }, () => sentences[next(sentences.length)])
      .join(' ')
      .split(' ');
  return () => {
    const kind = next(20);
    let words;
    if (kind < 9 && all.length > 0) {
      words = [...all[next(all.length)]];
      for (let edits = next(1 + words.length / 16); edits > 0; edits--)
        words.splice(next(words.length), next(3), word());
    } else if (kind < 10) {
      words = Array.from({ length: next(5) }, () => `short${next(20)}`);
    } else words = kind % 2 === 0 ? real() : generated();
    if (words.length > 20) all.push(words);
    return words.join(' ');
  };
}

/** Yields `{ id, sketch }`. */
export function* documents(seed, count) {
  const next = texts(seed);
  for (let at = 0; at < count; at++) yield { id: `https://example.com/${seed}/page-${at}`, sketch: sketch(next()) };
}

/**
 * Returns documents in families of one to four, each of near-duplicates of one text. The members of a family follow each
 * other, so that clients that take turns add them at once.
 */
export function families(seed, count) {
  const next = random(seed);
  const word = () => `w${next(VOCABULARY).toString(36)}`;
  const all = [];
  for (let family = 0; all.length < count; family++) {
    const words = Array.from({ length: 60 + next(60) }, word);
    for (let member = 1 + next(4); member > 0 && all.length < count; member--) {
      const edited = [...words];
      for (let edits = next(6); edits > 0; edits--) edited[next(edited.length)] = word();
      all.push({ id: `page ${all.length} of family ${family}`, family, sketch: sketch(edited.join(' ')) });
    }
  }
  return all;
}

/** Returns documents that no other one resembles. */
export function unrelated(count) {
  const first = new Map();
  for (const document of families(5, 8 * count)) if (!first.has(document.family)) first.set(document.family, document);
  return [...first.values()].slice(0, count).map(({ id, sketch }) => ({ id, sketch }));
}

/**
 * Returns a function that returns the sketch of a random text: a revision of one of four texts, or a text of few words. Many
 * are near-duplicates of each other, and some are equal.
 */
export function revisions(seed) {
  const next = random(seed + 1000);
  const word = () => `w${next(300)}`;
  const bases = Array.from({ length: 4 }, () => Array.from({ length: 20 + next(40) }, word));
  return () => {
    const kind = next(12);
    if (kind === 0) return sketch(Array.from({ length: next(4) }, () => `w${next(4)}`).join(' '));
    // Texts of 8 to 10 words have another threshold.
    if (kind < 3)
      return sketch(Array.from({ length: 8 + next(3) }, (_, at) => (next(4) ? `w${at}` : word())).join(' '));
    const words = [...bases[next(bases.length)]];
    for (let edits = next(5); edits > 0; edits--) words[next(words.length)] = word();
    return sketch(words.join(' '));
  };
}

const some = [...documents(1, 60)];

/** Calls all methods of a store but `count`, which reads all of it. */
export async function useAll(store) {
  const ids = some.map(({ id }) => id);
  await store.observe(some);
  await store.observe(some, { lease: 10, expiresIn: 10 });
  const changed = some.map(({ id }, at) => ({ id, sketch: some[(at + 7) % some.length].sketch }));
  await store.observe(changed.slice(0, 20), { lease: 10 });
  await store.confirm(ids.slice(0, 5));
  await store.release(changed.slice(5, 10));
  for (const document of changed.slice(20)) await store.observe([document]);
  await store.add(some.slice(0, 5), { expiresIn: 0 });
  await store.prune();
  for (const { id, sketch } of some) {
    await store.query(sketch);
    await store.get(id);
  }
  await store.delete(ids.slice(0, 5));
  for await (const _ of store.entries()) break;
}
