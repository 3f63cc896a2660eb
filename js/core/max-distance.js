// The search distance: its default and its maximum for each width.
import { checkWhole } from './check.js';

/** An eighth of the width: 8 of 64 bits. */
export const defaultMaxDistance = (bits) => bits / 8;

/** Returns the distance if it is a whole number from 0 to a quarter of the width. */
export const checkMaxDistance = (maxDistance, bits, argument = 'maxDistance') =>
  checkWhole(maxDistance, argument, bits / 4);
