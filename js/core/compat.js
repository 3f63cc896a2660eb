// Fingerprints of other programs. This file checks the types of arguments; src/compat does the rest.

import { instance } from '../boot/instance.js';
import { ArgumentError } from './argument-error.js';
import { checkOptions, isBytes } from './check.js';

export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './encoding.js';
export { cosine, distance, similarity } from './hamming.js';

const scheme = (name, input, bits, defaultBits, reproduces) =>
  Object.freeze({ name, input, bits: Object.freeze(bits), defaultBits, reproduces });

export const schemes = Object.freeze([
  scheme('zxub', 'pairs', [64], 64, "zxub's Java SimHash over IKAnalyzer words"),
  scheme('simhash-java', 'text', [64], 64, 'sing1ee/simhash-java with BinaryWordSeg'),
  scheme(
    'simhash-java-2018',
    'text',
    [64],
    64,
    'simhash-java in the version of an article of 2018: a bit is 1 only if its sum exceeds 1',
  ),
  scheme('jieba', 'pairs', [64], 64, 'yanyiwu/simhash over cppjieba keywords, and jiebaR'),
  scheme('keywords-py', 'pairs', [64], 64, 'the Python SimHash over jieba.analyse keywords'),
  scheme('charikar-py', 'text', [32, 64, 128], 128, 'the Python Charikar simhash over words separated by white space'),
  scheme('1e0ng', 'text', [64, 128], 64, 'simhash of PyPI (1e0ng/simhash)'),
]);

const byName = new Map(schemes.map((scheme) => [scheme.name, scheme]));

/** Joins items as `a, b or c`. */
const either = (items) => items.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The numbers of pairs: a Java int, or a float. */
const counts = {
  pair: '[word, count]',
  takes: 'a whole number from 0 to 2147483647',
  has: (value) => Number.isInteger(value) && value >= 0 && value <= 0x7fffffff,
};
const weights = { pair: '[keyword, weight]', takes: 'a finite number', has: Number.isFinite };

/** Completes what an argument takes with the scheme that requires it. */
const under = ({ name }, takes) => `${takes} with the scheme '${name}'`;

/** Returns `{ bits, one }`: the width, and the function from an input to its fingerprint. */
function resolve(options) {
  const { scheme: name, bits: wanted } = checkOptions(options, ['scheme', 'bits']);
  const scheme = byName.get(name);
  if (scheme === undefined) {
    const names = either(schemes.map(({ name }) => `'${name}'`));
    throw new ArgumentError('scheme', names, name);
  }
  const bits = wanted === undefined ? scheme.defaultBits : wanted;
  if (!scheme.bits.includes(bits)) {
    const widths = under(scheme, either(scheme.bits));
    throw new ArgumentError('bits', widths, bits);
  }
  const fingerprintOf = scheme.input === 'text' ? ofText : ofPairs;
  return { bits, one: (input, argument) => fingerprintOf(scheme, bits, input, argument) };
}

// Every host decodes alike (WHATWG Encoding). A byte order mark is a character to every scheme.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-16 code units, since UTF-8 cannot represent the lone surrogates that a scheme may depend on. */
function unitsOf(text) {
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
  return units;
}

function ofText(scheme, bits, input, argument) {
  if (typeof input !== 'string' && !isBytes(input)) {
    throw new ArgumentError(argument, under(scheme, 'a string or a Uint8Array of UTF-8'), input);
  }
  const text = typeof input === 'string' ? input : decoder.decode(input);
  return instance().bindings.fingerprintText(scheme.name, bits, unitsOf(text));
}

function ofPairs(scheme, bits, input, argument) {
  const numbers = scheme.name === 'zxub' ? counts : weights;
  if (!isListLike(input)) throw new ArgumentError(argument, under(scheme, `${numbers.pair} pairs`), input);
  const words = [];
  const values = [];
  const ends = [];
  let end = 0;
  for (const pair of input) {
    const at = `${argument}[${words.length}]`;
    if (!Array.isArray(pair)) throw new ArgumentError(at, under(scheme, numbers.pair), pair);
    const [word, value] = pair;
    if (typeof word !== 'string') throw new ArgumentError(`${at}[0]`, under(scheme, 'a string'), word);
    if (!numbers.has(value)) {
      throw new ArgumentError(`${at}[1]`, under(scheme, numbers.takes), value);
    }
    words.push(word);
    values.push(value);
    end += word.length;
    ends.push(end);
  }
  return instance().bindings.fingerprintPairs(
    scheme.name,
    bits,
    unitsOf(words.join('')),
    Uint32Array.from(ends),
    Float64Array.from(values),
  );
}

/** Whether a value is an iterable and no text: a text is one input, never a list of inputs. */
const isListLike = (value) =>
  typeof value === 'object' && !isBytes(value) && typeof value?.[Symbol.iterator] === 'function';

export const fingerprint = (input, options) => resolve(options).one(input, 'input');

export function fingerprintAll(inputs, options) {
  const { bits, one } = resolve(options);
  if (!isListLike(inputs)) throw new ArgumentError('inputs', 'an iterable of inputs', inputs);
  const parts = [];
  let count = 0;
  for (const input of inputs) {
    const fingerprint = one(input, `inputs[${count++}]`);
    parts.push(BigInt.asUintN(64, fingerprint));
    if (bits === 128) parts.push(fingerprint >> 64n);
  }
  return bits === 32 ? Uint32Array.from(parts, Number) : BigUint64Array.from(parts);
}
