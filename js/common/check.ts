// Checks of arguments. Each returns the argument or throws an ArgumentError.
import { ArgumentError, describe } from './argument-error.js';
import { adviceOnOption } from './option-owners.js';
import { describeNoBytes, describeNoText } from './text-advice.js';
import type { Bits, Id, Text } from './types.js';

/** Returns whether a value is a typed array of this name. `instanceof` is false for arrays of another realm. */
export const isTypedArray = <Name extends 'Uint8Array' | 'Uint32Array' | 'BigUint64Array'>(
  value: unknown,
  name: Name,
): value is InstanceType<(typeof globalThis)[Name]> =>
  ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === (name as string);

export const isBytes = (value: unknown): value is Uint8Array => isTypedArray(value, 'Uint8Array');

/** The length of a typed array, whatever its property `length` is. */
const lengthOf = /* @__PURE__ */ Object.getOwnPropertyDescriptor(
  /* @__PURE__ */ Object.getPrototypeOf(Uint8Array.prototype),
  'length',
)?.get as (this: Uint8Array | BigUint64Array) => number;

/**
 * Throws for an array whose buffer is detached (transferred to a thread) or has become too small: it would count as empty. Returns a
 * copy of an array whose property `length` is not its length, since code of the module would read the memory of others.
 */
export function checkAttached<A extends Uint8Array | BigUint64Array>(array: A, argument: string): A {
  const length = lengthOf.call(array);
  if (length !== array.length) return (isBytes(array) ? new Uint8Array(array) : new BigUint64Array(array)) as A;
  if (length > 0) return array;
  try {
    // Only such an array has no iterator. Node 20 has no property `detached`.
    array.keys();
  } catch {
    throw new ArgumentError(argument, `a ${array[Symbol.toStringTag]} that is not detached`, array);
  }
  return array;
}

export function checkBytes(bytes: unknown, argument = 'bytes', requirement = 'a Uint8Array'): Uint8Array {
  if (isBytes(bytes)) return checkAttached(bytes, argument);
  throw new ArgumentError(argument, requirement, bytes, describeNoBytes(bytes));
}

export function checkBoolean(value: unknown, argument: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ArgumentError(argument, 'true or false', value);
}

export function checkBits(bits: unknown, argument = 'bits'): Bits {
  if (bits === 32 || bits === 64 || bits === 128) return bits;
  throw new ArgumentError(argument, '32, 64 or 128', bits);
}

export function checkWhole(value: unknown, argument: string, most: number, least = 0): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ArgumentError(argument, `a whole number from ${least} to ${most}`, value);
}

export function checkNumber(value: unknown, argument: string, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new ArgumentError(argument, `a number from ${least} to ${most}`, value);
}

const MAX_HITS = 2 ** 32 - 1;

/** Checks the largest number of hits of a query, which may be `Infinity`. */
export const checkLimit = (limit: unknown = Infinity): number =>
  limit === Infinity ? MAX_HITS : checkWhole(limit, 'limit', MAX_HITS);

/** Checks for a fingerprint of at most `bits` bits. */
export function checkFingerprint(value: unknown, argument: string, bits: Bits = 128): bigint {
  if (typeof value !== 'bigint') throw new ArgumentError(argument, 'a fingerprint, which is a bigint', value);
  if (value < 0n) {
    throw new ArgumentError(argument, 'an unsigned fingerprint (fromSigned converts a signed bigint)', value);
  }
  if (BigInt.asUintN(bits, value) !== value) throw new ArgumentError(argument, `a fingerprint of ${bits} bits`, value);
  return value;
}

export function checkText(text: unknown, argument = 'text'): Text {
  if (typeof text === 'string') return text;
  if (isBytes(text)) return checkAttached(text, argument);
  throw new ArgumentError(argument, 'a string or a Uint8Array of UTF-8', text, describeNoText(text));
}

export const isId = (id: unknown): id is Id => typeof id === 'string' || Number.isSafeInteger(id);

export function checkId<I extends Id>(id: I, argument = 'id'): I {
  if (isId(id)) return id;
  throw new ArgumentError(argument, 'a string or a safe integer', id);
}

const MAX_WEIGHT = 2 ** 32;

/** Checks the weight of a feature. */
export function checkWeight(weight: unknown, argument: string): number {
  if (typeof weight === 'number' && Math.abs(weight) <= MAX_WEIGHT) return weight;
  throw new ArgumentError(argument, 'a number from -2^32 to 2^32', weight);
}

/** Checks for an iterable. Strings are rejected: iterating their characters is never intended. */
export function checkIterable(value: unknown, argument: string, requirement: string): void {
  const { [Symbol.iterator]: iterator } = (value ?? {}) as Partial<Iterable<unknown>>;
  if (typeof value === 'string' || typeof iterator !== 'function')
    throw new ArgumentError(argument, requirement, value);
}

export function checkAnyIterable(value: unknown, argument: string, requirement: string): void {
  const { [Symbol.asyncIterator]: iterator } = (value ?? {}) as Partial<AsyncIterable<unknown>>;
  if (typeof iterator !== 'function') checkIterable(value, argument, requirement);
}

export function checkFunction(value: unknown, argument: string): void {
  if (typeof value !== 'function') throw new ArgumentError(argument, 'a function', value);
}

/** Returns the options of a function, by default `{}`. Every property must be one of `known`. */
export function checkOptions<O extends object>(
  options: O | undefined,
  known: readonly (keyof O & string)[],
): Partial<O> {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw new ArgumentError('options', 'an object', options);
  const names = Object.keys(options);
  // A Promise or a Map would count as no options.
  if (names.length === 0 && Object.prototype.toString.call(options) !== '[object Object]')
    throw new ArgumentError('options', 'a plain object', options);
  for (const name of names) {
    if (!(known as readonly string[]).includes(name)) {
      throw new ArgumentError(
        'option',
        `one of ${known.join(', ')}`,
        name,
        describe(name) + adviceOnOption(name, known),
      );
    }
  }
  return options;
}

/** Checks a linkage, and returns whether it is `'star'`, the default. */
export function checkStar(linkage: unknown): boolean {
  if (linkage === undefined || linkage === 'star') return true;
  if (linkage === 'single') return false;
  throw new ArgumentError('linkage', "'star' or 'single'", linkage);
}

/** Checks a search distance, at most a quarter of the width. Default: an eighth, 8 of 64 bits. */
export const checkMaxDistance = (bits: Bits, maxDistance: unknown = bits / 8): number =>
  checkWhole(maxDistance, 'maxDistance', bits / 4);
