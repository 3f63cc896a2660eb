// Fingerprints of other programs. This file checks the types of arguments; src/compat does the rest.
import { compat } from '../boot/compat.js';
import { ArgumentError } from '../common/argument-error.js';
import { checkAttached, checkOptions, isBytes } from '../common/check.js';
import { describeNoText } from '../common/text-advice.js';
import { alternatives } from '../common/types.js';
import { decoder } from '../common/utf8.js';
import { packFingerprints, toTypedArray } from '../simhash/encoding.js';

export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from '../simhash/encoding.js';
export { distance, similarity } from '../simhash/hamming.js';

/** A text: a string, or bytes of UTF-8. Invalid UTF-8 counts as U+FFFD. */
export type Text = string | Uint8Array;

/** The words or keywords of a document, in order, each with its count or weight. A `Map` is such an iterable. */
export type Pairs = Iterable<readonly [word: string, weight: number]>;

/** The schemes whose input is a text. */
export type TextScheme = 'simhash-java' | 'simhash-java-2018' | 'charikar-py' | '1e0ng';

/** The schemes whose input is pairs, because a segmenter provides the words: see {@link schemes}. */
export type PairScheme = 'zxub' | 'jieba' | 'keywords-py';

/** The name of a program whose fingerprints are reproduced. */
export type SchemeName = TextScheme | PairScheme;

/** The widths of a scheme in bits. */
export type Widths<S extends SchemeName> = S extends 'charikar-py' ? 32 | 64 | 128 : S extends '1e0ng' ? 64 | 128 : 64;

/** The program and the width of a fingerprint. */
export interface Options<S extends SchemeName, Bits extends Widths<S> = Widths<S>> {
  /** The program. */
  readonly scheme: S;
  /** The width in bits. Default: the default of the program, 128 for `charikar-py` and 64 for the others. */
  readonly bits?: Bits | undefined;
}

/** The properties of a scheme. */
export interface Scheme {
  /** The value for the option `scheme`. */
  readonly name: SchemeName;
  /** Whether it takes a text or pairs. */
  readonly input: 'text' | 'pairs';
  /** Its widths in bits, the smallest first. */
  readonly bits: readonly (32 | 64 | 128)[];
  /** The width without the option `bits`. */
  readonly defaultBits: 64 | 128;
  /** The program whose fingerprints it reproduces. */
  readonly reproduces: string;
}

/**
 * All schemes.
 *
 * @example
 * ```js
 * schemes.map(({ name }) => name);
 * // ['zxub', 'simhash-java', 'simhash-java-2018', 'jieba', 'keywords-py', 'charikar-py', '1e0ng']
 * ```
 */
export const schemes: readonly Scheme[] = (
  [
    ['zxub', 'pairs', [64], 64, "zxub's Java SimHash over IKAnalyzer words"],
    ['simhash-java', 'text', [64], 64, 'sing1ee/simhash-java with BinaryWordSeg'],
    ['simhash-java-2018', 'text', [64], 64, 'simhash-java in 2018: a bit is 1 only if its sum exceeds 1'],
    ['jieba', 'pairs', [64], 64, 'yanyiwu/simhash over cppjieba keywords, and jiebaR'],
    ['keywords-py', 'pairs', [64], 64, 'the Python SimHash over jieba.analyse keywords'],
    ['charikar-py', 'text', [32, 64, 128], 128, 'the Python Charikar simhash over words separated by white space'],
    ['1e0ng', 'text', [64, 128], 64, 'simhash of PyPI (1e0ng/simhash)'],
  ] as const
).map(([name, input, bits, defaultBits, reproduces]) => ({ name, input, bits, defaultBits, reproduces }));

/** Returns the error for an argument that a scheme does not accept. */
const refusal = (
  { name }: Scheme,
  argument: string,
  requirement: string,
  value: unknown,
  got?: string,
): ArgumentError => new ArgumentError(argument, `${requirement} with the scheme '${name}'`, value, got);

/** Returns the width, and the function from an input to its fingerprint. `argument` names the input in errors. */
function resolve(options: Options<SchemeName>): {
  bits: 32 | 64 | 128;
  fingerprintOf: (input: unknown, argument: string) => bigint;
} {
  const { scheme: name, bits: wanted } = checkOptions(options, ['scheme', 'bits']);
  const scheme = schemes.find((scheme) => scheme.name === name);
  if (scheme === undefined) {
    throw new ArgumentError('scheme', alternatives(schemes.map(({ name }) => `'${name}'`)), name);
  }
  const bits = wanted === undefined ? scheme.defaultBits : wanted;
  if (!scheme.bits.includes(bits)) throw refusal(scheme, 'bits', alternatives(scheme.bits), bits);
  const compute = scheme.input === 'text' ? ofText : ofPairs;
  return { bits, fingerprintOf: (input, argument) => compute(scheme, bits, input, argument) };
}

