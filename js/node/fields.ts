// The fields of a document: its text, its id and its scope.
import { memberOf } from './json.js';

/** Thrown for a line, a row or an element that is not a document. */
export class BadDocument extends Error {}

/** Returns the message for a document with bytes that are wrong in the encoding of its file. */
export const invalidBytes = (encoding: string): string =>
  `the bytes are not valid ${encoding.replace('utf-', 'UTF-')}; --encoding names another encoding, such as windows-1252 or windows-1251`;

export type JsonObject = Record<string, unknown>;

export interface FieldNames {
  /** One field, or several with commas in between. Their texts are joined. */
  textField: string;
  idField: string;
  /** Undefined if documents have no scope. */
  scopeField?: string | undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

export function checkObject(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new BadDocument(`a document must be an object, got ${kindOf(value)}`);
}

/** Returns the names in a path such as `content.text`. A name with dots is tried first. */
const namesIn = (object: JsonObject, path: string): string[] =>
  Object.hasOwn(object, path) ? [path] : path.split('.');

/** Returns the member at a path, or undefined. */
export function memberAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const name of namesIn(object, path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

const MAX_LISTED = 20;

/** Returns the text of a document. Of several fields, some may be missing. */
export function textOf(object: JsonObject, names: string): string {
  const paths = names.split(',');
  const texts: string[] = [];
  for (const path of paths) {
    const value = memberAt(object, path);
    if (typeof value === 'string') texts.push(value);
    else if (value !== undefined && (value !== null || paths.length === 1)) {
      throw new BadDocument(`"${path}" must be a string, got ${kindOf(value)}`);
    }
  }
  if (texts.length > 0) return texts.join('\n');
  const found = Object.keys(object).map((name) => `"${name}"`);
  const list = found.slice(0, MAX_LISTED).join(', ') + (found.length > MAX_LISTED ? ', …' : '');
  const wanted = paths.map((path) => `"${path}"`).join(' or ');
  throw new BadDocument(`no field ${wanted} (--text-field); the document has ${list || 'none'}`);
}

/** Returns the text of a value that is not nested; null if it is missing or null. `json` is the source of the object. */
function plainText(json: string, object: JsonObject, path: string, option: string): string | null {
  const value = memberAt(object, path) ?? null;
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'object') {
    throw new BadDocument(`"${path}" (${option}) must be a string, a number or a boolean, got ${kindOf(value)}`);
  }
  // Reads the source: parsing would round 9007199254740993.
  return namesIn(object, path).reduce((source, name) => memberOf(source, name) as string, json);
}

/** Returns the id of a document; null if it has none. `json` is the source of the object. */
export function idOf(json: string, object: JsonObject, path: string): string | number | null {
  const text = plainText(json, object, path, '--id-field');
  return text === null || typeof memberAt(object, path) === 'string' ? text : literalId(text);
}

/** Returns the scope of a document, by the text of the value; '' if it has none. `json` is the source of the object. */
export const scopeOf = (json: string, object: JsonObject, path: string | undefined): string =>
  (path === undefined ? null : plainText(json, object, path, '--scope-field')) ?? '';

/** Returns the id of a literal: the number if it is a safe integer without a fraction or an exponent, and otherwise its text. */
export function literalId(text: string): string | number {
  if (text.length > 17 || !/^(?:0|-?[1-9]\d*)$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
