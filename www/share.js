// The state in an address: JSON, deflated, in base64url. The checksum of zlib tells a damaged one.
import { checkRecipe } from './recipe.js';

const FORMAT = 1;

/** Longer addresses get cut in mails and chats. */
export const LONGEST = 8 * 1024;

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

async function pack(value) {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const bytes = new Uint8Array(await through(json, new CompressionStream('deflate')));
  if (bytes.length > LONGEST) return null;
  const base64 = btoa(String.fromCharCode(...bytes));
  const packed = `#s${FORMAT}.${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  return packed.length > LONGEST ? null : packed;
}

/**
 * The address's part after the page: `{ hash, whole }`. If the texts are too long for it, it holds their fingerprints
 * (`prints`, or null for none), and `whole` is false.
 */
export async function toHash({ view, recipe, threshold, a, b, lines }, prints) {
  const texts = view === 'compare' ? { a, b } : { lines };
  const hash = await pack({ view, recipe, threshold, ...texts });
  if (hash !== null) return { hash, whole: true };
  return { hash: await pack({ view, recipe, threshold, prints: view === 'compare' ? prints : null }), whole: false };
}

export const isShared = (hash) => /^#s\d/.test(hash);

const isText = (value) => value === undefined || typeof value === 'string';

function isPrints(prints, bits) {
  const hex = new RegExp(`^[0-9a-f]{${bits / 4}}$`);
  return prints === undefined || prints === null || (hex.test(prints.a) && hex.test(prints.b));
}

/** The state of an address, or `{ error }`, the key of a sentence. */
export async function fromHash(hash) {
  const [, format, base64] = /^#s(\d+)\.?(.*)$/s.exec(hash);
  if (Number(format) !== FORMAT) return { error: 'sharedOtherFormat' };
  if (base64.length > LONGEST) return { error: 'sharedDamaged' };
  try {
    const bytes = Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const json = await through(bytes, new DecompressionStream('deflate'));
    const { view, a, b, lines, prints, recipe, threshold } = JSON.parse(new TextDecoder().decode(json));
    const checked = checkRecipe(recipe, threshold);
    const sound = [a, b, lines].every(isText) && (view === 'compare' || view === 'duplicates');
    if (!checked || !sound || !isPrints(prints, checked.recipe.bits)) return { error: 'sharedDamaged' };
    const texts = view === 'compare' ? { a: a ?? '', b: b ?? '', prints: prints ?? null } : { lines: lines ?? '' };
    return { view, ...checked, ...texts };
  } catch {
    return { error: 'sharedDamaged' };
  }
}
