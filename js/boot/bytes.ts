/** The mask of scripts/build.mjs, which defines this name. */
declare const MASK: number;

/** The part of Node's `Buffer` that is used where it exists. */
interface BufferLike {
  from(string: string, encoding: 'latin1'): Uint8Array<ArrayBuffer>;
}

/** Decodes the module's string: each character is a byte XOR the mask. */
export function bytes(string: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: BufferLike };
  if (Buffer === undefined) {
    const result = new Uint8Array(string.length);
    for (let at = 0; at < result.length; at++) result[at] = string.charCodeAt(at) ^ MASK;
    return result;
  }
  // The loop above is slow, because nothing has compiled it yet. Here the loop has a quarter of the rounds.
  const result = Buffer.from(string, 'latin1');
  const words = new Uint32Array(result.buffer, result.byteOffset, result.length >>> 2);
  for (let at = 0; at < words.length; at++) words[at] ^= MASK * 0x01010101;
  for (let at = 4 * words.length; at < result.length; at++) result[at] ^= MASK;
  return result;
}
