// nearprint/compat: fingerprints of other programs.
export * from './api/compat.js';
