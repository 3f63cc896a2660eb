export { dedupe } from './dedupe.js';
export { Fingerprinter, fingerprint, fingerprintAll } from './fingerprinter.js';
export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './forms.js';
export { cosine, distance, similarity } from './hamming.js';
