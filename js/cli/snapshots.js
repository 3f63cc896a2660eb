// Index files.
import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { NearIndex } from '../index.js';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { replaceFile } from './output.js';

/** The index in a file, or null if there is no such file. */
export function loadIndex(path) {
  try {
    return NearIndex.fromBytes(readFileSync(path));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    if (error instanceof RangeError) throw new UserError(`${path}: ${error.message.replace('nearprint: bytes: ', '')}`);
    throw new UserError(`${path}: ${reason(error)}`);
  }
}

export const saveIndex = (path, index) => replaceFile(path, index.toBytes());

/** Better now than after hours. */
export function checkFolder(path) {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UserError(`--index ${path}: its folder cannot be written to: ${reason(error)}`);
  }
}

/**
 * A document of an id that the index has from before, and of another text, is a document more: a page that has changed,
 * or the same line of another day's file. The index knows it by the id, a NUL and a number.
 */
export function anotherId(index, id) {
  const base = typeof id === 'number' ? `${id}\0#` : `${id}\0`;
  let number = 2;
  while (index.has(`${base}${number}`)) number++;
  return `${base}${number}`;
}

/** The id that a document came with. */
export function originalId(id) {
  const [, original, isNumber] = (typeof id === 'string' && /^(.*)\0(#?)\d+$/s.exec(id)) || [];
  if (original === undefined) return id;
  return isNumber ? Number(original) : original;
}
