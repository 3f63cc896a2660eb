// Lines with more fields, for --annotate.
import { type Format, isWholeFile } from '../formats/names.js';
import { jsonLine } from '../node/errors.js';
import { markLength, withMembers } from '../node/json.js';
import type { Line } from './batch.js';
import type { Annotation } from './part.js';

const [SPACE, QUOTE] = [32, 34];

/** Returns the text of a line that has no fields: a line of plain text, or a JSON string. */
function textOf(bytes: Buffer, format: Format): string | undefined {
  if (format === 'lines') return bytes.toString().replace(/\r?\n$/, '');
  return bytes.find((byte) => byte > SPACE) === QUOTE ? JSON.parse(bytes.toString()) : undefined;
}

/** Returns a line with more fields. Without an annotation, which only documents have, it stays as it is. */
export function annotate(line: Line, annotation: Annotation | undefined): Buffer {
  const { file, table } = line.batch;
  if (isWholeFile(file.format)) return Buffer.from(jsonLine({ id: line.place, ...annotation }));
  const { buffer, byteOffset, length } = line.bytes;
  const whole = Buffer.from(buffer, byteOffset, length);
  if (annotation === undefined) return whole;
  const bytes = whole.subarray(markLength(whole));
  if (table !== undefined) return table.append(bytes, Object.values(annotation));
  const text = textOf(bytes, file.format);
  if (text !== undefined) return Buffer.from(jsonLine({ id: line.place, text, ...annotation }));
  // In Latin-1, each byte is a character, and stays as it is.
  const members = Object.entries(annotation).map(([name, value]): [string, string] => {
    return [name, Buffer.from(JSON.stringify(value)).toString('latin1')];
  });
  return Buffer.from(withMembers(bytes.toString('latin1'), new Map(members)), 'latin1');
}
