// What the entries of both wings share: a file of the package that they import. It starts no module.
export * from './argument-error.js';
export * from './check.js';
export * from './chunk-feed.js';
export * from './dispose.js';
export * from './exchange.js';
export * from './hex.js';
export * from './ids.js';
export * from './key.js';
export * from './module.js';
export * from './nearest-name.js';
export * from './shared.js';
export * from './shingles.js';
export * from './stateless.js';
export * from './text-advice.js';
export * from './text-key.js';
export * from './types.js';
export * from './utf8.js';
