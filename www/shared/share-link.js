// The state as the fragment of a link: JSON, compressed by zlib (whose checksum detects damage), in base64url.
import { Sketch } from 'nearprint';
import { checkScheme } from '../scheme/scheme.js';
import { defaultThreshold, isThreshold } from '../scheme/threshold.js';

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
 * Resolves to `{ hash, whole }`. If the texts do not fit, `whole` is false and the link holds `summaries`, which may be
 * null. The names `recipe` and `prints` belong to format 1 and stay, so that old links work.
 */
export async function toHash({ view, scheme, threshold, a, b, lines }, summaries) {
  const shared = { view, recipe: scheme, minResemblance: threshold };
  const hash = await encode({ ...shared, ...(view === 'compare' ? { a, b } : { lines }) });
  if (hash !== null) return { hash, whole: true };
  const { fingerprints: prints = null, sketches = null } = (view === 'compare' && summaries) || {};
  return { hash: await encode({ ...shared, prints, sketches }), whole: false };
}

export const isShareLink = (hash) => /^#s\d/.test(hash);

const isText = (value) => value === undefined || typeof value === 'string';

function areFingerprints(fingerprints, bits) {
  if (fingerprints === undefined || fingerprints === null) return true;
  const hex = new RegExp(`^[0-9a-f]{${bits / 4}}$`);
  return hex.test(fingerprints.a) && hex.test(fingerprints.b);
}

/** Throws if a sketch is damaged or of another scheme than the other. */
function checkSketches(sketches) {
  if (sketches !== undefined && sketches !== null) Sketch.fromHex(sketches.a).resemblance(Sketch.fromHex(sketches.b));
}

/** Resolves to the state in a link, or to `{ error }`, the key of a message. */
export async function fromHash(hash) {
  const [, format, base64] = /^#s(\d+)\.?(.*)$/s.exec(hash);
  if (Number(format) !== FORMAT) return { error: 'sharedOtherFormat' };
  if (base64.length > MAX_LENGTH) return { error: 'sharedDamaged' };
  try {
    // Old links have `threshold`, a number of bits, which has no equivalent: they get the default.
    const {
      view,
      a,
      b,
      lines,
      prints,
      sketches,
      recipe,
      minResemblance: threshold = defaultThreshold,
    } = await decode(base64);
    const scheme = checkScheme(recipe);
    const valid =
      [a, b, lines].every(isText) && (view === 'compare' || view === 'duplicates') && isThreshold(threshold);
    if (!scheme || !valid || !areFingerprints(prints, scheme.bits)) return { error: 'sharedDamaged' };
    checkSketches(sketches);
    const summaries = prints ? { fingerprints: prints, sketches: sketches ?? null } : null;
    const content = view === 'compare' ? { a: a ?? '', b: b ?? '', summaries } : { lines: lines ?? '' };
    return { view, scheme, threshold, ...content };
  } catch {
    return { error: 'sharedDamaged' };
  }
}
