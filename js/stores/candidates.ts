// The bounds of a search, the same on every engine and in a Deduplicator (src/dedupe/search.rs, postings.rs).
import type { Sketch } from '../sketch/sketch.js';
import type { Answer, Key, Question, TimedVersion } from './engine.js';

/** Bytes of a key. */
export const KEY_BYTES = 5;

/** The maximum number of keys of a version: the key of its id, 12 bands, and the key of equality. */
export const MAX_KEYS = 14;

/** The salt of a store, as two unsigned halves of 32 bits. */
export type Salt = readonly [high: number, low: number];

/**
 * The maximum number of versions of other ids under a key: an addition skips full keys. So a key has at most one more, the own
 * kept version of a provisional one. Ended versions count until they are removed, except under the key of
 * equality, where they would hide a copy of the document: there, an addition takes the place of an ended version.
 */
export const MAX_ENTRIES = 64;

/** The maximum number of candidates for a document. */
export const MAX_CANDIDATES = 32;

/** The weight of a key that has one candidate. */
export const UNIQUE = 1 << 16;

/** More than the sum of the weights of all keys. */
export const HEAVIEST = UNIQUE * 14;

/**
 * Returns the keys of a document: 13, the key of equality last. A short text has only that one, a blank text none.
 */
export function keysOf(sketch: Sketch, [saltHigh, saltLow]: Salt): Key[] {
  const keys = new Set<Key>();
  const halves = new Uint32Array(sketch.keys.buffer);
  for (let at = 0; at < halves.length; at += 2) keys.add(mixedKey(halves[at + 1] ^ saltHigh, halves[at] ^ saltLow));
  return [...keys];
}

/** Returns the key of an id. Other ids may have it too. */
export function keyOfId(id: string, [saltHigh, saltLow]: Salt): Key {
  let key = 0;
  for (let at = 0; at < id.length; at += 4) {
    key = mixedKey(saltHigh ^ (key / 2 ** 8) ^ unitsAt(id, at), saltLow ^ key ^ unitsAt(id, at + 2));
  }
  return key;
}

/** Returns two UTF-16 units as a number of 32 bits. Units after the end are 0. */
const unitsAt = (id: string, at: number): number => (id.charCodeAt(at) << 16) | id.charCodeAt(at + 1);

/**
 * Returns the high 40 bits of `fmix64`, of two halves of 32 bits. In JavaScript, since an id would take a call of the module for
 * every four units.
 */
function mixedKey(high: number, low: number): Key {
  let [h, l] = multiply(high, low ^ (high >>> 1), 0xff51afd7, 0xed558ccd);
  [h, l] = multiply(h, l ^ (h >>> 1), 0xc4ceb9fe, 0x1a85ec53);
  l ^= h >>> 1;
  return (h >>> 0) * 2 ** 8 + (l >>> 24);
}

/** Returns the low 64 bits of a product, as two halves. */
function multiply(high: number, low: number, otherHigh: number, otherLow: number): [number, number] {
  const [a, b] = [low & 0xffff, low >>> 16];
  const [c, d] = [otherLow & 0xffff, otherLow >>> 16];
  const first = b * c + ((a * c) >>> 16);
  const second = a * d + (first % 2 ** 16);
  const carry = b * d + Math.floor(first / 2 ** 16) + Math.floor(second / 2 ** 16);
  return [carry + Math.imul(high, otherLow) + Math.imul(low, otherHigh), Math.imul(low, otherLow)];
}

/** Returns the answers to questions. `versions` are all versions under their keys, the oldest first, each with its keys. */
export function answersFor<V extends TimedVersion>(
  questions: readonly Question[],
  versions: Iterable<readonly [version: V, keys: readonly Key[]]>,
  now: number,
): Answer<V>[] {
  const byKey = new Map<Key, V[]>(questions.flatMap(({ keys }) => keys.map((key) => [key, []])));
  for (const [version, keys] of versions) for (const key of keys) byKey.get(key)?.push(version);
  const under = (key: Key) => byKey.get(key) as V[];
  return questions.map((question) => ({
    ...answerFor(question, under, now),
    candidatesAfter(removed, added) {
      const find = (key: Key): TimedVersion[] => [
        ...under(key).filter(({ number }) => !removed.has(number)),
        ...added(key),
      ];
      return answerFor(question, find, now).candidates;
    },
  }));
}

/** Returns the answer to a question. `find` returns all versions under a key, the oldest first. */
function answerFor<V extends TimedVersion>(
  { id, keys }: Question,
  find: (key: Key) => readonly V[],
  now: number,
): Answer<V> {
  const underKeys = keys.map(find);
  const own = id === undefined ? [] : underKeys[0].filter((version) => version.id === id);
  // Versions of other ids that have the key of this one have nothing in common with the document.
  if (id !== undefined) underKeys[0] = [];
  const others = underKeys.map((versions) => versions.filter((version) => version.id !== id));
  const live = others.map((versions) => versions.filter(({ ends }) => ends > now));
  const byNumber = new Map(live.flat().map((version) => [version.number, version]));
  const chosen = choose(live.map((versions) => versions.map(({ number }) => number)));
  return {
    own,
    candidates: chosen.map((number) => byNumber.get(number) as V),
    ended: others.at(-1)?.filter(({ ends }) => ends <= now) ?? [],
    counts: countsOf(
      others.map(({ length }) => length),
      live,
    ),
  };
}

/**
 * Returns how many versions under each key count for {@link MAX_ENTRIES}, from the number of all versions under each key, and the versions
 * that have not ended. The key of equality is the last one.
 */
export const countsOf = (all: readonly number[], live: readonly unknown[][]): number[] =>
  all.map((count, at) => (at === all.length - 1 ? live[at].length : count));

/**
 * Returns the numbers of at most {@link MAX_CANDIDATES} versions, the oldest first. `underKeys` has the numbers of the versions
 * under each key of a document, the oldest first, the key of equality last.
 *
 * The oldest version under the key of equality is always a candidate. For the others, a key that few documents have says more
 * than one that many have: the weight of a candidate is the sum, over the keys that it was found under, of {@link UNIQUE}
 * divided by the number of versions under that key. The candidates of the largest weights are chosen, ties the oldest first.
 */
export function choose(underKeys: readonly (readonly number[])[]): number[] {
  const weights = new Map<number, number>();
  for (const [at, numbers] of underKeys.entries()) {
    const weight = Math.floor(UNIQUE / numbers.length);
    for (const number of numbers) weights.set(number, (weights.get(number) ?? 0) + weight);
    if (at === underKeys.length - 1 && numbers.length > 0) weights.set(numbers[0], HEAVIEST);
  }
  const candidates = [...weights];
  if (candidates.length > MAX_CANDIDATES) {
    candidates.sort(([a, weight], [b, other]) => other - weight || a - b);
    candidates.length = MAX_CANDIDATES;
  }
  return candidates.map(([number]) => number).sort((a, b) => a - b);
}
