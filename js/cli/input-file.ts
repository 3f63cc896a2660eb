// The files that a command reads.
import { type Format, isWholeFile } from '../formats/names.js';
import type { ReadSettings } from '../node/job.js';

/** A file or standard input, as an argument names it. */
export interface Input {
  /** `-` is standard input. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  /** Whether it was found in a folder or by a pattern, so that it need not have documents. */
  readonly isFound?: boolean;
  /** Undefined if it is to be recognised. */
  readonly format: Format | undefined;
  /** The delimiter of a table; undefined if it is to be recognised. */
  readonly delimiter?: string | undefined;
  /** The quotation mark of a table, or `none`; undefined for the default of the format. */
  readonly quote?: string | undefined;
  /** The encoding, as the user states it. */
  readonly encoding?: string | undefined;
  /** The path of a file that receives the unpacked content. */
  readonly copy?: string | undefined;
}

/** A file whose documents are read. */
export interface OpenFile extends Input {
  readonly format: Format;
  readonly settings: ReadSettings;
  readonly encoding: string;
  /** The bytes before the documents and the header: the byte-order mark of a file in UTF-8, and the line `sep=` of Excel. */
  readonly start: Buffer;
}

/** Returns the place of a line, a row, an element or a file by its number. */
export function placeIn({ format, name }: Pick<OpenFile, 'format' | 'name'>, number: number): string {
  if (isWholeFile(format)) return name;
  return format === 'json' ? `${name}[${number}]` : `${name}:${number}`;
}
