// Returns the scheme id of options. The module receives ids only (src/simhash/scheme.rs parses them).
import { ArgumentError } from '../common/argument-error.js';
import { checkBits, checkBoolean, checkOptions } from '../common/check.js';
import type { KeyOptions } from '../common/key.js';
import { partOfShingles, SHINGLES, type Shingles } from '../common/shingles.js';
import { alternatives, type Bits } from '../common/types.js';

/** The scheme of a fingerprint: the choices that determine it. Fingerprints are comparable only if their schemes are equal. */
export interface SchemeOptions extends KeyOptions {
  /** `'v1'` (default), or the id of a scheme such as `'v1:128'`, which replaces all other options. */
  scheme?: string | undefined;
  /** The width in bits. Default: 64. */
  bits?: Bits | undefined;
  /**
   * `'nfkc-casefold'` (default): the text is normalised to Unicode NFKC_Casefold, so that case, width, compatibility
   * characters and invisible characters make no difference. `'none'`: the text is used unchanged.
   */
  normalize?: 'nfkc-casefold' | 'none' | undefined;
  /**
   * `'grams'` (default): words and word pairs; for numbers and scripts written without spaces, word pairs and triples.
   * `{ words: n }` and `{ chars: n }`: shingles of `n` words or characters, 1 to 64. `'words'` is `{ words: 1 }`, and
   * `'bigrams'` is `{ chars: 2 }`.
   */
  features?: 'grams' | 'words' | 'bigrams' | Shingles | undefined;
  /** The hash function of features. Default: `'fnv1'`. */
  hash?: 'fnv1' | 'fnv1a' | undefined;
  /**
   * Whether a finaliser spreads each hash over all its bits. Default: true. Without it, unrelated texts have small
   * distances, and a width of 128 is refused.
   */
  mix?: boolean | undefined;
  /**
   * The weight of a feature that occurs `tf` times: `1 + floor(log2 tf)` (`'log'`, default), `tf`, or 1 (`'binary'`).
   */
  weights?: 'log' | 'tf' | 'binary' | undefined;
}

/** The names of the properties of {@link SchemeOptions}. @internal */
const schemeOptions: readonly (keyof SchemeOptions)[] = [
  'scheme',
  'bits',
  'normalize',
  'features',
  'hash',
  'mix',
  'weights',
  'key',
];

/** Returns the part of the id for the value of an option. `parts` has the part of each value; the default has ''. */
function partOf<Value extends string>(
  value: Value | undefined,
  argument: keyof SchemeOptions,
  parts: Readonly<Record<Value, string>>,
): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && Object.hasOwn(parts, value)) return parts[value];
  throw new ArgumentError(argument, alternatives(Object.keys(parts).map((name) => `'${name}'`)), value);
}

function partOfFeatures(value: SchemeOptions['features']): string {
  if (value === undefined || value === 'grams') return '';
  if (value === 'words') return ':words1';
  if (value === 'bigrams') return ':chars2';
  return partOfShingles(value, `'grams', 'words', 'bigrams', ${SHINGLES}`);
}

/** Returns the id of the scheme that the options describe. The module adds the check value of a key. @internal */
export function schemeId(options?: SchemeOptions): string {
  checkOptions(options, schemeOptions);
  if (options === undefined) return 'v1:64';
  const { scheme = 'v1', bits = 64, mix = true } = options;
  if (typeof scheme !== 'string') throw new ArgumentError('scheme', "'v1', or an id such as 'v1:64'", scheme);
  if (scheme !== 'v1') {
    const others = schemeOptions.filter((name) => name !== 'scheme' && name !== 'key' && options[name] !== undefined);
    if (others.length > 0) throw new ArgumentError('scheme', `'v1' together with ${others.join(', ')}`, scheme);
    return scheme;
  }
  checkBoolean(mix, 'mix');
  if (options.key !== undefined && options.hash !== undefined)
    throw new ArgumentError('hash', 'absent together with key', options.hash);
  checkBits(bits);
  if (bits === 128 && !mix) throw new ArgumentError('mix', 'true if bits is 128', mix);
  return [
    `v1:${bits}`,
    partOf(options.normalize, 'normalize', { 'nfkc-casefold': '', none: ':verbatim' }),
    partOfFeatures(options.features),
    partOf(options.hash, 'hash', { fnv1: '', fnv1a: ':fnv1a' }),
    mix ? '' : ':raw',
    partOf(options.weights, 'weights', { log: '', tf: ':tf', binary: ':binary' }),
  ].join('');
}
