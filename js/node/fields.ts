// A document and its fields: its text, its id and its scope.
import { isUtf8 } from 'node:buffer';
import { describe } from '../common/argument-error.js';
import type { Id } from '../index.js';
import { isScope, scopeRequirement } from '../sketch/scope.js';
import { codeOf, reason, UserError } from './errors.js';
import { excessOf, markLength, memberOf } from './json.js';

/** How to treat bytes that are not valid in the encoding of a file. */
export const ENCODING_ADVICE = '--encoding names another encoding, such as windows-1252 or windows-1251';

/** Returns the message for a document with bytes that are not valid in the encoding of its file. */
export const invalidBytes = (encoding: string): string =>
  `the bytes are not valid ${encoding.replace('utf-', 'UTF-')}; ${ENCODING_ADVICE}`;

/** Thrown for a line, a row or an element that is not a document. */
export class BadDocument extends Error {}

/**
 * Returns the reason why a document or a file cannot be read, for an error that was thrown while it was read. No document ends
 * a run, so every error has a reason. The reason of an unexpected error has its name, since the error is a defect of the program.
 * Throws a `UserError`, which ends the run.
 */
export function whyUnread(error: unknown): string {
  if (error instanceof UserError) throw error;
  if (error instanceof BadDocument) return error.message;
  if (codeOf(error) !== undefined || (error as Error)?.constructor === Error) return reason(error);
  return `unexpected ${error instanceof Error ? `${error.name}: ${error.message}` : `error: ${error}`}`;
}

export type JsonObject = Record<string, unknown>;

/** The field with the id, if the user names none. No document needs it. */
export const DEFAULT_ID_FIELD = 'id';

export interface FieldNames {
  /** One field, or several with commas in between. Their texts are joined. */
  textField: string;
  idField: string;
  /** Undefined if documents have no scope. */
  scopeField?: string | undefined;
  /** Whether an object without a text is a document without one. Otherwise it is not a document. */
  keepBad?: boolean | undefined;
}

function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

/** Checks the JSON of a document: an object, or its text. */
function checkDocument(value: unknown): JsonObject | string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new BadDocument(`a document must be an object or a string, got ${jsonKind(value)}`);
}

/** Returns the names in a path such as `content.text`. A name with dots is tried first. */
const namesIn = (object: JsonObject, path: string): string[] =>
  Object.hasOwn(object, path) ? [path] : path.split('.');

/** Returns whether a value has a member in JSON. The length of an array is not a member. */
const hasMember = (value: object, name: string): boolean => Object.prototype.propertyIsEnumerable.call(value, name);

export function memberAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const name of namesIn(object, path)) {
    if (typeof value !== 'object' || value === null || !hasMember(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** Returns the source of a member that is a number or a boolean. Printing it would round 9007199254740993. */
const sourceOf = (json: string, object: JsonObject, path: string): string =>
  namesIn(object, path).reduce((source, name) => memberOf(source, name) as string, json);

/** Returns the text of a value of a text field: a string, the source of a number or a boolean, or the strings of an array. */
function fieldText(json: string, object: JsonObject, path: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return sourceOf(json, object, path);
  const others = Array.isArray(value) ? value.filter((each) => typeof each !== 'string') : [value];
  if (Array.isArray(value) && others.length === 0) return value.join('\n');
  const got = Array.isArray(value) ? `an array with ${jsonKind(others[0])}` : jsonKind(value);
  throw new BadDocument(`"${path}" must be a string, a number, a boolean or an array of strings, got ${got}`);
}

const MAX_LISTED = 20;

/**
 * Returns the text of a document. Of several fields, some may be missing. `json` is the source of the object, and `found`
 * receives the names of the fields that are not missing.
 */
function textOf(json: string, object: JsonObject, names: string, found?: Set<string>): string {
  const paths = names.split(',');
  const texts: string[] = [];
  for (const path of paths) {
    const value = memberAt(object, path);
    if (value === undefined) continue;
    found?.add(path);
    if (value !== null || paths.length === 1) texts.push(fieldText(json, object, path, value));
  }
  if (texts.length > 0) return texts.join('\n');
  const own = Object.keys(object).map((name) => `"${name}"`);
  const list = own.slice(0, MAX_LISTED).join(', ') + (own.length > MAX_LISTED ? ', …' : '');
  const wanted = paths.map((path) => `"${path}"`).join(' or ');
  throw new BadDocument(`no field ${wanted} (--text-field); the document has ${list || 'none'}`);
}

/** Returns the text of a value that is not nested; null if it is missing or null. `json` is the source of the object. */
function plainText(json: string, object: JsonObject, path: string, option: string): string | null {
  const value = memberAt(object, path) ?? null;
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'object') {
    throw new BadDocument(`"${path}" (${option}) must be a string, a number or a boolean, got ${jsonKind(value)}`);
  }
  return sourceOf(json, object, path);
}

function idOf(json: string, object: JsonObject, path: string): Id | null {
  const text = plainText(json, object, path, '--id-field');
  return text === null || typeof memberAt(object, path) === 'string' ? text : literalId(text);
}

/** Returns the scope of a document, by the text of the value; '' if it has none. */
function scopeOf(json: string, object: JsonObject, path: string | undefined): string {
  const scope = (path === undefined ? null : plainText(json, object, path, '--scope-field')) ?? '';
  if (isScope(scope)) return scope;
  throw new BadDocument(`"${path}" (--scope-field) must be ${scopeRequirement}, got ${describe(scope)}`);
}

/** Returns the id of a literal: the number if it is a safe integer without a fraction or an exponent, and otherwise its text. */
export function literalId(text: string): Id {
  if (text.length > 17 || !/^(?:0|-?[1-9]\d*)$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

export interface TextDocument {
  id: Id | null;
  text: string;
  /** '' for none. */
  scope: string;
  fields: JsonObject;
  /** The reason why a document that is kept has no text. */
  whyNoText?: string | undefined;
}

/** Reads the JSON of a line, in UTF-8, of a file in an encoding. Throws a `BadDocument` if it is not a document. */
export function readJson(bytes: Buffer, encoding = 'utf-8'): { json: string; value: JsonObject | string } {
  if (!isUtf8(bytes)) throw new BadDocument(invalidBytes(encoding));
  const excess = excessOf(bytes);
  if (excess !== undefined) throw new BadDocument(excess);
  const json = bytes.toString('utf8', markLength(bytes));
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new BadDocument(`not JSON: ${(error as Error).message}`);
  }
  return { json, value: checkDocument(value) };
}

/** Reads the document of a line. Throws a `BadDocument` if it is not one. `found` receives the names of its text fields. */
export function readLine(bytes: Buffer, names: FieldNames, encoding?: string, found?: Set<string>): TextDocument {
  const { textField, idField, scopeField, keepBad = false } = names;
  const { json, value: fields } = readJson(bytes, encoding);
  if (typeof fields === 'string') return { id: null, text: fields, scope: '', fields: {} };
  let whyNoText: string | undefined;
  const read = <T>(get: () => T, none: T): T => {
    try {
      return get();
    } catch (error) {
      if (!keepBad || !(error instanceof BadDocument)) throw error;
      whyNoText ??= error.message;
      return none;
    }
  };
  const text = read(() => textOf(json, fields, textField, found), '');
  const id = read(() => idOf(json, fields, idField), null);
  const scope = read(() => scopeOf(json, fields, scopeField), '');
  // A text of an unknown scope is not compared.
  return { id, text: whyNoText === undefined ? text : '', scope, fields, whyNoText };
}
