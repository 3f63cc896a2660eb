// The threshold: the resemblance from which two texts are near-duplicates. Its control counts in percent.
import { Deduplicator } from 'nearprint';

export const defaultThreshold = new Deduplicator().minResemblance;

/** Below this, the search finds too few of the texts that resemble each other. */
export const smallestThreshold = 0.3;

export const isThreshold = (value) => typeof value === 'number' && value >= smallestThreshold && value <= 1;

/** A resemblance in whole percent, rounded down: a share below the threshold never reads like the threshold. */
export const toPercent = (resemblance) => Math.floor(resemblance * 100 + 1e-9);
