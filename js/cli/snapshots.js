// Index files.
import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Deduplicator, NearIndex } from '../index.js';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { replaceFile } from './output.js';

/** The first bytes of a snapshot of a NearIndex. */
const NEAR_INDEX = 'NearIdx\0';

/** The deduplicator or the index in a file, or null if there is no such file. */
export function loadIndex(path) {
  try {
    const bytes = readFileSync(path);
    const kind = bytes.toString('latin1', 0, NEAR_INDEX.length) === NEAR_INDEX ? NearIndex : Deduplicator;
    return kind.fromBytes(bytes);
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    if (error instanceof RangeError) throw new UserError(`${path}: ${error.message.replace('nearprint: bytes: ', '')}`);
    throw new UserError(`${path}: ${reason(error)}`);
  }
}

export const saveIndex = (path, index) => replaceFile(path, index.toBytes());

/** Refuses a folder that cannot be written to, before the work begins. */
export function checkFolder(path) {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UserError(`--index ${path}: its folder cannot be written to: ${reason(error)}`);
  }
}

/**
 * A stored id for a document with an id that the index holds for another text: a page that has changed, or the same
 * line of another day's file. It is the id, a NUL and a number; a `#` after the NUL marks an id that is a number.
 */
export function anotherId(index, id) {
  const base = typeof id === 'number' ? `${id}\0#` : `${id}\0`;
  let number = 2;
  while (index.has(`${base}${number}`)) number++;
  return `${base}${number}`;
}

/** The id of a document before {@link anotherId}. */
export function originalId(id) {
  const [, original, isNumber] = (typeof id === 'string' && /^(.*)\0(#?)\d+$/s.exec(id)) || [];
  if (original === undefined) return id;
  return isNumber ? Number(original) : original;
}
