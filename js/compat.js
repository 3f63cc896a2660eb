// nearprint/compat: fingerprints of other programs.
export * from './core/compat.js';
