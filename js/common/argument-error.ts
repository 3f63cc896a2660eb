// The error for a wrong argument.

const MAX_SHOWN = 40;

/** Shortens a string: an error never carries a whole text. */
const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** Describes a value for a message, in few characters: an object by its class. A promise has advice, since it is never meant. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cut(value));
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      // Converting a million digits takes seconds.
      return BigInt.asIntN(256, value) === value ? `${value}n` : 'a bigint of more than 256 bits';
    case 'object':
      if (Array.isArray(value)) return 'an array';
      return `an object (${cut(String(value.constructor?.name ?? 'null prototype')) || 'anonymous'})${
        typeof (value as Partial<PromiseLike<unknown>>).then === 'function' ? ': await it' : ''
      }`;
    case 'function':
      return 'a function';
    default:
      return cut(String(value));
  }
}

/**
 * Thrown for an argument that is not accepted. The call has changed nothing, unless its documentation says otherwise.
 *
 * The message has the form `nearprint: ARGUMENT must be REQUIREMENT, got VALUE`. The error is a `TypeError`, as wrong
 * arguments throw on the web.
 *
 * @example
 * ```js
 * const error = new ArgumentError('limit', 'a whole number', 1.5);
 * error.message; // 'nearprint: limit must be a whole number, got 1.5'
 * ```
 */
export class ArgumentError extends TypeError {
  /** The argument, such as `minResemblance` or `docs[3].id`. */
  readonly argument: string;
  /** The requirement, such as `a number above 0 and at most 1`. */
  readonly requirement: string;
  /**
   * The wrong value, if it is a primitive value: a long string is cut. `undefined` for an object, a key, and a
   * mistake that the module found.
   */
  readonly value: unknown;

  /** `got` describes the value in the message; by default, `describe` does. */
  constructor(argument: string, requirement: string, value: unknown, got: string = describe(value)) {
    super(`nearprint: ${argument} must be ${requirement}, got ${got}`);
    this.argument = argument;
    this.requirement = requirement;
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    this.value = typeof value === 'string' ? cut(value) : isObject ? undefined : value;
  }
}

// On the prototype, as for the built-in errors.
ArgumentError.prototype.name = 'ArgumentError';
