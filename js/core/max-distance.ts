// The search distance: its default and its maximum for each width.
import { checkWhole } from './check.js';
import type { Bits } from './types.js';

/** Returns an eighth of the width: 8 of 64 bits. */
export const defaultMaxDistance = (bits: Bits): number => bits / 8;

/** Checks for a whole number from 0 to a quarter of the width. */
export const checkMaxDistance = (maxDistance: unknown, bits: Bits, argument = 'maxDistance'): number =>
  checkWhole(maxDistance, argument, bits / 4);
