// The names and places of the documents of a run, by their positions.
import type { Id } from '../index.js';
import { type OpenFile, placeIn } from './input-file.js';
import type { Original } from './original.js';
import type { Selection } from './selection.js';

/** Returns the part that has a position: the last one that begins there or before. */
function partAt<Part extends { first: number }>(parts: readonly Part[], position: number): Part {
  let [from, to] = [0, parts.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (parts[middle].first <= position) from = middle;
    else to = middle;
  }
  return parts[from];
}

/** The documents of a run by their positions: 0, 1, 2 and so on in the order in which they are added. */
export class Positions {
  /** Documents that were added together. One array of all, which grows, would take twice the memory. */
  readonly #parts: { first: number; ids: readonly (Id | null)[]; numbers: Uint32Array }[] = [];
  /** The files, each with the position of its first document; a file may occur several times. */
  readonly #files: { first: number; file: OpenFile }[] = [];
  readonly #originals = new Map<number, Original>();
  /** The position of the next document. */
  next = 0;

  push(documents: Selection): void {
    const { count, ids } = documents;
    const numbers = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      numbers[at] = documents.numberAt(at);
      const { file } = documents.batchAt(at);
      if (this.#files.at(-1)?.file !== file) this.#files.push({ first: this.next + at, file });
    }
    this.#parts.push({ first: this.next, ids, numbers });
    this.next += count;
  }

  readonly originalOf = (position: number): Original => {
    const known = this.#originals.get(position);
    if (known !== undefined) return known;
    const { first, ids, numbers } = partAt(this.#parts, position);
    const { file } = partAt(this.#files, position);
    const place = placeIn(file, numbers[position - first]);
    const original = { key: position, name: ids[position - first] ?? place, place };
    this.#originals.set(position, original);
    return original;
  };
}
