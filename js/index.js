export { blockKeys } from './core/block-keys.js';
export { dedupe } from './core/dedupe.js';
export { Deduplicator } from './core/deduplicator.js';
export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './core/encoding.js';
export {
  compare,
  Fingerprinter,
  features,
  fingerprint,
  fingerprintAll,
  fingerprintFeatures,
  fingerprintHashes,
  sketch,
  sketchAll,
} from './core/fingerprinter.js';
export { cosine, distance, similarity } from './core/hamming.js';
export { NearIndex } from './core/near-index.js';
export { rabin, rabinWindows } from './core/rabin.js';
export { MIN_FEATURES } from './core/short-text.js';
export { resemblance, Sketch } from './core/sketch.js';

/** The Unicode version of the tables in src/text/. */
export const UNICODE_VERSION = '17.0.0';
