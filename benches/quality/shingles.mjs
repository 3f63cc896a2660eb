// The sets by which the resemblance of two texts is defined, independent of nearprint. A folded text (fold.mjs) is
// divided into tokens: runs of letters, digits and marks, and single characters of scripts written without spaces. Its set
// has the runs of 3 tokens, or of 5 if most tokens are such characters; a text with fewer tokens has one run. Texts of
// different kinds are compared by both kinds of sets, and the larger resemblance counts.
import { dense, fold } from './fold.mjs';

const WORDS = 3;
const CHARACTERS = 5;

const token = new RegExp(`(?=[\\p{L}\\p{N}\\p{M}])${dense}|(?:(?!${dense})[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const isDense = new RegExp(`^${dense}`, 'u');

export const tokensOf = (text) => fold(text).match(token) ?? [];

/** Returns the kind of a text: the length of its runs. */
export const kindOf = (tokens) =>
  2 * tokens.filter((each) => isDense.test(each)).length > tokens.length ? CHARACTERS : WORDS;

/**
 * Assigns numbers to pairs of whole numbers below 2^28 and 2^24; equal pairs get equal numbers. It replaces a Map, which has at
 * most 2^24 entries.
 */
class Numbering {
  #keys = new Float64Array(2 ** 16).fill(-1);
  #values = new Int32Array(2 ** 16);
  size = 0;

  #slot(key) {
    const mask = this.#keys.length - 1;
    const hash = Math.imul((key / 2 ** 24) | 0, 0x9e3779b1) ^ Math.imul(key | 0, 0x85ebca6b);
    let at = (hash ^ (hash >>> 15)) & mask;
    while (this.#keys[at] !== -1 && this.#keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow() {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(2 * keys.length).fill(-1);
    this.#values = new Int32Array(2 * keys.length);
    for (const [at, key] of keys.entries()) {
      if (key === -1) continue;
      const slot = this.#slot(key);
      [this.#keys[slot], this.#values[slot]] = [key, values[at]];
    }
  }

  of(high, low) {
    const key = high * 2 ** 24 + low;
    let at = this.#slot(key);
    if (this.#keys[at] === key) return this.#values[at];
    if (2 * this.size >= this.#keys.length) {
      this.#grow();
      at = this.#slot(key);
    }
    [this.#keys[at], this.#values[at]] = [key, this.size];
    return this.size++;
  }
}

/** Numbers the shingles of all sets again, rare ones first, and sorts the sets. */
function sortByRarity(sets, size) {
  const counts = new Uint32Array(size);
  for (const set of sets) for (const shingle of set) counts[shingle]++;
  const next = new Uint32Array(sets.length + 2);
  for (const count of counts) next[count + 1]++;
  for (let count = 1; count < next.length; count++) next[count] += next[count - 1];
  const ranks = counts.map((count) => next[count]++);
  for (const set of sets) set.set(set.map((shingle) => ranks[shingle]).sort());
}

/**
 * Returns `{ kinds, sets }`: the kind of each text, and for each kind that occurs the sets of all texts, as ascending numbers
 * of shingles. Equal shingles have equal numbers; rare ones have small numbers.
 */
export function shingleSets(texts) {
  const words = new Map();
  const tokens = texts.map((text) => {
    const own = tokensOf(text);
    const numbers = own.map((word) => words.get(word) ?? words.set(word, words.size).size - 1);
    return { numbers, kind: kindOf(own) };
  });
  const kinds = tokens.map(({ kind }) => kind);
  const sets = new Map();
  for (const width of new Set(kinds)) {
    const numbering = new Numbering();
    // A run is numbered as the pair of the run before its last token, and this token. 0 is the empty run.
    const run = (numbers, from, to) => {
      let number = 0;
      for (let at = from; at < to; at++) number = 1 + numbering.of(number, numbers[at]);
      return number;
    };
    const ofKind = tokens.map(({ numbers }) => {
      const shingles = new Set();
      for (let at = 0; at === 0 || at + width <= numbers.length; at++) {
        shingles.add(run(numbers, at, Math.min(at + width, numbers.length)));
      }
      return Uint32Array.from(shingles);
    });
    sortByRarity(ofKind, numbering.size + 1);
    sets.set(width, ofKind);
  }
  return { kinds, sets };
}
