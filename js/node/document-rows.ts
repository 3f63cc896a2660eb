// Documents as rows of numbers, with their ids and sketches as bytes: what a thread hands over for a batch, in one
// buffer.
import type { Id } from '../index.js';
import { literalId } from './fields.js';

/** The number of cells of a row. wasm/lines/src/line_sketcher.rs has the table. */
export const CELLS = 8;

const [NUMBER, START, END, ID_KIND, ID_END, LENGTH, SCOPE, SKETCH_END] = [0, 1, 2, 3, 4, 5, 6, 7];

/** The kinds of ids, as in wasm/lines/src/fields.rs. `UNREAD` is in place of one in the row of a line that is not read. */
const [UNREAD, NONE, LITERAL, PLAIN, QUOTED] = [0, 1, 2, 3, 4];

/** Methods of `Buffer` that its declarations lack. They are faster than `toString` for a short string. */
interface Slices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** Rows in the form in which a thread sends them: the buffer has the cells, the ids and the sketches. */
export interface PackedRows {
  buffer: ArrayBuffer;
  count: number;
}

/** Where a line is in its batch. */
export interface LineSpan {
  /** The number of its line, row or element, counted from the first one of the batch. */
  number: number;
  /** The start and the end of its line in the bytes of the batch. */
  start: number;
  end: number;
}

/** A document that JavaScript has read. */
export interface Row extends LineSpan {
  id: Id | null;
  /** The length of the text in UTF-16 units. */
  length: number;
  hasScope: boolean;
  sketch: Uint8Array;
}

/** Returns the size in bytes of `count` rows with their ids and sketches. `cells` has the cells of the rows. */
export function sizeOf(cells: Uint8Array, count: number): number {
  if (count === 0) return 0;
  const last = new Uint32Array(cells.buffer, cells.byteOffset, CELLS * count).subarray(-CELLS);
  return 4 * CELLS * count + last[ID_END] + last[SKETCH_END];
}

export class DocumentRows {
  readonly packed: PackedRows;
  readonly #cells: Uint32Array;
  /** The ids, one after the other, and the binary forms of the sketches. */
  readonly #ids: Buffer & Slices;
  readonly sketches: Uint8Array;

  constructor(packed: PackedRows) {
    this.packed = packed;
    const { buffer, count } = packed;
    this.#cells = new Uint32Array(buffer, 0, CELLS * count);
    const [idsAt, idsLength] = [this.#cells.byteLength, count > 0 ? this.#cell(count - 1, ID_END) : 0];
    this.#ids = Buffer.from(buffer, idsAt, idsLength) as Buffer & Slices;
    this.sketches = new Uint8Array(buffer, idsAt + idsLength);
  }

  static readonly none = new DocumentRows({ buffer: new ArrayBuffer(0), count: 0 });

  get count(): number {
    return this.packed.count;
  }

  #cell(at: number, cell: number): number {
    return this.#cells[CELLS * at + cell];
  }

  isUnread(at: number): boolean {
    return this.#cell(at, ID_KIND) === UNREAD;
  }

  numberAt(at: number): number {
    return this.#cell(at, NUMBER);
  }

  startAt(at: number): number {
    return this.#cell(at, START);
  }

  endAt(at: number): number {
    return this.#cell(at, END);
  }

  spanAt(at: number): LineSpan {
    return { number: this.numberAt(at), start: this.startAt(at), end: this.endAt(at) };
  }

  lengthAt(at: number): number {
    return this.#cell(at, LENGTH);
  }

