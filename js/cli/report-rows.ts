// The rows of --report: what `dedupe` does not write, and why.
import { jsonLine, oneLine } from '../node/errors.js';
import { BadLine, type Batch, Document } from './batch.js';
import type { RepeatedPath } from './known-files.js';
import { rounded } from './output.js';

export const repeatedRow = ({ path, readAs, isReference }: RepeatedPath): string =>
  jsonLine({ id: path, status: isReference ? 'reference' : 'repeated', readAs });

export const badRow = (place: string, message: string): string =>
  jsonLine({ id: place, status: 'bad', message: oneLine(message) });

/** Returns the row of the report for a line that is not written; '' for another one. */
function reportRow(line: Document | BadLine): string {
  if (line instanceof BadLine) return badRow(line.place, line.message);
  const { outcome, name: id, isNamedByPlace } = line;
  if (outcome === undefined || line.isKept) return '';
  const { status } = outcome;
  const place = isNamedByPlace ? line.place : undefined;
  if (status !== 'duplicate') return jsonLine({ id, status, place });
  const { duplicateOf: original } = outcome;
  const duplicateOfPlace = isNamedByPlace ? original.place : undefined;
  const resemblance = rounded(outcome.resemblance);
  return jsonLine({ id, status, duplicateOf: original.name, resemblance, place, duplicateOfPlace });
}

/** Returns the rows of the report for the first `count` documents of a batch and what is before them; all lines without `count`. */
export function reportRows(batch: Batch, count = Number.POSITIVE_INFINITY): string {
  let rows = '';
  let documents = 0;
  for (const line of batch.lines()) {
    if (line instanceof Document && ++documents > count) break;
    rows += reportRow(line);
  }
  return rows;
}
