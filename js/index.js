export { dedupe, MIN_FEATURES } from './dedupe.js';
export {
  compare,
  Fingerprinter,
  features,
  fingerprint,
  fingerprintAll,
  fingerprintFeatures,
  fingerprintHashes,
} from './fingerprinter.js';
export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './forms.js';
export { cosine, distance, similarity } from './hamming.js';
export { blockKeys, NearIndex } from './near-index.js';
export { rabin, rabinWindows } from './rabin.js';

/** That of the core's tables (src/text/normalize/tables.rs). */
export const UNICODE_VERSION = '17.0.0';
