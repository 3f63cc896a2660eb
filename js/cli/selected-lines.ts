// The lines that `dedupe` writes to standard output: as they are, or with --annotate.
import { annotate } from './annotate.js';
import { type Batch, Document, type Line } from './batch.js';
import type { Values } from './options.js';
import { rounded } from './output.js';
import type { Annotation } from './part.js';

/** The names of the fields that --annotate adds, in this order, and of those that name documents by their places. */
export const [FIELDS, PLACE_FIELDS] = [
  ['status', 'duplicateOf', 'resemblance'],
  ['place', 'duplicateOfPlace'],
];

/** Returns whether a document's line is written. --annotate writes all lines, and what is not a document as it is. */
function isSelected(values: Values, { decisions }: Batch, at: number): boolean {
  const isKept = decisions?.isKept(at) === true;
  return values.duplicates ? !isKept && decisions?.isDecided(at) === true : values.annotate || isKept;
}

/** Lines to be written: their bytes in parts, and the end of each line in the parts together. */
export interface SelectedLines {
  parts: Uint8Array[];
  ends: number[];
  /** The number of documents before the end of each line, and with it. */
  documents: number[];
}

/** Returns the selected lines of documents as they are. Adjacent lines are one part. */
export function selectedLines(values: Values, batch: Batch): SelectedLines {
  const selected: SelectedLines = { parts: [], ends: [], documents: [] };
  const { rows, bytes } = batch;
  let [size, from, to] = [0, 0, 0];
  for (let at = 0; at < batch.count; at++) {
    if (!isSelected(values, batch, at)) continue;
    const [start, end] = [rows.startAt(at), rows.endAt(at)];
    if (start !== to) {
      if (to > from) selected.parts.push(bytes.subarray(from, to));
      from = start;
    }
    to = end;
    size += end - start;
    selected.ends.push(size);
    selected.documents.push(at + 1);
  }
  if (to > from) selected.parts.push(bytes.subarray(from, to));
  return selected;
}

/** Returns the selected lines with annotations. */
export function annotatedLines(values: Values, batch: Batch, hasPlaceColumns: boolean): SelectedLines {
  const selected: SelectedLines = { parts: [], ends: [], documents: [] };
  let [size, documents] = [0, 0];
  for (const line of batch.lines()) {
    if (line instanceof Document) documents++;
    if (line instanceof Document ? !isSelected(values, batch, line.at) : values.duplicates) continue;
    const bytes = annotatedLine(line, hasPlaceColumns);
    size += bytes.length;
    selected.parts.push(bytes);
    selected.ends.push(size);
    selected.documents.push(documents);
  }
  return selected;
}

function annotatedLine(line: Line, hasPlaceColumns: boolean): Buffer {
  const outcome = line instanceof Document ? line.outcome : undefined;
  if (outcome === undefined) return annotate(line, undefined);
  const { status } = outcome;
  const original = status === 'duplicate' ? outcome.duplicateOf : null;
  const resemblance = 'resemblance' in outcome ? rounded(outcome.resemblance) : null;
  const annotation: Annotation = { status, duplicateOf: original?.name ?? null, resemblance };
  const isNamedByPlace = line.batch.table === undefined ? (line as Document).isNamedByPlace : hasPlaceColumns;
  if (!isNamedByPlace) return annotate(line, annotation);
  const places = { place: line.place, duplicateOfPlace: original?.place ?? null };
  return annotate(line, { ...annotation, ...places });
}
