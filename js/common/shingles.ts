// The option `features` of shingles, which fingerprints and sketches have.
import { ArgumentError } from './argument-error.js';
import { checkWhole } from './check.js';

/** Shingles of `n` words, or of `n` characters, 1 to 64. */
export type Shingles = WordShingles | CharShingles;

/** Shingles of words. */
export interface WordShingles {
  /** The number of words in a shingle, 1 to 64. */
  words: number;
}

/** Shingles of characters. */
export interface CharShingles {
  /** The number of characters in a shingle, 1 to 64. */
  chars: number;
}

const MAX_SHINGLE = 64;

/** How a requirement names shingles. @internal */
export const SHINGLES: string = `{ words: n } or { chars: n } with n from 1 to ${MAX_SHINGLE}`;

/** Returns the part of a scheme's id for shingles, such as `:words3`. @internal */
export function partOfShingles(value: unknown, requirement: string): string {
  const entries: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [unit, size] = entries.length === 1 ? entries[0] : ['', 0];
  if (unit !== 'words' && unit !== 'chars') throw new ArgumentError('features', requirement, value);
  return `:${unit}${checkWhole(size, `features.${unit}`, MAX_SHINGLE, 1)}`;
}
