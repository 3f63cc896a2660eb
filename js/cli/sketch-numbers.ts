// The numbers of a sketch for SQL: what its binary form packs (src/sketch/sketch.rs, odd_sketch.rs), in columns of a table.
import type { Sketch } from '../index.js';

/** An odd sketch has two halves of four words. The high bits of the last word of a half have its count, and in the second half the level. */
const [HALF_WORDS, WORDS] = [4, 8];
const [LAST_BITS, COUNT_AT, LEVEL_AT, COUNT] = [48, 48n, 57n, 0x1ffn];

/** The number of bits of a half, and the low bits of a value that choose one of them. */
const [HALF_BITS, PLACE_BITS] = [240, 11];

/** The sizes of a value in bits: of the part in which a feature toggles one bit, and of the whole value. */
const [TOGGLE_BITS, VALUE_BITS] = [1 + PLACE_BITS, 20];

/** The maximum number of features of a sketch that has values instead of toggled bits. */
const MAX_EXACT = (2 * HALF_BITS) / TOGGLE_BITS;

/** The numbers of a sketch. Those of 64 bits are bigints. */
export interface SketchNumbers {
  /** The two hashes of the words and symbols. */
  readonly first: bigint;
  readonly second: bigint;
  readonly keys: Iterable<bigint>;
  readonly level: bigint;
  /** The number of features of each half; empty for a short text. */
  readonly counts: readonly number[];
  /** The toggled bits without counts and level; empty for a short text. */
  readonly odd: readonly bigint[];
  /** The values of a sketch that has them instead of toggled bits, with zeros in place of the bits that it lacks of 20. */
  readonly exact: readonly number[];
}

/** Returns the last words of the halves. */
const lastWords = (odd: readonly bigint[]): bigint[] => [odd[HALF_WORDS - 1], odd[WORDS - 1]];

/** Returns the values of a sketch, the largest first. Its words without counts and level have them in a row from the lowest bit on. */
function valuesIn(words: readonly bigint[], size: number): number[] {
  const digits = words.map((word, at) =>
    word.toString(2).padStart(at % HALF_WORDS === HALF_WORDS - 1 ? LAST_BITS : 64, '0'),
  );
  const row = digits.reverse().join('');
  const width = Math.min(VALUE_BITS, Math.floor(row.length / size));
  return Array.from({ length: size }, (_, at) => {
    const end = row.length - at * width;
    return Number.parseInt(row.slice(end - width, end), 2) << (VALUE_BITS - width);
  });
}

/** Toggles the bit of a value. */
function toggle(odd: bigint[], value: number): void {
  const place = (value >> (VALUE_BITS - TOGGLE_BITS)) & (2 ** PLACE_BITS - 1);
  const bit = (place * HALF_BITS) >> PLACE_BITS;
  odd[(value >> (VALUE_BITS - 1)) * HALF_WORDS + (bit >> 6)] ^= 1n << BigInt(bit & 63);
}

export function numbersOf(sketch: Sketch): SketchNumbers {
  const { buffer, byteOffset, byteLength, 0: idLength } = sketch.toBytes();
  const view = new DataView(buffer, byteOffset + idLength + 2, byteLength - idLength - 2);
  const numberAt = (at: number) => view.getBigUint64(8 * at, true);
  const head = { first: numberAt(0), second: numberAt(1), keys: sketch.keys };
  if (sketch.isShort) return { ...head, level: 0n, counts: [], odd: [], exact: [] };
  const words = Array.from({ length: WORDS }, (_, at) => numberAt(2 + at));
  const level = words[WORDS - 1] >> LEVEL_AT;
  const counts = lastWords(words).map((word) => Number((word >> COUNT_AT) & COUNT));
  const size = counts[0] + counts[1];
  const odd = words.map((word, at) => (at % HALF_WORDS === HALF_WORDS - 1 ? BigInt.asUintN(LAST_BITS, word) : word));
  if (level > 0n || size > MAX_EXACT) return { ...head, level, counts, odd, exact: [] };
  const exact = valuesIn(odd, size);
  odd.fill(0n);
  for (const value of exact) toggle(odd, value);
  return { ...head, level, counts, odd, exact };
}
