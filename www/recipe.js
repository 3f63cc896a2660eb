// How a fingerprint is made: what the page's controls hold, and the package's options that they stand for.

export const defaultRecipe = {
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

/** The choices of each control. */
export const choices = {
  bits: [32, 64, 128],
  features: Object.keys(features),
  hash: ['fnv1', 'fnv1a'],
  mix: [true, false],
  weights: ['log', 'tf', 'binary'],
  normalize: ['nfkc-casefold', 'none'],
};

/** Both halves of 128 bits come out of the finaliser: there is no such fingerprint without it. */
export const mixes = (recipe) => recipe.mix || recipe.bits === 128;

export const optionsOf = (recipe) => ({ ...recipe, features: features[recipe.features], mix: mixes(recipe) });

export const sameRecipe = (a, b) => Object.keys(defaultRecipe).every((name) => a[name] === b[name]);

/** 8 of 64. */
export const defaultThreshold = (bits) => bits / 8;

/** The widest search that NearIndex makes: 16 of 64. */
export const largestThreshold = (bits) => bits / 4;

/** The recipe and the threshold of an untrusted value, or null. */
export function checkRecipe(recipe, threshold) {
  const known = Object.entries(choices).every(([name, values]) => values.includes(recipe?.[name]));
  if (!known || !Number.isInteger(threshold) || threshold < 0 || threshold > largestThreshold(recipe.bits)) return null;
  const names = Object.keys(choices);
  return { recipe: Object.fromEntries(names.map((name) => [name, recipe[name]])), threshold };
}
