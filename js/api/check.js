// Checks of arguments. An error names the argument, what it takes, and what it got.

const MOST_SHOWN = 40;

const cut = (text) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/** The name of an object's class. Getters and proxies can throw. */
function className(object) {
  try {
    if (Array.isArray(object)) return 'an array';
    const name = object.constructor?.name;
    return `an object (${typeof name === 'string' ? cut(name) : 'null prototype'})`;
  } catch {
    return 'an object';
  }
}

/** A value as messages show it. Short for every value, and never throws. */
function show(value) {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cut(value));
    case 'bigint':
      // To write a million digits takes seconds.
      return BigInt.asIntN(256, value) === value ? `${value}n` : 'a bigint of more than 256 bits';
    case 'object':
      return className(value);
    case 'function':
      return 'a function';
    default:
      return cut(String(value));
  }
}

export const wrongType = (argument, takes, got) =>
  new TypeError(`nearprint: ${argument} takes ${takes}, but got ${show(got)}`);

export const outOfRange = (argument, takes, got) =>
  new RangeError(`nearprint: ${argument} takes ${takes}, but got ${show(got)}`);

const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

/** Whether a value is a typed array of this name. `instanceof` is false for those of another realm. */
export const isTypedArray = (value, name) => tagOf.call(value) === name;

export const isBytes = (value) => isTypedArray(value, 'Uint8Array');

const widths = [32, 64, 128];

/** Returns the width of a fingerprint. */
export function checkBits(bits, argument = 'bits') {
  if (widths.includes(bits)) return bits;
  throw (typeof bits === 'number' ? outOfRange : wrongType)(argument, '32, 64 or 128', bits);
}

/** Returns a whole number from `least` to `most`. */
export function checkWhole(value, argument, most, least = 0) {
  const takes = `a whole number from ${least} to ${most}`;
  if (typeof value !== 'number') throw wrongType(argument, takes, value);
  if (!(Number.isInteger(value) && value >= least && value <= most)) throw outOfRange(argument, takes, value);
  return value;
}

const MOST_HITS = 2 ** 32 - 1;

/** Returns the largest number of hits of a query. */
export const checkLimit = (limit = Infinity) =>
  limit === Infinity ? MOST_HITS : checkWhole(limit, 'limit', MOST_HITS);

/** Returns a fingerprint of at most `bits` bits. */
export function checkFingerprint(value, argument, bits = 128) {
  if (typeof value !== 'bigint') throw wrongType(argument, 'a fingerprint, which is a bigint', value);
  if (value < 0n) {
    throw outOfRange(argument, 'an unsigned fingerprint (fromSigned converts a signed bigint)', value);
  }
  if (BigInt.asUintN(bits, value) !== value) throw outOfRange(argument, `a fingerprint of ${bits} bits`, value);
  return value;
}

/** Returns a string or bytes. */
export function checkText(text, argument = 'text') {
  if (typeof text === 'string' || isBytes(text)) return text;
  throw wrongType(argument, 'a string or a Uint8Array of UTF-8', text);
}

/** Returns an id: a string or a safe integer. */
export function checkId(id, argument = 'id') {
  if (typeof id === 'string' || Number.isSafeInteger(id)) return id;
  throw (typeof id === 'number' ? outOfRange : wrongType)(argument, 'a string or a safe integer', id);
}

const LARGEST_WEIGHT = 2 ** 32;

/** Returns the weight of a feature. */
export function checkWeight(weight, argument) {
  const takes = 'a number from -2^32 to 2^32';
  if (typeof weight !== 'number') throw wrongType(argument, takes, weight);
  if (!(Math.abs(weight) <= LARGEST_WEIGHT)) throw outOfRange(argument, takes, weight);
  return weight;
}

/** Checks for an iterable. A string is none: nobody wants its characters. */
export function checkIterable(value, argument, takes) {
  if (typeof value === 'string' || typeof value?.[Symbol.iterator] !== 'function') {
    throw wrongType(argument, takes, value);
  }
}

/** Checks for an iterable or an async iterable. */
export function checkAnyIterable(value, argument, takes) {
  if (typeof value?.[Symbol.asyncIterator] !== 'function') checkIterable(value, argument, takes);
}

/** Returns the options of a function, which has no others than the known ones. */
export function checkOptions(options, known) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw wrongType('options', known.join(', '), name);
  }
  return options;
}
