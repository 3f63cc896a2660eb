// Lines of JSON that the module reads (wasm/lines): the text of a line is unescaped and sketched there, and never a
// string.
import type * as bindings from '../../build/wasm/cli/cli.js';
import { dedupeExchange, dedupeModule } from '../boot/dedupe.js';
import { keyOf } from '../common/key.js';
import type { Module } from '../common/module.js';
import { Stateless } from '../common/stateless.js';
import { CELLS, DocumentRows, sizeOf } from './document-rows.js';
import type { LineScanner, ReadSettings } from './job.js';

/** The module of the command line has `Lines` too. */
const module = dedupeModule as () => unknown as () => Module<typeof bindings>;

/** Returns whether the module can find a field of this name. `JSON.parse` reads U+FFFD from invalid UTF-8 too. */
const isPlain = (field: string): boolean => !/[\p{Surrogate}\ufffd]/u.test(field);

/**
 * Returns a line scanner, or undefined if `JSON.parse` must read every line: if the text is in several fields or is changed, or
 * one field has two meanings. A line without the text is left to `JSON.parse`, which follows a path such as `content.text`; a line
 * without the id or the scope is not.
 */
export function lineScanner(scheme: string, settings: ReadSettings): LineScanner | undefined {
  const { textField, idField, scopeField, html, ignore } = settings;
  const others = [idField, ...(scopeField === undefined ? [] : [scopeField])];
  const isPath = textField.includes(',') || others.some((field) => field.includes('.'));
  const areDistinct = new Set([textField, ...others]).size === 1 + others.length;
  if (html || ignore.length > 0 || isPath || !areDistinct || ![textField, ...others].every(isPlain)) return undefined;
  let lines: Stateless<typeof bindings, bindings.Lines> | undefined;
  return (bytes) => {
    lines ??= new Stateless(module, ({ Lines }) => new Lines(scheme, keyOf(settings), textField, idField, scopeField));
    const count = lines.current.read(dedupeExchange().writePiece(bytes));
    const size = sizeOf(dedupeExchange().read(4 * CELLS * count), count);
    return new DocumentRows({ buffer: dedupeExchange().read(size).slice().buffer, count });
  };
}
