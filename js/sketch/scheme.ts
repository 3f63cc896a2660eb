// Returns the scheme id of options. The module receives ids only (src/sketch/scheme.rs parses them).
import { ArgumentError } from '../common/argument-error.js';
import { checkOptions } from '../common/check.js';
import type { KeyOptions } from '../common/key.js';
import { partOfShingles, SHINGLES, type Shingles } from '../common/shingles.js';

/** The scheme of sketches. Sketches are comparable only if their schemes are equal. */
export interface SketchOptions extends KeyOptions {
  /**
   * The features to compare. Default: word pairs; for numbers and scripts written without spaces, word pairs and triples.
   * `{ words: n }` and `{ chars: n }`: shingles of `n` words or characters, 1 to 64.
   */
  features?: Shingles | undefined;
  /** The id of a scheme, such as `'s1:chars5'`, in place of `features`: as {@link Sketch.scheme} states it. */
  scheme?: string | undefined;
}

/** The names of the properties of {@link SketchOptions}. @internal */
export const sketchOptions: readonly (keyof SketchOptions)[] = ['features', 'scheme', 'key'];

/** Returns the id of the scheme that the options describe. The module adds the check value of a key. @internal */
export function sketchSchemeId(options?: SketchOptions): string {
  const { features, scheme } = checkOptions(options, sketchOptions);
  if (scheme === undefined) return features === undefined ? 's1' : `s1${partOfShingles(features, SHINGLES)}`;
  if (typeof scheme !== 'string') throw new ArgumentError('scheme', "an id such as 's1'", scheme);
  if (features !== undefined) throw new ArgumentError('scheme', 'absent together with features', scheme);
  return scheme;
}
