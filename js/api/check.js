// Errors that name the argument, what it takes and what it got.

/** What a value looks like in a message: short, and never throwing. */
function show(value) {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'null prototype'})`;
    case 'function':
      return 'a function';
    default:
      return String(value);
  }
}

export const wrongType = (argument, takes, got) =>
  new TypeError(`nearprint: ${argument} takes ${takes}, but got ${show(got)}`);

export const outOfRange = (argument, takes, got) =>
  new RangeError(`nearprint: ${argument} takes ${takes}, but got ${show(got)}`);

const widths = [32, 64, 128];

/** The width of a fingerprint. */
export function checkBits(bits, argument = 'bits') {
  if (widths.includes(bits)) return bits;
  throw (typeof bits === 'number' ? outOfRange : wrongType)(argument, '32, 64 or 128', bits);
}

/** A whole number from 0 to `most`. */
export function checkWhole(value, argument, most) {
  const takes = `a whole number from 0 to ${most}`;
  if (typeof value !== 'number') throw wrongType(argument, takes, value);
  if (!(Number.isInteger(value) && value >= 0 && value <= most)) throw outOfRange(argument, takes, value);
  return value;
}

/** A fingerprint of at most `bits` bits. */
export function checkFingerprint(value, argument, bits = 128) {
  if (typeof value !== 'bigint') throw wrongType(argument, 'a fingerprint, which is a bigint', value);
  if (value < 0n)
    throw outOfRange(argument, 'a fingerprint of no sign (fromSigned makes one of a signed bigint)', value);
  if (value >> BigInt(bits)) throw outOfRange(argument, `a fingerprint of ${bits} bits`, value);
  return value;
}

export function checkText(text, argument = 'text') {
  if (typeof text === 'string' || text instanceof Uint8Array) return text;
  throw wrongType(argument, 'a string or a Uint8Array of UTF-8', text);
}

/** An iterable, but not a string, whose characters are never meant. */
export function checkIterable(value, argument, takes) {
  if (typeof value === 'string' || typeof value?.[Symbol.iterator] !== 'function') {
    throw wrongType(argument, takes, value);
  }
}

/** The same, or an async iterable. */
export function checkAnyIterable(value, argument, takes) {
  if (typeof value?.[Symbol.asyncIterator] !== 'function') checkIterable(value, argument, takes);
}

/** A function's options, and none that it does not know. */
export function checkOptions(options, known) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw wrongType('options', known.join(', '), name);
  }
  return options;
}
