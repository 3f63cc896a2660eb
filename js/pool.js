// nearprint/pool: the fingerprints of many texts, computed by worker threads.
export { fingerprintAll } from './node/pool.js';
