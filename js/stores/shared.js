// What the stores share: their options, their opening, the parts of a sketch that they keep, verification.
import { ArgumentError } from '../core/argument-error.js';
import { checkIterable, checkLimit, checkOptions } from '../core/check.js';
import { schemeOptions } from '../core/scheme.js';
import { Deduplicator, Sketch } from '../index.js';

/** The version of the tables and keys. */
const LAYOUT = 1;

/** How a fingerprint is cut: a document is a candidate if one of its blocks has a probed value. */
const BLOCKS = '4x16';

/** Candidates further apart are not verified, as in a Deduplicator. */
export const MAX_DISTANCE = 16;

/** The longest id in bytes of UTF-8: less than the index of any engine takes. */
const LONGEST_ID = 2000;

/** Bytes of a fingerprint, which a record begins with. */
const FINGERPRINT = 8;

/** Bytes of the record of a short text: fingerprint and hash of the words. */
const SHORT = 16;

/** Returns the checked options of a store: `{ name, scheme, minResemblance, probes }`. */
export function checkSettings(options) {
  const { name = 'nearprint', ...rule } = checkOptions(options, ['name', 'minResemblance', 'probes', ...schemeOptions]);
  if (typeof name !== 'string') throw new ArgumentError('name', 'a string', name);
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) {
    throw new ArgumentError('name', 'up to 40 lower-case letters, digits and _, the first a letter', name);
  }
  const checked = new Deduplicator(rule);
  const { scheme, minResemblance, probes } = checked;
  checked.free();
  return { name, scheme, minResemblance, probes };
}

export const metadataOf = ({ name, scheme }) => ({ name, scheme, layout: LAYOUT, blocks: BLOCKS });

/** Refuses a store whose metadata is not what this client would write. */
function checkMetadata(found, settings) {
  const own = metadataOf(settings);
  const refuse = (what) => new Error(`nearprint: the store "${own.name}" ${what}`);
  if (found === undefined) throw refuse('has no metadata: run the statements of schema() again');
  if (found.name !== own.name) throw refuse(`has the metadata of a store "${found.name}": open it by that name`);
  if (Number(found.layout) !== LAYOUT || found.blocks !== BLOCKS) {
    throw refuse(
      `has the layout ${found.layout} (${found.blocks}), and this version of nearprint uses ${LAYOUT} (${BLOCKS}): ` +
        'update the older of the two, or copy the documents to a new store',
    );
  }
  if (found.scheme !== own.scheme) {
    throw refuse(
      `has sketches of the scheme ${found.scheme}, not of ${own.scheme}: open it with { scheme: '${found.scheme}' }, ` +
        'or choose another name',
    );
  }
}

/**
 * Returns a function that runs a call on the open store. The first call opens it, and the next one again if that failed.
 * `metadata` returns the metadata, or undefined if there is no store; then `create` makes it. `explained` adds to an error
 * of the engine what to do.
 */
export function opening(settings, { metadata, create, explained }) {
  const open = async () => {
    let found = await metadata();
    if (found === undefined) {
      await create();
      found = await metadata();
    }
    checkMetadata(found, settings);
  };
  let opened;
  return async (call) => {
    try {
      opened ??= open().catch((error) => {
        opened = undefined;
        throw error;
      });
      await opened;
      return await call();
    } catch (error) {
      throw explained(error);
    }
  };
}

export function checkId(id, argument = 'id') {
  if (typeof id !== 'string') throw new ArgumentError(argument, 'a string', id);
  if (id.includes('\0') || !id.isWellFormed()) {
    throw new ArgumentError(argument, 'a string without NUL and without lone surrogates', id);
  }
  if (id.length * 3 > LONGEST_ID && new TextEncoder().encode(id).length > LONGEST_ID) {
    throw new ArgumentError(argument, `a string of up to ${LONGEST_ID} bytes of UTF-8`, id);
  }
  return id;
}

/** Returns all that a store needs of a sketch. A sketch of another copy of the module is converted. */
export function checkSketch(given, settings, argument = 'sketch') {
  let sketch = given;
  if (!(sketch instanceof Sketch)) {
    if (typeof given?.toBytes !== 'function') throw new ArgumentError(argument, 'a Sketch', given);
    sketch = Sketch.fromBytes(given.toBytes());
  }
  if (sketch.scheme !== settings.scheme) {
    throw new ArgumentError(argument, `a sketch of the scheme ${settings.scheme}`, sketch.scheme);
  }
  const record = recordOf(sketch);
  const probes = sketch.probes(settings.probes);
  return { sketch, record, isShort: sketch.isShort, probes: [0, 1, 2, 3].map((block) => probesOf(probes, block)) };
}

