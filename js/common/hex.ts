// Bytes as hexadecimal digits.

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function digitAt(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  // Letters have the bit 64.
  return (code & 15) + 9 * (code >> 6);
}

export function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (digitAt(hex, 2 * at) << 4) | digitAt(hex, 2 * at + 1);
  return bytes;
}
