export { blockKeys } from './api/block-keys.js';
export { dedupe } from './api/dedupe.js';
export { Deduplicator } from './api/deduplicator.js';
export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './api/encoding.js';
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
} from './api/fingerprinter.js';
export { cosine, distance, similarity } from './api/hamming.js';
export { NearIndex } from './api/near-index.js';
export { rabin, rabinWindows } from './api/rabin.js';
export { MIN_FEATURES } from './api/short-text.js';
export { resemblance, Sketch } from './api/sketch.js';

/** The Unicode version of the tables in src/text/. */
export const UNICODE_VERSION = '17.0.0';