  get hasScopes(): boolean {
    for (let at = 0; at < this.count; at++) if (this.#cell(at, SCOPE) !== 0) return true;
    return false;
  }

  get hasIds(): boolean {
    for (let at = 0; at < this.count; at++) if (this.#cell(at, ID_KIND) > NONE) return true;
    return false;
  }

  sketchStart(at: number): number {
    return at === 0 ? 0 : this.#cell(at - 1, SKETCH_END);
  }

  sketchEnd(at: number): number {
    return this.#cell(at, SKETCH_END);
  }

  /** Returns the ends of all sketches. */
  sketchEnds(): Uint32Array {
    const ends = new Uint32Array(this.count);
    for (let at = 0; at < ends.length; at++) ends[at] = this.#cells[CELLS * at + SKETCH_END];
    return ends;
  }

  /** Returns the ids; null for a document without one. */
  ids(): (Id | null)[] {
    const ids: (Id | null)[] = [];
    for (let [at, start] = [0, 0]; at < this.count; at++) {
      const end = this.#cell(at, ID_END);
      ids.push(this.#id(this.#cell(at, ID_KIND), start, end));
      start = end;
    }
    return ids;
  }

  #id(kind: number, start: number, end: number): Id | null {
    if (kind === LITERAL) return literalId(this.#ids.latin1Slice(start, end));
    if (kind === PLAIN) return this.#ids.latin1Slice(start, end);
    return kind === QUOTED ? JSON.parse(this.#ids.utf8Slice(start, end)) : null;
  }

  /** Returns the cells, the ids and the sketches of the rows from `from` to `to`. */
  part(from: number, to: number): { cells: Uint32Array; ids: Uint8Array; sketches: Uint8Array } {
    const idStart = from === 0 ? 0 : this.#cell(from - 1, ID_END);
    return {
      cells: this.#cells.subarray(CELLS * from, CELLS * to),
      ids: this.#ids.subarray(idStart, this.#cell(to - 1, ID_END)),
      sketches: this.sketches.subarray(this.sketchStart(from), this.sketchEnd(to - 1)),
    };
  }
}

const ASCII = /^[ !#-[\]-~]*$/;

/** Returns the kind and the source of an id. */
function encodeId(id: Id | null): [kind: number, source: string] {
  if (id === null) return [NONE, ''];
  if (typeof id === 'number') return [LITERAL, String(id)];
  return ASCII.test(id) ? [PLAIN, id] : [QUOTED, JSON.stringify(id)];
}

/** Makes rows of documents, in the order of the input. */
export class RowWriter {
  readonly #cells: number[] = [];
  readonly #ids: Uint8Array[] = [];
  readonly #sketches: Uint8Array[] = [];
  #idEnd = 0;
  #sketchEnd = 0;

  get count(): number {
    return this.#cells.length / CELLS;
  }

  add({ number, start, end, id, length, hasScope, sketch }: Row): void {
    const [kind, source] = encodeId(id);
    this.#append(Buffer.from(source), sketch);
    this.#cells.push(number, start, end, kind, this.#idEnd, length, Number(hasScope), this.#sketchEnd);
  }

  /** Adds the rows from `from` to `to`. */
  addAll(rows: DocumentRows, from: number, to: number): void {
    if (from === to) return;
    const { cells, ids, sketches } = rows.part(from, to);
    const idsBefore = this.#idEnd - (from === 0 ? 0 : rows.part(from - 1, from).cells[ID_END]);
    const sketchesBefore = this.#sketchEnd - rows.sketchStart(from);
    for (const [at, cell] of cells.entries()) {
      const moved = at % CELLS === ID_END ? idsBefore : at % CELLS === SKETCH_END ? sketchesBefore : 0;
      this.#cells.push(cell + moved);
    }
    this.#append(ids, sketches);
  }

  #append(ids: Uint8Array, sketches: Uint8Array): void {
    this.#ids.push(ids);
    this.#sketches.push(sketches);
    this.#idEnd += ids.length;
    this.#sketchEnd += sketches.length;
  }

  finish(): DocumentRows {
    const bytes = new Uint8Array(4 * this.#cells.length + this.#idEnd + this.#sketchEnd);
    new Uint32Array(bytes.buffer, 0, this.#cells.length).set(this.#cells);
    let at = 4 * this.#cells.length;
    for (const part of [...this.#ids, ...this.#sketches]) {
      bytes.set(part, at);
      at += part.length;
    }
    return new DocumentRows({ buffer: bytes.buffer, count: this.count });
  }
}
