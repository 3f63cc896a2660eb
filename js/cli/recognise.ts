// Recognises the format of a file by its name and its first bytes, and names the programs that read other formats.
import { isUtf8 } from 'node:buffer';
import { type Format, formatOfName } from '../formats/names.js';
import type { FieldNames } from '../node/fields.js';
import { encodingAdvice } from '../node/wrong-bytes.js';

/** Returns whether the name of a file states that it has documents: in a folder, other files are passed over. */
export const isDocumentName = (name: string): boolean =>
  formatOfName(name) !== undefined || /\.json(?:\.gz|\.zst)?$/i.test(name);

/** Other formats by their first bytes, and the programs that convert them. */
const others: readonly [start: string, name: string, way: string][] = [
  ['PAR1', 'Parquet', `duckdb -c "COPY (FROM 'pages.parquet') TO 'pages.jsonl'" makes JSON Lines of it`],
  ['WARC/', 'WARC', 'warcio reads it (docs/command-line.md has a recipe)'],
  ['SQLite format 3', 'an SQLite database', `sqlite3 -json pages.db 'SELECT id, text FROM pages' prints JSON`],
  ['%PDF-', 'PDF', 'pdftotext makes text of it'],
];

/** The number of first bytes that are examined. The result does not depend on how the file is split into chunks. */
export const EXAMINED: number = 1 << 16;

const contentOf = (head: Buffer): string => head.toString('utf8', 0, EXAMINED).trimStart();

/** Returns the format of a text with JSON if its first characters decide it. `object` is an object over several lines. */
function formatOfStart(content: string): 'jsonl' | 'json' | 'object' | undefined {
  if (/^\[\s*[{\]]/.test(content)) return 'json';
  if (!content.startsWith('{')) return /\n[^\S\n]*\{/.test(content) ? 'jsonl' : undefined;
  const [first, second] = content.split('\n', 2);
  // A line that is longer than what is examined is not recognised here.
  if (second === undefined) return undefined;
  if (/[{[]\s*$/.test(first)) return 'object';
  if (!/,\s*$/.test(first)) return 'jsonl';
  return /^\s*"/.test(second) ? 'object' : undefined;
}

/** Returns whether the first bytes of a file suffice to recognise its format, or its dialect if the format is known. */
export function isEnough(head: Buffer, format: Format | undefined): boolean {
  if (format === undefined) return formatOfStart(contentOf(head)) !== undefined;
  // The dialect depends on the header and on its line end.
  return (format !== 'csv' && format !== 'tsv') || head.includes('\n');
}

/**
 * Returns the format of a file by its first bytes, if it has JSON. A file of another format is an error that names the way to
 * read it.
 */
export function formatOfContent(head: Buffer, { textField }: FieldNames): 'jsonl' | 'json' {
  const start = head.toString('latin1', 0, 20);
  const other = others.find(([magic]) => start.startsWith(magic));
  if (other !== undefined) throw new Error(`the file is ${other[1]}; ${other[2]}`);
  const content = contentOf(head);
  // The examined part may end within a character.
  const isValid = isUtf8(head.subarray(0, head.lastIndexOf('\n') >>> 0));
  const advice = isValid ? '' : `. Its bytes are not UTF-8; ${encodingAdvice(head)}`;
  const format =
    formatOfStart(content) ?? (/^(?:\{|$)/.test(content) ? 'jsonl' : /^\[\s*$/.test(content) ? 'json' : undefined);
  if (format === 'object') {
    throw new Error('an object takes several lines; jq -c . makes JSON Lines, with one object in each line');
  }
  if (format !== undefined) return format;
  if (content.startsWith('<')) {
    throw new Error('the text is not JSON Lines, but HTML or XML; --format html reads each file as one document');
  }
  const lines = content.split('\n');
  const columns = lines[0].split(/[,;\t|]/).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.length > 1 && (textField.split(',').some((name) => columns.includes(name)) || lines.length > 2)) {
    const format = lines[0].includes('\t') ? 'tsv' : 'csv';
    throw new Error(
      `the text is not JSON Lines; if it is ${format.toUpperCase()}, --format ${format} reads it${advice}`,
    );
  }
  throw new Error(
    'the text is not JSON Lines; --format text reads each file as one document, --format lines each line, --format csv reads CSV, and jq makes ' +
      `JSON Lines of other JSON${advice}`,
  );
}
