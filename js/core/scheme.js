// Returns the scheme id of options. The module takes ids only (src/simhash/scheme.rs reads them).
import { ArgumentError } from './argument-error.js';
import { checkBits, checkOptions } from './check.js';

export const schemeOptions = ['scheme', 'bits', 'normalize', 'features', 'hash', 'mix', 'weights'];

/** The part of the id for one option: '' for its default. */
function choice(options, name, parts) {
  const value = options[name];
  if (value === undefined) return '';
  if (Object.hasOwn(parts, value)) return parts[value];
  const takes = Object.keys(parts).join(', ');
  throw new ArgumentError(name, takes, value);
}

const shingles = 'grams, words, bigrams, { words: n } or { chars: n } with n from 1 to 64';

function features(value) {
  switch (value) {
    case undefined:
    case 'grams':
      return '';
    case 'words':
      return ':words1';
    case 'bigrams':
      return ':chars2';
  }
  if (typeof value === 'string') throw new ArgumentError('features', shingles, value);
  if (typeof value !== 'object' || value === null) throw new ArgumentError('features', shingles, value);
  const [[unit, n], ...more] = Object.entries(value).concat([['', 0]]);
  if (more.length !== 1 || (unit !== 'words' && unit !== 'chars')) throw new ArgumentError('features', shingles, value);
  if (!Number.isInteger(n)) throw new ArgumentError(`features.${unit}`, 'a whole number from 1 to 64', n);
  if (n < 1 || n > 64) throw new ArgumentError(`features.${unit}`, 'a whole number from 1 to 64', n);
  return `:${unit}${n}`;
}

/** The id of the scheme that the options describe. */
export function schemeId(options) {
  checkOptions(options, schemeOptions);
  if (options === undefined) return 'v1:64';
  const { scheme = 'v1', mix = true } = options;
  if (typeof scheme !== 'string') throw new ArgumentError('scheme', "'v1', or an id such as 'v1:64'", scheme);
  if (scheme !== 'v1') {
    const others = schemeOptions.filter((name) => name !== 'scheme' && options[name] !== undefined);
    if (others.length > 0) throw new ArgumentError('scheme', `'v1' together with ${others.join(', ')}`, scheme);
    return scheme;
  }
  if (typeof mix !== 'boolean') throw new ArgumentError('mix', 'true or false', mix);
  const bits = checkBits(options.bits ?? 64);
  if (bits === 128 && !mix) throw new ArgumentError('mix', 'true if bits is 128', mix);
  return [
    `v1:${bits}`,
    choice(options, 'normalize', { 'nfkc-casefold': '', none: ':verbatim' }),
    features(options.features),
    choice(options, 'hash', { fnv1: '', fnv1a: ':fnv1a' }),
    mix ? '' : ':raw',
    choice(options, 'weights', { log: '', tf: ':tf', binary: ':binary' }),
  ].join('');
}
