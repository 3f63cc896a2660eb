// Sketches: what a deduplicator stores of a document, in its binary form (src/dedupe/sketch.rs).
import { ArgumentError } from './argument-error.js';
import { checkWhole, isBytes } from './check.js';
import { EngineOwner } from './engine.js';
import { distance } from './hamming.js';
import { readBytes, sketchText, writeBytes } from './text.js';

/** The kind of the sketch of a short text. */
const SHORT = 0;

let bytesOf;

export class Sketch {
  /** The binary form, from `#start` to `#end`. */
  #shared;
  #start;
  #end;

  /** Takes the binary form, which is valid, or the part of an array where it is. */
  constructor(bytes, start = 0, end = bytes?.length) {
    if (!isBytes(bytes)) throw new ArgumentError('bytes', 'the bytes of a sketch: use Sketch.fromBytes()', bytes);
    this.#shared = bytes;
    this.#start = start;
    this.#end = end;
  }

  static {
    // Not a copy: the engine makes its own.
    bytesOf = (sketch) => sketch.#shared.subarray(sketch.#start, sketch.#end);
  }

  /** The binary form. It is copied from a batch at first use: an array for each sketch takes as long as a short text. */
  get #bytes() {
    if (this.#shared.length !== this.#end - this.#start) {
      this.#shared = this.#shared.slice(this.#start, this.#end);
      this.#start = 0;
      this.#end = this.#shared.length;
    }
    return this.#shared;
  }

  static fromBytes(bytes) {
    if (!isBytes(bytes)) throw new ArgumentError('bytes', 'a Uint8Array', bytes);
    return checkedSketch(Uint8Array.from(bytes));
  }

  static fromHex(hex) {
    if (typeof hex !== 'string') throw new ArgumentError('hex', 'a string of hexadecimal digits', hex);
    if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) throw new ArgumentError('hex', 'two hexadecimal digits for each byte', hex);
    return checkedSketch(Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16)));
  }

  get scheme() {
    return new TextDecoder().decode(this.#bytes.subarray(1, this.#at));
  }

  /** The position of the kind, after the scheme's id. */
  get #at() {
    return 1 + this.#bytes[0];
  }

  get isShort() {
    return this.#bytes[this.#at] === SHORT;
  }

  get fingerprint() {
    const { buffer, byteOffset } = this.#bytes;
    return new DataView(buffer, byteOffset).getBigUint64(this.#at + 1, true);
  }

  equals(other) {
    return this.toHex() === checkSketch(other, 'other').toHex();
  }

  toBytes() {
    return this.#bytes.slice();
  }

  toHex() {
    return Array.from(this.#bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  distance(other) {
    return distance(this.fingerprint, checkSketch(other, 'other').fingerprint);
  }

  probes(count = 25) {
    checkWhole(count, 'count', 256, 1);
    const engine = reader();
    readSketch(engine, this);
    return engine.probes(count);
  }

  resemblance(other) {
    checkSketch(other, 'other');
    const engine = reader();
    readSketch(engine, this);
    return engine.resemblance(writeBytes(engine, bytesOf(other)));
  }
}

export const resemblance = (a, b) => checkSketch(a, 'a').resemblance(checkSketch(b, 'b'));

let owner;

/** An engine that reads sketches of any scheme. */
function reader() {
  owner ??= new EngineOwner('v1:64');
  return owner.current();
}

export function checkSketch(sketch, argument) {
  if (sketch instanceof Sketch) return sketch;
  throw new ArgumentError(argument, 'a Sketch', sketch);
}

/** The sketch of a binary form, which may be invalid. */
function checkedSketch(bytes) {
  const sketch = new Sketch(bytes);
  readSketch(reader(), sketch);
  return sketch;
}

/** Gives the engine a sketch. */
export function readSketch(engine, sketch) {
  engine.readSketch(writeBytes(engine, bytesOf(sketch)));
}

/** The last sketch that the engine made or read. */
export function lastSketch(engine) {
  const length = engine.writeSketch();
  if (length === 0) throw new RangeError('nearprint: sketch takes more memory than there is');
  return new Sketch(readBytes(engine, length));
}

/** The sketches of texts, which are strings or bytes. No code of the caller runs meanwhile. */
export function sketchBatch(engine, texts) {
  engine.takeSketches(); // of a batch that failed
  const ends = texts.map((text) => {
    sketchText(engine, text);
    return engine.appendSketch();
  });
  const bytes = engine.takeSketches();
  return ends.map((end, at) => new Sketch(bytes, at === 0 ? 0 : ends[at - 1], end));
}