/** Returns UTF-16 code units, since UTF-8 cannot represent the lone surrogates that a scheme may depend on. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

function ofText(scheme: Scheme, bits: number, input: unknown, argument: string): bigint {
  if (typeof input !== 'string' && !isBytes(input)) {
    throw refusal(scheme, argument, 'a string or a Uint8Array of UTF-8', input, describeNoText(input));
  }
  const text = typeof input === 'string' ? input : decoder.decode(checkAttached(input, argument));
  return compat.bindings.fingerprintText(scheme.name, bits, unitsOf(text));
}

/** The largest count, as in a Java int. */
const MAX_COUNT = 2 ** 31 - 1;

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;

function ofPairs(scheme: Scheme, bits: number, input: unknown, argument: string): bigint {
  const [kind, requirement, isValid] =
    scheme.name === 'zxub'
      ? ['[word, count]', `a whole number from 0 to ${MAX_COUNT}`, isCount]
      : ['[keyword, weight]', 'a finite number', Number.isFinite];
  if (!isListLike(input)) throw refusal(scheme, argument, `${kind} pairs`, input);
  let text = '';
  const values: number[] = [];
  const ends: number[] = [];
  for (const pair of input) {
    const at = `${argument}[${ends.length}]`;
    if (!Array.isArray(pair)) throw refusal(scheme, at, kind, pair);
    const [word, value] = pair;
    if (typeof word !== 'string') throw refusal(scheme, `${at}[0]`, 'a string', word);
    if (!isValid(value)) throw refusal(scheme, `${at}[1]`, requirement, value);
    text += word;
    values.push(value);
    ends.push(text.length);
  }
  const { bindings } = compat;
  const [units, cells] = [unitsOf(text), Float64Array.from(values)];
  return bindings.fingerprintPairs(scheme.name, bits, units, Uint32Array.from(ends), cells);
}

/** Returns whether a value is an iterable and not a text: a text is one input, never a list of inputs. */
const isListLike = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  !isBytes(value) &&
  typeof (value as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === 'function';

/**
 * Returns the fingerprint that another program computes for a document, as an unsigned bigint. O(length of the input).
 *
 * For `jieba` and `keywords-py` the order of the pairs matters: weights are added in floating point in that order, as
 * in the original programs.
 *
 * @example
 * ```js
 * fingerprint('This is simhash test.', { scheme: '1e0ng' }); // 0x8a87048612660883n
 * fingerprint([['妈妈', 6.55531], ['吃饭', 6.44422]], { scheme: 'jieba' }); // 0x48f024068dec1c16n
 * ```
 * @throws ArgumentError: the scheme takes pairs and the input is a text, or the reverse; a pair is not a string and a
 * number; an option is unknown; the scheme is unknown or has no such width; a count is not a whole number from 0 to
 * 2147483647, or the total is larger (`zxub`); a weight is not finite (`jieba`, `keywords-py`); a keyword has a lone
 * surrogate (`jieba`) or is empty (`keywords-py`)
 */
export function fingerprint<S extends TextScheme>(input: Text, options: Options<S>): bigint;
export function fingerprint<S extends PairScheme>(input: Pairs, options: Options<S>): bigint;
export function fingerprint(input: Text | Pairs, options: Options<SchemeName>): bigint {
  return resolve(options).fingerprintOf(input, 'input');
}

/** The option for fingerprints of 32 bits. */
export interface Narrow {
  /** The width in bits. */
  readonly bits: 32;
}

/**
 * Returns the fingerprints of many documents: for 32 bits a `Uint32Array`, for 64 bits a `BigUint64Array`, and for 128
 * bits a `BigUint64Array` with two elements for each document, the low half first. O(total length).
 *
 * @example
 * ```js
 * fingerprintAll(['one text', 'another'], { scheme: '1e0ng' }).length; // 2
 * fingerprintAll(['one text', 'another'], { scheme: 'charikar-py', bits: 32 }).length; // 2
 * ```
 * @throws ArgumentError: as {@link fingerprint}; the message has the position of the input
 */
export function fingerprintAll<S extends TextScheme>(
  inputs: Iterable<Text>,
  options: Options<S, 32 & Widths<S>> & Narrow,
): Uint32Array;
export function fingerprintAll<S extends TextScheme>(
  inputs: Iterable<Text>,
  options: Options<S, Exclude<Widths<S>, 32>>,
): BigUint64Array;
export function fingerprintAll<S extends PairScheme>(inputs: Iterable<Pairs>, options: Options<S>): BigUint64Array;
export function fingerprintAll(
  inputs: Iterable<Text> | Iterable<Pairs>,
  options: Options<SchemeName>,
): Uint32Array | BigUint64Array {
  const { bits, fingerprintOf } = resolve(options);
  if (!isListLike(inputs)) throw new ArgumentError('inputs', 'an iterable of inputs', inputs);
  const cells = packFingerprints<unknown>(inputs, bits, (input, at) => fingerprintOf(input, `inputs[${at}]`));
  return toTypedArray(cells, bits);
}