/** Returns the checked arguments of a query: what {@link checkSketch} returns, and the largest number of hits. */
export function checkQuery(sketch, options, settings) {
  const { limit = 1 } = checkOptions(options, ['limit']);
  return { ...checkSketch(sketch, settings), limit: checkLimit(limit) };
}

/** The probed values of one block, its own value first. */
function probesOf(probes, block) {
  const count = probes.length / 4;
  return [...probes.subarray(block * count, (block + 1) * count)];
}

/** Returns checked documents in arrays of up to `size`. */
export function* slices(documents, settings, size) {
  checkIterable(documents, 'docs', 'an iterable of { id, sketch }');
  let slice = [];
  let at = 0;
  for (const document of documents) {
    if (typeof document !== 'object' || document === null)
      throw new ArgumentError(`docs[${at}]`, '{ id, sketch }', document);
    const id = checkId(document.id, `docs[${at}].id`);
    slice.push({ id, at, ...checkSketch(document.sketch, settings, `docs[${at}].sketch`) });
    at++;
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

export function checkIds(ids) {
  checkIterable(ids, 'ids', 'an iterable of ids');
  return Array.from(ids, (id, at) => checkId(id, `ids[${at}]`));
}

/** The error for a new document with the id of another one, which it has as `taken`. */
export const idTaken = ({ id, at }) =>
  Object.assign(new ArgumentError(`docs[${at}].id`, 'an id that no other kept document has', id), { taken: id });

/** The answer for a document: `hit` is undefined if it is kept. */
export const answer = (id, hit) => ({
  id,
  duplicateOf: hit?.id ?? null,
  resemblance: hit?.resemblance ?? null,
  distance: hit?.distance ?? null,
});

/** The record of a sketch: its binary form from the fingerprint on, without margins. 16 bytes of a short text, else 72. */
function recordOf(sketch) {
  const bytes = sketch.toBytes();
  const start = 2 + bytes[0];
  return bytes.slice(start, start + (sketch.isShort ? SHORT : 72));
}

/** The sketch of a record. */
export function sketchOf(record, { scheme }) {
  const kind = record.length === SHORT ? 0 : 1;
  return Sketch.fromBytes(Uint8Array.of(scheme.length, ...new TextEncoder().encode(scheme), kind, ...record));
}

/** The fingerprint of a record as two halves and its content, the rest. */
export function partsOf(record) {
  const view = new DataView(record.buffer, record.byteOffset);
  return { low: view.getUint32(0, true), high: view.getUint32(4, true), content: record.slice(FINGERPRINT) };
}

/** The record of {@link partsOf}. */
export function joinParts({ high, low, content }) {
  const rest = new Uint8Array(content);
  const record = new Uint8Array(FINGERPRINT + rest.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  record.set(rest, FINGERPRINT);
  return record;
}

export const areEqual = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);

/**
 * Returns the candidates that resemble the sketch by the threshold, up to `limit`: the most similar first, of equally
 * similar ones that of the smallest distance, then the one kept first. A candidate has `id`, `number`, `distance` and
 * `record`.
 */
export function hitsOf(sketch, candidates, limit, settings) {
  return candidates
    .map((candidate) => ({ ...candidate, resemblance: sketch.resemblance(sketchOf(candidate.record, settings)) }))
    .filter(({ resemblance }) => resemblance >= settings.minResemblance)
    .sort((a, b) => b.resemblance - a.resemblance || a.distance - b.distance || a.number - b.number)
    .slice(0, limit)
    .map(({ id, resemblance, distance }) => ({ id, resemblance, distance }));
}

/** Returns a function that adds to an error of the engine what to do, by a list of `[pattern of the error, what to do]`. */
export const explaining = (advice) => (error) => {
  const text = `${error.message} ${error.code ?? ''} ${error.name}`;
  const isOwn = error.message.startsWith('nearprint: ');
  const [, what] = (isOwn ? undefined : advice.find(([pattern]) => pattern.test(text))) ?? [];
  return what === undefined ? error : new Error(`nearprint: ${error.message}: ${what}`, { cause: error });
};

/** What every store says of itself. */
export class Described {
  #settings;

  constructor(settings) {
    this.#settings = settings;
  }

  get name() {
    return this.#settings.name;
  }

  get scheme() {
    return this.#settings.scheme;
  }

  get minResemblance() {
    return this.#settings.minResemblance;
  }

  /** The client is the caller's, and stays open. */
  async [Symbol.asyncDispose]() {}
}
