// Lines of JSON that the module reads (src/json): the text of a line is unescaped and sketched there, and never a
// string.

import { generation, instance } from '../boot/instance.js';
import { tooLarge } from '../core/text.js';
import { CELLS, type LineScanner, type ReadSettings } from './documents.js';

/** The class `Lines` of the module (src/wasm.rs). */
interface Lines {
  /** Returns the address of a buffer of at least `length` bytes, or 0 if it cannot be allocated. */
  input(length: number): number;
  /** Reads the lines in the buffer and returns the number of rows. */
  read(length: number): number;
  /** The address of the rows. */
  readonly rows: number;
  /** The address of the sketches. */
  readonly sketches: number;
}

/**
 * Returns whether the module can find a field of this name. Every object has the fields of `Object.prototype`, and
 * `JSON.parse` reads U+FFFD from invalid UTF-8 too.
 */
const isPlain = (field: string): boolean =>
  !(field in Object.prototype) && !/\p{Surrogate}/u.test(field) && !field.includes('\ufffd');

/** Returns a line scanner; undefined if every line is for `JSON.parse`. */
export function lineScanner(
  scheme: string,
  { textField, idField, html, summary }: ReadSettings,
): LineScanner | undefined {
  if (summary !== 'sketch' || html || !isPlain(textField) || !isPlain(idField)) return undefined;
  let lines: Lines | undefined;
  let madeIn: number | undefined;
  return (bytes) => {
    // After a trap, the object is lost.
    if (lines === undefined || madeIn !== generation()) {
      lines = new (instance().bindings.Lines)(scheme, textField, idField) as Lines;
      madeIn = generation();
    }
    const at = lines.input(bytes.length);
    if (at === 0) throw tooLarge('a batch of lines');
    new Uint8Array(instance().memory.buffer, at, bytes.length).set(bytes);
    const cells = CELLS * lines.read(bytes.length);
    const buffer: ArrayBuffer = instance().memory.buffer;
    const rows = new Uint32Array(buffer, lines.rows, cells).slice();
    const sketches = new Uint8Array(buffer, lines.sketches, cells > 0 ? rows[cells - 1] : 0).slice();
    return { rows, sketches };
  };
}
