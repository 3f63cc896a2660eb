// The scheme as the page's controls hold it, and as the package's options.
import type { SketchOptions } from 'nearprint';
import type { SchemeOptions } from 'nearprint/simhash';
import { sketchSchemeId } from '../../js/sketch/scheme.js';

/** The choices of features. */
export type FeaturesChoice = 'grams' | 'words' | 'words2' | 'words3' | 'chars2' | 'chars3' | 'chars5';

/** The package's option for each choice. */
const features: Record<FeaturesChoice, Required<SchemeOptions>['features']> = {
  grams: 'grams',
  words: 'words',
  words2: { words: 2 },
  words3: { words: 3 },
  chars2: 'bigrams',
  chars3: { chars: 3 },
  chars5: { chars: 5 },
};

/** The value of each control. Share links hold it. */
export interface Scheme extends Required<Omit<SchemeOptions, 'scheme' | 'key' | 'features'>> {
  features: FeaturesChoice;
}

export const defaultScheme: Readonly<Scheme> = {
  bits: 64,
  features: 'grams',
  hash: 'fnv1',
  mix: true,
  weights: 'log',
  normalize: 'nfkc-casefold',
};

/** FNV-1 without the finaliser, on character bigrams: the last byte of a bigram reaches only the low bits. */
export const rawScheme: Readonly<Scheme> = { ...defaultScheme, features: 'chars2', mix: false };

/** The values that each control offers. */
export const choices: { readonly [Name in keyof Scheme]: readonly Scheme[Name][] } = {
  bits: [32, 64, 128],
  features: Object.keys(features) as FeaturesChoice[],
  hash: ['fnv1', 'fnv1a'],
  mix: [true, false],
  weights: ['log', 'tf', 'binary'],
  normalize: ['nfkc-casefold', 'none'],
};

export const schemeNames = Object.keys(choices) as readonly (keyof Scheme)[];

/** Returns whether a scheme uses the finaliser. Fingerprints of 128 bits always do. */
export const usesFinaliser = (scheme: Scheme): boolean => scheme.mix || scheme.bits === 128;

export const optionsOf = (scheme: Scheme): SchemeOptions => ({
  ...scheme,
  features: features[scheme.features],
  mix: usesFinaliser(scheme),
});

/** Returns the options of sketches that have the same features. The other choices concern fingerprints only. */
export function sketchOptionsOf({ features }: SchemeOptions): SketchOptions {
  if (features === 'grams') return {};
  if (features === 'words') return { features: { words: 1 } };
  return features === 'bigrams' ? { features: { chars: 2 } } : { features };
}

/** Returns the id of the scheme of sketches. */
export const sketchIdOf = (scheme: Scheme): string => sketchSchemeId(sketchOptionsOf(optionsOf(scheme)));

export const sameScheme = (a: Scheme, b: Scheme): boolean => schemeNames.every((name) => a[name] === b[name]);

function isScheme(value: unknown): value is Scheme {
  if (typeof value !== 'object' || value === null) return false;
  const given: Partial<Record<string, unknown>> = { ...value };
  return schemeNames.every((name) => (choices[name] as readonly unknown[]).includes(given[name]));
}

/** Returns the scheme with known keys only, or null if a value is invalid. */
export function checkScheme(value: unknown): Scheme | null {
  if (!isScheme(value)) return null;
  const { bits, features, hash, mix, weights, normalize } = value;
  return { bits, features, hash, mix, weights, normalize };
}
