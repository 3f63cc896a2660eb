// Lines of JSON that the module reads (src/json): the text of a line is unescaped and sketched there, and never a string.

import { generation, instance } from '../boot/instance.js';
import { tooLarge } from '../core/text.js';
import { CELLS } from './documents.js';

/**
 * Whether the module can find a field of this name. Every object has those of `Object.prototype`, and `JSON.parse` reads
 * U+FFFD from invalid UTF-8 too.
 */
const isPlain = (field) => !(field in Object.prototype) && field.isWellFormed() && !field.includes('\ufffd');

/** Returns a function from bytes of whole lines to `{ rows, sketches }`; undefined if every line is for `JSON.parse`. */
export function lineScanner(scheme, { textField, idField, html, summary }) {
  if (summary !== 'sketch' || html || !isPlain(textField) || !isPlain(idField)) return undefined;
  let lines;
  let madeIn;
  return (bytes) => {
    // After a trap, the module has lost the old one.
    if (madeIn !== generation()) {
      lines = new (instance().bindings.Lines)(scheme, textField, idField);
      madeIn = generation();
    }
    const at = lines.input(bytes.length);
    if (at === 0) throw tooLarge('a batch of lines');
    new Uint8Array(instance().memory.buffer, at, bytes.length).set(bytes);
    const cells = CELLS * lines.read(bytes.length);
    const { buffer } = instance().memory;
    const rows = new Uint32Array(buffer, lines.rows, cells).slice();
    const sketches = new Uint8Array(buffer, lines.sketches, cells > 0 ? rows[cells - 1] : 0).slice();
    return { rows, sketches };
  };
}
