// Lines of JSON that the module reads (wasm/lines): the text of a line is unescaped and sketched there, and never a
// string.
import type * as bindings from '../../build/wasm/lines/lines.js';
import type { Module } from '../boot/module.js';
import { text, textExchange } from '../boot/text.js';
import { keyOf } from '../core/scheme.js';
import { CELLS, DocumentRows, sizeOf } from './document-rows.js';
import type { LineScanner, ReadSettings } from './documents.js';

/** The command line's module of texts has `Lines` too. */
const module = text as () => unknown as () => Module<typeof bindings>;

/** Returns whether the module can find a field of this name. `JSON.parse` reads U+FFFD from invalid UTF-8 too. */
const isPlain = (field: string): boolean => !/[\p{Surrogate}\ufffd]/u.test(field);

/**
 * Returns a line scanner, or undefined if `JSON.parse` must read every line: if the text is in several fields, or one field has two meanings.
 * A line without the text is left to `JSON.parse`, which follows a path such as `content.text`; a line without the id or the
 * scope is not.
 */
export function lineScanner(scheme: string, settings: ReadSettings): LineScanner | undefined {
  const { textField, idField, scopeField, html } = settings;
  const others = [idField, ...(scopeField === undefined ? [] : [scopeField])];
  const isPath = textField.includes(',') || others.some((field) => field.includes('.'));
  const areDistinct = new Set([textField, ...others]).size === 1 + others.length;
  if (html || isPath || !areDistinct || ![textField, ...others].every(isPlain)) return undefined;
  let lines: bindings.Lines | undefined;
  let madeIn: number | undefined;
  const open = () => {
    // The object is lost after a trap.
    if (lines === undefined || madeIn !== module().generation) {
      lines = new (module().bindings.Lines)(scheme, keyOf(settings), textField, idField, scopeField);
      madeIn = module().generation;
    }
    return lines;
  };
  return (bytes) => {
    const count = open().read(textExchange().writePiece(bytes));
    const size = sizeOf(textExchange().read(4 * CELLS * count), count);
    return new DocumentRows({ buffer: textExchange().read(size).slice().buffer, count });
  };
}
