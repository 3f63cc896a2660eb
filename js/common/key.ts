// The secret key of a scheme.
import { ArgumentError } from './argument-error.js';
import { checkAttached, isBytes } from './check.js';

/** The key of a scheme. */
export interface KeyOptions {
  /**
   * A secret of 16 bytes: words are hashed by SipHash-1-3 with this key instead of FNV. The hashes cannot be computed without the key,
   * so an attacker cannot construct a near-duplicate of a text. The id of the scheme contains a check value, never the key.
   */
  key?: Uint8Array | undefined;
}

const NO_KEY = new Uint8Array(0);

/** Returns the key of options for the module, or an empty array. @internal */
export function keyOf({ key }: KeyOptions = {}): Uint8Array {
  if (key === undefined) return NO_KEY;
  const copy = isBytes(key) ? Uint8Array.from(checkAttached(key, 'key')) : undefined;
  if (copy?.length === 16) return copy;
  // The message omits the value: a key that is too short may be part of a secret.
  const got = copy ? `${copy.length} bytes` : `a value of the type ${typeof key}`;
  throw new ArgumentError('key', 'a Uint8Array of 16 bytes', undefined, got);
}

/** Returns the name of a scheme with the key of options, in this process only: it contains the key. @internal */
export const nameWithKey = (id: string, options: KeyOptions | undefined): string =>
  options?.key === undefined ? id : `${id} ${keyOf(options)}`;

/** Returns a copy of the key of options: the caller may overwrite its own. @internal */
export const copyOfKey = (options: KeyOptions): Uint8Array | undefined =>
  options.key === undefined ? undefined : keyOf(options);
