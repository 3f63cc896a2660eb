// The collection of documents that is searched: from a text that is pasted, or from files.
import { readText, Unreadable } from '../files/read-file.js';
import { readEntries } from './entries.js';
import { type Format, formatOfName, recognise, textNames } from './format.js';
import type { Progress } from './slices.js';
import type { Entries, Entry } from './table.js';

export interface CollectionDocument {
  name: string;
  text: string;
  /** The line that is exported. */
  raw: string;
}

/** The documents that were read, and the problems. */
export interface Collection {
  documents: CollectionDocument[];
  /** The numbers of invalid lines. */
  broken: number[];
  /** The number of texts with U+FFFD, which stands for lost bytes. */
  damaged: number;
  /** The numbers of rows of tables, and of line breaks inside their quotation marks. */
  quoted: { rows: number; breaks: number };
  /** The format of the documents. Several files are exported as JSON Lines. */
  format: Format;
  /** The format that the lines look like, if it is another one. */
  suspected?: Format | undefined;
  /** Whether some texts are not strings in JSON, but numbers, booleans or arrays of strings. */
  hasOtherValues: boolean;
  /** The names of the fields with texts, and the one that is the text. */
  fields: string[];
  field: string;
  /** The first row of a table, after the line that states the delimiter. */
  header?: string | undefined;
  /** The line after which the rest was not read. */
  end?: number | undefined;
  /** One error for each file that cannot be read. */
  unread: Unreadable[];
  /** The name of the file, if the collection is from one, and the encoding that the reader has chosen for it. */
  file?: string | undefined;
  encoding?: string | undefined;
  /** The beginning of what was read. */
  start: string;
}

/** The reader's choices. A missing choice is derived from the content. */
export interface Choices {
  format?: Format | undefined;
  field?: string | undefined;
  /** The encoding of files that do not declare one. */
  encoding?: string | undefined;
}

/** The limit for all files together, in bytes. */
export const COLLECTION_LIMIT = 64e6;

/** The number of entries whose fields are examined, of fields that are offered, and of characters that are shown of a source. */
const [EXAMINED, MAX_FIELDS, START] = [100, 50, 1200];

/** Returns the text of a value, which the command line reads in the same way; undefined if it has none. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join('\n') : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? `${value}` : undefined;
}

/** Returns the names of the fields with strings, the largest total length first. */
function textFields(entries: Entry[]): string[] {
  const lengths = new Map<string, number>();
  for (const { fields } of entries.slice(0, EXAMINED)) {
    if (typeof fields === 'string') continue;
    for (const [name, value] of Object.entries(fields)) {
      const text = typeof value === 'string' || Array.isArray(value) ? textOf(value) : undefined;
      if (text !== undefined) lengths.set(name, (lengths.get(name) ?? 0) + text.length);
    }
  }
  return [...lengths].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Returns the documents of entries. Without a choice, the text is a field with a usual name, or else the longest field. */
function documentsOf(
  { entries, broken, header, end, quoted = { rows: 0, breaks: 0 } }: Entries,
  format: Format,
  { field: chosen }: Choices,
): Omit<Collection, 'unread' | 'start'> {
  const fields = textFields(entries);
  const usual = textNames.filter((name) => fields.includes(name));
  const names =
    chosen !== undefined && fields.includes(chosen) ? [chosen] : usual.length > 0 ? usual : fields.slice(0, 1);
  const documents: CollectionDocument[] = [];
  const withoutText: number[] = [];
  let damaged = 0;
  let hasOtherValues = false;
  for (const { line, raw, fields } of entries) {
    const isText = typeof fields === 'string';
    const value = isText ? fields : names.map((name) => fields[name]).find((field) => textOf(field) !== undefined);
    const text = textOf(value);
    if (text === undefined) withoutText.push(line);
    else if (!isText || text.trim() !== '') {
      hasOtherValues ||= typeof value !== 'string';
      if (text.includes('\ufffd')) damaged++;
      const id = isText ? undefined : fields.id;
      const isId = (typeof id === 'string' && id !== '') || typeof id === 'number';
      documents.push({ name: isId ? `${id}` : `${line}`, text, raw });
    }
  }
  return {
    documents,
    broken: withoutText.length === 0 ? broken : broken.concat(withoutText).sort((a, b) => a - b),
    damaged,
    quoted,
    format,
    hasOtherValues,
    fields: fields.slice(0, MAX_FIELDS),
    field: names[0] ?? '',
    header,
    end,
  };
}

/** Reads a text that is pasted. */
export async function fromText(source: string, choices: Choices, progress: Progress): Promise<Collection> {
  const { format, suspected } = recognise(source);
  const entries = await readEntries(source, choices.format ?? format, progress);
  const collection = documentsOf(entries, choices.format ?? format, choices);
  const start = source.slice(0, START);
  return { ...collection, suspected: choices.format === undefined ? suspected : undefined, unread: [], start };
}

/** Returns the documents of one of several files. They are exported as JSON Lines, each with its fields. */
async function fromOneOf(
  file: File,
  source: string,
  choices: Choices,
  progress: Progress,
): Promise<Omit<Collection, 'unread' | 'start'>> {
  const named = formatOfName(file.name) ?? (/\.json$/i.test(file.name) ? recognise(source).format : 'lines');
  if (named !== 'lines') {
    const entries = await readEntries(source, named, progress);
    if (named === 'table') for (const entry of entries.entries) entry.raw = JSON.stringify(entry.fields);
    return documentsOf(entries, named, choices);
  }
  const { name } = file;
  const raw = JSON.stringify({ id: name, text: source });
  return documentsOf({ entries: [{ line: 1, raw, fields: { id: name, text: source } }], broken: [] }, 'jsonl', {});
}

/** Reads a single file like a pasted text. If there are several, a file that is neither JSON nor a table is one document. */
export async function fromFiles(files: File[], choices: Choices, progress: Progress): Promise<Collection> {
  const unread: Unreadable[] = [];
  const parts: Omit<Collection, 'unread' | 'start'>[] = [];
  let left = COLLECTION_LIMIT;
  for (const file of files) {
    let source: string;
    try {
      source = await readText(file, left, choices.encoding);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      unread.push(error);
      continue;
    }
    left -= file.size;
    if (files.length === 1) {
      const format = choices.format ?? formatOfName(file.name);
      const { encoding } = choices;
      return { ...(await fromText(source, { ...choices, format }, progress)), file: file.name, encoding };
    }
    parts.push(await fromOneOf(file, source, choices, progress));
  }
  return {
    documents: parts.flatMap(({ documents }) => documents),
    broken: parts.flatMap(({ broken }) => broken),
    damaged: parts.reduce((sum, { damaged }) => sum + damaged, 0),
    quoted: {
      rows: parts.reduce((sum, { quoted }) => sum + quoted.rows, 0),
      breaks: parts.reduce((sum, { quoted }) => sum + quoted.breaks, 0),
    },
    format: 'jsonl',
    hasOtherValues: parts.some(({ hasOtherValues }) => hasOtherValues),
    fields: [...new Set(parts.flatMap(({ fields }) => fields))].slice(0, MAX_FIELDS),
    field: parts[0]?.field ?? '',
    end: parts.find(({ end }) => end !== undefined)?.end,
    unread,
    start: files
      .map(({ name }) => name)
      .join('\n')
      .slice(0, START),
  };
}
