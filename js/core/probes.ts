// The number of values of a block that a search examines.
import { checkWhole } from './check.js';

/** The default of a store, where each probe is a look-up in a database. The default of a `Deduplicator` is in the crate. */
export const STORE_PROBES = 25;

/** The number that `dedupe` uses with `textOf`: the texts prevent the wrong drops that more probes would cause. */
export const VERIFIED_PROBES = 60;

export const checkProbes = (value: unknown, argument: string): number => checkWhole(value, argument, 256, 1);
