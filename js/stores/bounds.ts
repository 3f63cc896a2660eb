// The bounds of a search, as in src/dedupe (search.rs, long.rs) and src/index/probe.rs.

/** Candidates whose fingerprints differ in more bits are not verified. */
export const MAX_DISTANCE = 16;

/** The maximum number of versions of a bucket that a query reads, the first kept. */
export const MAX_READ = 512;

/** The maximum number of candidates that a query verifies: the nearest, ties in the order of addition. */
export const MAX_VERIFIED = 128;

/** The maximum number of ended versions of a bucket, not removed yet, that a query skips. */
export const MAX_PASSED = 4 * MAX_READ;
