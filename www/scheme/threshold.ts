// The threshold: the resemblance from which two texts are near-duplicates. Its control counts in percent.
import { MIN_RESEMBLANCE } from '../../js/dedupe/decision-options.js';

export const defaultThreshold: number = MIN_RESEMBLANCE;

/** Below this, the search finds too few of the texts that resemble each other. */
export const minThreshold = 0.3;

export const isThreshold = (value: unknown): value is number =>
  typeof value === 'number' && value >= minThreshold && value <= 1;

/** Returns a resemblance in whole percent, rounded down: a share below the threshold never reads like the threshold. */
export const toPercent = (resemblance: number): number => Math.floor(resemblance * 100 + 1e-9);
