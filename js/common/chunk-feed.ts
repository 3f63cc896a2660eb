// A text that comes in chunks, passed to a stream of a module in pieces that split no character.
import { checkText } from './check.js';
import { type Exchange, PIECE } from './exchange.js';
import type { Text } from './types.js';
import { encoder } from './utf8.js';

/** A stream of a module, which reads the first bytes of the exchange. 0 bytes end an incomplete character. */
interface Reader {
  update(length: number): void;
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** The chunks of a text. A surrogate pair may be in two of them. */
export class ChunkFeed {
  readonly #reader: Reader;
  readonly #exchange: Exchange;
  readonly #free: () => void;
  /** A high surrogate at the end of the last chunk, or ''. The module has the first two bytes of its character in UTF-8. */
  #half = '';

  /** `free` is called after an error of the reader. */
  constructor(reader: Reader, exchange: Exchange, free: () => void) {
    [this.#reader, this.#exchange, this.#free] = [reader, exchange, free];
  }

  /** Adds the next chunk. If the reader throws an error, it may have read a part of the chunk. O(length of the chunk). */
  add(chunk: Text): void {
    const checked = checkText(chunk, 'chunk');
    try {
      this.#read(checked);
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  #read(chunk: Text): void {
    if (chunk.length === 0) return;
    if (typeof chunk !== 'string') {
      // The chunk does not continue the half.
      if (this.#half) this.#reader.update(0);
      this.#half = '';
      this.#pass(chunk);
      return;
    }
    if (this.#half !== '' && isLowSurrogate(chunk.charCodeAt(0))) {
      this.#pass(encoder.encode(this.#half + chunk[0]).subarray(2));
      chunk = chunk.slice(1);
    }
    this.#half = isHighSurrogate(chunk.charCodeAt(chunk.length - 1)) ? chunk.slice(-1) : '';
    this.#pass(this.#half ? chunk.slice(0, -1) : chunk);
    // All low surrogates give the same first two bytes.
    if (this.#half) this.#pass(encoder.encode(`${this.#half}\udc00`).subarray(0, 2));
  }

  /** Passes a text on in pieces that split no surrogate pair. */
  #pass(text: Text): void {
    for (let from = 0; from < text.length; ) {
      let to = Math.min(from + PIECE, text.length);
      if (to < text.length && typeof text === 'string' && isHighSurrogate(text.charCodeAt(to - 1))) to--;
      // The array's own method may be another.
      const piece =
        typeof text === 'string' ? text.slice(from, to) : Uint8Array.prototype.subarray.call(text, from, to);
      this.#reader.update(this.#exchange.writePiece(piece));
      from = to;
    }
  }
}
