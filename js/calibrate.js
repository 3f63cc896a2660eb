// nearprint/calibrate: what each threshold does to the caller's own documents.
export { calibrate } from './calibrate/calibrate.js';
