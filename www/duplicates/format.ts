// Recognises the format of texts that are pasted or in a file.
import { formatOfName as statedFormat } from '../../js/formats/names.js';
import { delimiterOf, separatorLine } from '../../js/formats/rows.js';

/** Lines are texts; JSON Lines and arrays have objects or strings; a table is CSV or TSV, with the names of columns in its first row. */
export const formats = ['lines', 'jsonl', 'json', 'table'] as const;
export type Format = (typeof formats)[number];

/** A format, and another one that lines look like. */
export interface Recognised {
  format: Format;
  suspected?: Format;
}

/** The number of characters and lines that are examined. */
const [EXAMINED, LINES] = [1 << 16, 20];

/** The names of a field that is the text, unless the reader chooses another one. */
export const textNames: readonly string[] = ['text', 'content', 'body'];

/** Returns the cells of a line that begins and ends outside of quotation marks, or null. */
function cellsOf(line: string, delimiter: string): string[] | null {
  const cells = line.replace(/"(?:[^"]|"")*"/g, (quoted) => quoted.replaceAll(delimiter, ' '));
  return cells.replace(/[^"]/g, '').length % 2 === 0 ? cells.split(delimiter).map((cell) => cell.trim()) : null;
}

/** Returns whether a line looks like the names of columns. */
const isHeader = (cells: string[]): boolean =>
  cells.length > 1 && cells.every((cell) => /^"?[\p{L}_][\p{L}\p{N}_ .-]{0,30}(?<!\.)"?$/u.test(cell));

const bare = (cell: string): string => cell.replace(/^"(.*)"$/, '$1').toLowerCase();

/** Returns whether lines are certainly a table, perhaps one, or none. */
function tableIn(lines: string[]): 'yes' | 'perhaps' | 'no' {
  const delimiter = delimiterOf(lines[0]);
  const header = cellsOf(lines[0], delimiter);
  if (header === null || !isHeader(header)) return 'no';
  if (header.some((cell) => textNames.includes(bare(cell)))) return 'yes';
  // A row can continue on the next line.
  const rows = lines.slice(1).map((line) => cellsOf(line, delimiter));
  const alike = rows.filter((cells) => cells === null || cells.length === header.length);
  return rows.length > 0 && alike.length === rows.length ? 'perhaps' : 'no';
}

function isJson(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' || (typeof value === 'object' && value !== null);
  } catch {
    return false;
  }
}

/** Recognises the format of a text by its beginning. What is not certain is read as lines, and the other format is named. */
export function recognise(source: string): Recognised {
  const head = source.slice(0, EXAMINED).trimStart();
  if (/^\[\s*(?:[{"\]]|$)/.test(head)) return { format: 'json' };
  if (separatorLine(head) !== undefined) return { format: 'table' };
  const all = head.split(/\r\n|\n|\r/);
  // The last line may be cut off.
  const lines = (all.length > 1 && head.length > EXAMINED / 2 ? all.slice(0, -1) : all)
    .filter((line) => line.trim() !== '')
    .slice(0, LINES);
  if (lines.length === 0) return { format: 'lines' };
  if (lines[0].startsWith('{')) return { format: 'jsonl' };
  if (lines.every((line) => /^\s*["{]/.test(line) && (isJson(line) || line === all.at(-1)))) return { format: 'jsonl' };
  const table = tableIn(lines);
  if (table === 'yes') return { format: 'table' };
  if (table === 'perhaps') return { format: 'lines', suspected: 'table' };
  if (lines.filter((line) => /^\s*\{\s*"/.test(line)).length * 2 > lines.length) {
    return { format: 'lines', suspected: 'jsonl' };
  }
  return { format: 'lines' };
}

/** Returns the format that the name of a file states; undefined for `.json`, `.txt` and others, whose content decides. */
export function formatOfName(name: string): Format | undefined {
  const format = statedFormat(name);
  return format === 'csv' || format === 'tsv' ? 'table' : format === 'jsonl' ? format : undefined;
}
