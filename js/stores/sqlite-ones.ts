// SQLite has no bit count. These are the steps of `popcount` in js/core/hamming.ts, as expressions. Each step repeats its
// parameter, so a statement that counts the bits of many rows computes each step in a subquery.

export const pairs = (bits: string): string => `(${bits} - (${bits} >> 1 & 0x55555555))`;

export const nibbles = (pairs: string): string => `((${pairs} & 0x33333333) + (${pairs} >> 2 & 0x33333333))`;

export const total = (nibbles: string): string =>
  `((((${nibbles} & 0x0f0f0f0f) + (${nibbles} >> 4 & 0x0f0f0f0f)) * 0x01010101 >> 24) & 255)`;
