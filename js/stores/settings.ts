// The settings of a store, its metadata in the database, and the ids that it accepts.
import { ArgumentError } from '../common/argument-error.js';
import { checkOptions } from '../common/check.js';
import { copyOfKey } from '../common/key.js';
import { type SketchOptions, sketchOptions } from '../sketch/scheme.js';
import { sharedSketcher } from '../sketch/sketcher.js';
import type { Salt } from './candidates.js';
import type { Metadata } from './engine.js';

/** The version of the tables and keys, and of the values of versions. */
export const LAYOUT = 4;

/** The options of a store. */
export interface StoreOptions extends SketchOptions {
  /**
   * The name of the store, `nearprint` by default: up to 40 lower-case letters, digits and `_`, the first a letter, and
   * not beginning with `sqlite`. The names of its tables or keys begin with it, so one database can hold many stores.
   */
  name?: string | undefined;
  /**
   * A name for what is done to the texts first, such as the patterns that are left out of them. At most 1,000 characters.
   * A store that was created with another preparation is refused.
   */
  preparation?: string | undefined;
}

export interface Settings {
  name: string;
  scheme: string;
  /** The scheme in the metadata, with the preparation of the texts. */
  storedScheme: string;
  key: Uint8Array | undefined;
}

export function checkSettings(options: StoreOptions | undefined): Settings {
  const { name = 'nearprint', preparation, ...rest } = checkOptions(options, ['name', 'preparation', ...sketchOptions]);
  if (typeof name !== 'string' || !/^(?!sqlite)[a-z][a-z0-9_]{0,39}$/.test(name)) {
    throw new ArgumentError('name', 'up to 40 letters a-z, digits and _, the first a letter, not sqlite...', name);
  }
  if (preparation !== undefined && !isPreparation(preparation)) {
    throw new ArgumentError('preparation', 'a string of 1 to 1000 characters without lone surrogates', preparation);
  }
  const scheme = sharedSketcher(rest).id;
  // Escaped, since it becomes a part of SQL.
  const suffix = preparation === undefined ? '' : ` ${encodeURIComponent(preparation).replaceAll("'", '%27')}`;
  return { name, scheme, storedScheme: scheme + suffix, key: copyOfKey(rest) };
}

const isPreparation = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= 1000 && value.isWellFormed();

/** Returns a scheme of metadata for people. */
function printed(storedScheme: unknown): string {
  const [scheme, preparation] = String(storedScheme).split(' ');
  return preparation === undefined ? scheme : `${scheme} with ${decodeURIComponent(preparation)}`;
}

/** Returns the salt of a store. Throws unless its metadata is what this client would write. */
export function checkMetadata(found: Metadata | undefined, { name, storedScheme }: Settings): string {
  const refuse = (what: string): Error => new Error(`nearprint: the store "${name}" ${what}`);
  if (found === undefined) {
    throw refuse(
      'has documents, but its metadata is lost: restore all of it from one backup, or delete it, and observe the documents again',
    );
  }
  if (Number(found.layout) !== LAYOUT) {
    throw refuse(
      `has the layout ${found.layout}, and this version of nearprint uses ${LAYOUT}: update the older program, or make a new ` +
        'store from the texts',
    );
  }
  if (found.scheme !== storedScheme) {
    const [stored, given] = [found.scheme, storedScheme].map(printed);
    throw refuse(
      `has sketches of the scheme ${stored}, not of ${given}: open it with that scheme, or choose another name`,
    );
  }
  const salt = String(found.salt);
  if (!/^[0-9a-f]{16}$/.test(salt)) {
    throw refuse(`has the damaged salt ${salt}: restore all of it from one backup`);
  }
  return salt;
}

/** Returns a salt in the form in which keys are made with it. */
export const halvesOf = (salt: string): Salt => [
  Number.parseInt(salt.slice(0, 8), 16),
  Number.parseInt(salt.slice(8), 16),
];

/** Draws the salt of a new store. */
export const newSalt = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(2)), (half) => half.toString(16).padStart(8, '0')).join('');

/** The maximum length of an id in bytes of UTF-8, below the limit of every engine's index. */
export const MAX_ID_BYTES = 2000;

export function checkStoreId(id: unknown, argument = 'id'): string {
  if (typeof id !== 'string') throw new ArgumentError(argument, 'a string', id);
  if (id.includes('\0') || !id.isWellFormed()) {
    throw new ArgumentError(argument, 'a string without NUL and without lone surrogates', id);
  }
  if (id.length * 3 > MAX_ID_BYTES && new TextEncoder().encode(id).length > MAX_ID_BYTES) {
    throw new ArgumentError(argument, `a string of up to ${MAX_ID_BYTES} bytes of UTF-8`, id);
  }
  return id;
}
