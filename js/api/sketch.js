// Sketches: what a deduplicator stores of a document, in its binary form (src/dedupe/sketch.rs).
import { checkWhole, isBytes, outOfRange, wrongType } from './check.js';
import { EngineOwner } from './engine.js';
import { distance } from './hamming.js';
import { readBytes, writeBytes } from './text.js';

/** The kind of the sketch of a short text. */
const SHORT = 0;

let bytesOf;

export class Sketch {
  #bytes;

  /** Takes the binary form, which is valid. */
  constructor(bytes) {
    if (!isBytes(bytes)) throw wrongType('bytes', 'the bytes of a sketch: use Sketch.fromBytes()', bytes);
    this.#bytes = bytes;
  }

  static {
    bytesOf = (sketch) => sketch.#bytes;
  }

  static fromBytes(bytes) {
    if (!isBytes(bytes)) throw wrongType('bytes', 'a Uint8Array', bytes);
    const sketch = new Sketch(Uint8Array.from(bytes));
    readSketch(reader(), sketch);
    return sketch;
  }

  static fromHex(hex) {
    if (typeof hex !== 'string') throw wrongType('hex', 'a string of hexadecimal digits', hex);
    if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) throw outOfRange('hex', 'two hexadecimal digits for each byte', hex);
    return Sketch.fromBytes(Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16)));
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
  throw wrongType(argument, 'a Sketch', sketch);
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
