// Recognises the format of a file by its name and its first bytes, and names the programs that read other formats.
import { isUtf8 } from 'node:buffer';
import { type Format, formatOfName } from '../formats/names.js';
import { BadDocument, ENCODING_ADVICE, type FieldNames, memberAt, readJson } from '../node/fields.js';
import { UnfitFile } from './skipped-files.js';

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

/** Two lines that are JSON strings. One could be a quotation, or the header of a table. */
const twoStrings = /^(?:"(?:[^"\\\n]|\\.)*"[^\S\n]*\n\s*){2}/;

/** Returns the format of a text with JSON if its first characters decide it. `object` is an object over several lines. */
function formatOfStart(content: string): 'jsonl' | 'json' | 'object' | undefined {
  if (/^\[\s*[{"\]]/.test(content)) return 'json';
  if (twoStrings.test(content)) return 'jsonl';
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
  if (other !== undefined) throw new UnfitFile(`the file is ${other[1]}; ${other[2]}`);
  const content = contentOf(head);
  // The examined part may end within a character.
  const isValid = isUtf8(head.subarray(0, head.lastIndexOf('\n') >>> 0));
  const advice = isValid ? '' : `. Its bytes are not UTF-8; ${ENCODING_ADVICE}`;
  const format =
    formatOfStart(content) ?? (/^(?:\{|$)/.test(content) ? 'jsonl' : /^\[\s*$/.test(content) ? 'json' : undefined);
  if (format === 'object') {
    throw new UnfitFile('an object takes several lines; jq -c . makes JSON Lines, with one object in each line');
  }
  if (format !== undefined) return format;
  if (content.startsWith('<')) {
    throw new UnfitFile('the text is not JSON Lines, but HTML or XML; --format html reads each file as one document');
  }
  const lines = content.split('\n');
  const columns = lines[0].split(/[,;\t|]/).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.length > 1 && (textField.split(',').some((name) => columns.includes(name)) || lines.length > 2)) {
    const format = lines[0].includes('\t') ? 'tsv' : 'csv';
    throw new UnfitFile(
      `the text is not JSON Lines; if it is ${format.toUpperCase()}, --format ${format} reads it${advice}`,
    );
  }
  throw new UnfitFile(
    'the text is not JSON Lines; --format text reads each file as one document, --format lines each line, --format csv reads CSV, and jq makes ' +
      `JSON Lines of other JSON${advice}`,
  );
}

/** Returns whether a text begins with a line that is not blank and with more after it. */
export function hasSecondLine(head: Buffer): boolean {
  const text = head.toString('latin1');
  const end = text.indexOf('\n', text.search(/\S/));
  return end >= 0 && /\S/.test(text.slice(end));
}

/** Throws if the whole lines of a text are objects without texts, such as the index of a site's search. */
export function checkObjects(lines: Buffer, { textField }: FieldNames): void {
  const names = textField.split(',');
  const isOther = (line: Buffer): boolean => {
    try {
      const { value } = readJson(line);
      return typeof value === 'object' && names.every((name) => memberAt(value, name) === undefined);
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      return false;
    }
  };
  let some = false;
  for (let start = 0; start < lines.length; ) {
    const next = lines.indexOf('\n', start);
    const line = lines.subarray(start, next < 0 ? lines.length : next);
    start += line.length + 1;
    if (line.every((byte) => byte <= 32)) continue;
    some = true;
    if (!isOther(line)) return;
  }
  if (some)
    throw new UnfitFile(`its objects have no field ${names.map((name) => `"${name}"`).join(' or ')} (--text-field)`);
}
