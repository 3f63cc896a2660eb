// The state as the fragment of a link: JSON, compressed by zlib (whose checksum detects damage), in base64url.
import { checkScheme } from '../scheme/scheme.js';

const FORMAT = 1;

/** Mail and chat programs cut longer links. */
const MAX_LENGTH = 8 * 1024;

const pipe = (bytes, transform) => new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer();

/** Returns null if the value does not fit into a link. */
async function encode(value) {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const bytes = new Uint8Array(await pipe(json, new CompressionStream('deflate')));
  if (bytes.length > MAX_LENGTH) return null;
  const base64 = btoa(String.fromCharCode(...bytes));
  const hash = `#s${FORMAT}.${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  return hash.length > MAX_LENGTH ? null : hash;
}

async function decode(base64) {
  const bytes = Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await pipe(bytes, new DecompressionStream('deflate'))));
}

/**
 * Resolves to `{ hash, whole }`. If the texts do not fit, `whole` is false and the link holds `fingerprints`, which may
 * be null. The names `recipe` and `prints` belong to format 1 and stay, so that old links work.
 */
export async function toHash({ view, scheme, threshold, a, b, lines }, fingerprints) {
  const shared = { view, recipe: scheme, threshold };
  const hash = await encode({ ...shared, ...(view === 'compare' ? { a, b } : { lines }) });
  if (hash !== null) return { hash, whole: true };
  return { hash: await encode({ ...shared, prints: view === 'compare' ? fingerprints : null }), whole: false };
}

export const isShareLink = (hash) => /^#s\d/.test(hash);

const isText = (value) => value === undefined || typeof value === 'string';

function areFingerprints(fingerprints, bits) {
  if (fingerprints === undefined || fingerprints === null) return true;
  const hex = new RegExp(`^[0-9a-f]{${bits / 4}}$`);
  return hex.test(fingerprints.a) && hex.test(fingerprints.b);
}

/** Resolves to the state in a link, or to `{ error }`, the key of a message. */
export async function fromHash(hash) {
  const [, format, base64] = /^#s(\d+)\.?(.*)$/s.exec(hash);
  if (Number(format) !== FORMAT) return { error: 'sharedOtherFormat' };
  if (base64.length > MAX_LENGTH) return { error: 'sharedDamaged' };
  try {
    const { view, a, b, lines, prints, recipe, threshold } = await decode(base64);
    const checked = checkScheme(recipe, threshold);
    const valid = [a, b, lines].every(isText) && (view === 'compare' || view === 'duplicates');
    if (!checked || !valid || !areFingerprints(prints, checked.scheme.bits)) return { error: 'sharedDamaged' };
    const content =
      view === 'compare' ? { a: a ?? '', b: b ?? '', fingerprints: prints ?? null } : { lines: lines ?? '' };
    return { view, ...checked, ...content };
  } catch {
    return { error: 'sharedDamaged' };
  }
}
