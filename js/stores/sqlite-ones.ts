// SQLite has no function that counts 1 bits.

/** Returns the expression for the number of 1 bits of two expressions, each of 32 bits. */
export function onesOf(x: string, y: string): string {
  const pairs = (bits: string) => `(${bits} - (${bits} >> 1 & 0x55555555))`;
  const nibbles = (bits: string) => `(${pairs(bits)} & 0x33333333) + (${pairs(bits)} >> 2 & 0x33333333)`;
  const sum = `(${nibbles(x)} + ${nibbles(y)})`;
  return `((((${sum} & 0x0f0f0f0f) + (${sum} >> 4 & 0x0f0f0f0f)) * 0x01010101 >> 24) & 255)`;
}
