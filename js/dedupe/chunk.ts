// The modules that `nearprint` and the entries for stores, crawlers and calibration share, as a file of the package that they import.
export * from '../index.js';
export * from '../sketch/scheme.js';
export * from '../sketch/scope.js';
export * from '../sketch/sketcher.js';
export * from './decision.js';
export * from './decision-options.js';
export * from './document-set.js';
export * from './document-store.js';
export * from './lasting-id.js';
export * from './version-bytes.js';
export * from './versions.js';
