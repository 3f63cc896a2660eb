// The scheme as the page's controls hold it, and as the package's options.

export const defaultScheme = {
  bits: 64,
  features: 'grams',
  hash: 'fnv1',
  mix: true,
  weights: 'log',
  normalize: 'nfkc-casefold',
};

const features = {
  grams: 'grams',
  words: 'words',
  words2: { words: 2 },
  words3: { words: 3 },
  chars2: 'bigrams',
  chars3: { chars: 3 },
  chars5: { chars: 5 },
};

/** The values of each control. */
export const choices = {
  bits: [32, 64, 128],
  features: Object.keys(features),
  hash: ['fnv1', 'fnv1a'],
  mix: [true, false],
  weights: ['log', 'tf', 'binary'],
  normalize: ['nfkc-casefold', 'none'],
};

/** Fingerprints of 128 bits always use the finaliser. */
export const usesFinaliser = (scheme) => scheme.mix || scheme.bits === 128;

export const optionsOf = (scheme) => ({ ...scheme, features: features[scheme.features], mix: usesFinaliser(scheme) });

export const sameScheme = (a, b) => Object.keys(defaultScheme).every((name) => a[name] === b[name]);

/** Returns the scheme with known keys only, or null if a value is invalid. */
export function checkScheme(scheme) {
  const names = Object.keys(choices);
  if (!names.every((name) => choices[name].includes(scheme?.[name]))) return null;
  return Object.fromEntries(names.map((name) => [name, scheme[name]]));
}
