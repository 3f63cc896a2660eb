// The state as the fragment of a link: JSON, compressed by zlib (whose checksum detects damage), in base64url.
import { sketchLikeness } from '../compare/likeness.js';
import type { PlainKey } from '../locales/locale.js';
import { checkScheme } from '../scheme/scheme.js';
import { isThreshold } from '../scheme/threshold.js';
import { hasMoreLines } from './lines.js';
import type { Pair } from './pair.js';
import type { State, Summaries, View } from './state.js';

const FORMAT = 1;

/** Mail and chat programs cut longer links. */
const MAX_LENGTH = 8 * 1024;

/** The limit for the JSON of a link in bytes. */
const MAX_JSON = 1 << 18;

/** The limit for the lines of a text that a stranger may have written. */
const MAX_LINES = 5000;

/** The content of a link before it is checked. */
type LinkContent = Partial<Record<keyof State, unknown>>;

/** Resolves to the transformed bytes, or to null if there are more than `limit`. Reads no further then. */
async function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const result = new Uint8Array(limit);
  let length = 0;
  const chunks = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  for (let next = await chunks.read(); !next.done; next = await chunks.read()) {
    if (length + next.value.length > limit) {
      await chunks.cancel();
      return null;
    }
    result.set(next.value, length);
    length += next.value.length;
  }
  return result.subarray(0, length);
}

const fits = (text: unknown): boolean => typeof text !== 'string' || !hasMoreLines(text, MAX_LINES);

/** Returns whether the texts of a content have few enough lines. */
const hasFewLines = ({ a, b, lines }: LinkContent): boolean => [a, b, lines].every(fits);

/** Returns null if the content does not fit into a link. */
async function encode(content: LinkContent): Promise<string | null> {
  const json = new TextEncoder().encode(JSON.stringify(content));
  if (json.length > MAX_JSON || !hasFewLines(content)) return null;
  const bytes = await pipe(json, new CompressionStream('deflate'), MAX_LENGTH);
  if (bytes === null) return null;
  const base64 = btoa(String.fromCharCode(...bytes));
  const hash = `#s${FORMAT}.${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  return hash.length > MAX_LENGTH ? null : hash;
}

async function decode(base64: string): Promise<LinkContent> {
  const bytes = Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const json = await pipe(bytes, new DecompressionStream('deflate'), MAX_JSON);
  if (json === null) throw new RangeError('a link of more than 256 KiB');
  return JSON.parse(new TextDecoder().decode(json));
}

/**
 * Returns the link to a state. If the texts do not fit, `whole` is false and the link holds `summaries`, which may be
 * null.
 */
export async function toHash(
  state: State,
  summaries: Summaries | null,
): Promise<{ hash: string | null; whole: boolean }> {
  const { view, scheme, threshold, a, b, lines } = state;
  const shared = { view, scheme, threshold };
  const isCompare = view === 'compare';
  const hash = await encode({ ...shared, ...(isCompare ? { a, b } : { lines }) });
  if (hash !== null) return { hash, whole: true };
  return { hash: await encode({ ...shared, summaries: isCompare ? summaries : null }), whole: false };
}

export const isShareLink = (hash: string): boolean => /^#s\d/.test(hash);

const isView = (value: unknown): value is View => value === 'compare' || value === 'duplicates';

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

/** Returns the pair of strings in a link. Throws if it is damaged. */
function checkPair(value: unknown): Pair<string> {
  const { a, b } = value as Partial<Pair<unknown>>;
  if (typeof a !== 'string' || typeof b !== 'string') throw new TypeError('not a pair of strings');
  return { a, b };
}

/** Returns the summaries in a link, or null if it has none. Throws if they are damaged. The sketches are checked later. */
function checkSummaries(value: unknown, bits: number): Summaries | null {
  if (value === undefined || value === null) return null;
  const given = value as Partial<Summaries>;
  const [fingerprints, sketches] = [checkPair(given.fingerprints), checkPair(given.sketches)];
  const hex = new RegExp(`^[0-9a-f]{${bits / 4}}$`);
  if (!hex.test(fingerprints.a) || !hex.test(fingerprints.b)) throw new TypeError('not fingerprints of the scheme');
  return { fingerprints, sketches };
}

/** Returns the state in the content of a link. Throws if the content is damaged. */
function toState(content: LinkContent): Partial<State> {
  const { view, a, b, lines, threshold } = content;
  const scheme = checkScheme(content.scheme);
  if (!isView(view) || !isOptionalText(a) || !isOptionalText(b) || !isOptionalText(lines)) {
    throw new TypeError('not a view and its texts');
  }
  if (!hasFewLines(content)) throw new RangeError('a text of more than 5,000 lines');
  if (scheme === null || !isThreshold(threshold)) throw new TypeError('not a scheme and a threshold');
  const summaries = checkSummaries(content.summaries, scheme.bits);
  const shared = { view, scheme, threshold };
  if (view === 'duplicates') return { ...shared, lines: lines ?? '' };
  return { ...shared, a: a ?? '', b: b ?? '', summaries };
}

/** Returns the state in a link, or the message that tells why there is none. */
export async function fromHash(hash: string): Promise<{ change: Partial<State> } | { error: PlainKey }> {
  const [, format, base64 = ''] = /^#s(\d+)\.?(.*)$/s.exec(hash) ?? [];
  if (Number(format) !== FORMAT) return { error: 'sharedOtherFormat' };
  if (base64.length > MAX_LENGTH) return { error: 'sharedDamaged' };
  try {
    const change = toState(await decode(base64));
    // Throws if they are damaged, or not of one scheme. Most links need no sketches.
    if (change.summaries) sketchLikeness(change.summaries.sketches);
    return { change };
  } catch {
    return { error: 'sharedDamaged' };
  }
}
