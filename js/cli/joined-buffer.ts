// Joins bytes in one buffer that is used again. A new buffer for each batch would bring the next collection of garbage nearer.

export class JoinedBuffer {
  #buffer = Buffer.allocUnsafeSlow(0);

  /** Returns the parts one after the other, valid until the next call. */
  join(parts: readonly Uint8Array[]): Uint8Array {
    if (parts.length === 1) return parts[0];
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (const part of parts) {
      this.#buffer.set(part, at);
      at += part.length;
    }
    return this.#buffer.subarray(0, size);
  }
}
