// Reads and sketches the documents of jobs: lines of JSON, or texts. This is the work of the worker threads. The module reads most
// lines (line-scanner.ts), and `JSON.parse` reads the others.
import { isAscii, isUtf8 } from 'node:buffer';
import type { PageWords } from '../html/page-text.js';
import type { Sketcher, Text } from '../index.js';
import { type DocumentRows, type LineSpan, RowWriter } from './document-rows.js';
import { readLine, whyUnread } from './fields.js';
import { isReported, type TextToCompare, textReader } from './html.js';
import { type Job, type JobResult, type JobText, type LineScanner, MAX_SCANNED, type ReadSettings } from './job.js';
import { linesIn } from './lines.js';

/** A document that is read for a job. */
type ReadText = Pick<JobText, 'id' | 'scope'> & { text: Text; words?: PageWords; whyNoText?: string | undefined };

/** The bad lines, the documents without text and the pages of a job that are reported. */
type Noted = Pick<JobResult, 'bad' | 'textless' | 'pages'>;

/** Collects the documents of a job. */
class Documents {
  readonly rows = new RowWriter();
  readonly noted: Noted = { bad: [], textless: [], pages: [] };
  readonly #sketcher: Sketcher;
  readonly #isIsolated: boolean;

  constructor(sketcher: Sketcher, isIsolated: boolean) {
    [this.#sketcher, this.#isIsolated] = [sketcher, isIsolated];
  }

  /**
   * Adds the document of a line, or the reason that `read` throws. If the module fails and is not isolated, the documents of a
   * set may be lost, so the error is thrown.
   */
  add({ number, start, end }: LineSpan, read: () => ReadText): void {
    const { bad, textless, pages } = this.noted;
    let document: ReadText;
    try {
      document = read();
    } catch (error) {
      bad.push({ number, start, end, message: whyUnread(error) });
      return;
    }
    const { id, text, scope, words, whyNoText } = document;
    let sketch: Uint8Array;
    try {
      sketch = this.#sketcher.sketch(text, { scope }).toBytes();
    } catch (error) {
      if (!this.#isIsolated) throw error;
      bad.push({ number, start, end, message: `the text cannot be sketched: ${(error as Error).message}` });
      return;
    }
    const { length } = typeof text === 'string' || isAscii(text) ? text : Buffer.from(text).toString();
    this.rows.add({ number, start, end, id, length, hasScope: scope !== '', sketch });
    if (whyNoText !== undefined) textless.push({ number, start, end, message: whyNoText });
    if (words !== undefined && isReported(words)) pages.push({ number, start, end, words });
  }
}

/** How a {@link JobReader} uses the module. */
interface ModuleUse {
  /** Reads lines. `JSON.parse` reads the lines that it leaves, and all without it. */
  scan?: LineScanner | undefined;
  /** Whether nothing else uses the module: a text that exhausts memory and restarts the module is then only rejected. */
  isIsolated: boolean;
}

export class JobReader {
  readonly #sketcher: Sketcher;
  readonly #settings: ReadSettings;
  readonly #scan: LineScanner | undefined;
  readonly #isIsolated: boolean;

  constructor(sketcher: Sketcher, settings: ReadSettings, { scan, isIsolated }: ModuleUse) {
    [this.#sketcher, this.#settings] = [sketcher, settings];
    [this.#scan, this.#isIsolated] = [scan, isIsolated];
  }

  async read({ bytes, texts, html, encoding }: Job): Promise<JobResult> {
    const { keepBad, ignore } = this.#settings;
    const readText = html || ignore.length > 0 ? await textReader({ isHtml: html, keepBad, ignore }) : undefined;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const documents = new Documents(this.#sketcher, this.#isIsolated);
    const { noted } = documents;
    const textFields = new Set<string>();
    if (texts !== undefined) {
      const rows = readTexts(documents, buffer, texts, readText);
      return { bytes: new Uint8Array(), documents: rows.packed, ...noted, textFields };
    }
    const rows = this.#readLines(documents, buffer, (line) => {
      const { id, text, scope, whyNoText } = readLine(line, this.#settings, encoding, textFields);
      if (readText === undefined || whyNoText !== undefined) return { id, scope, text, whyNoText };
      return { id, scope, ...readText(text) };
    });
    return { bytes, documents: rows.packed, ...noted, textFields };
  }

  #readLines(documents: Documents, buffer: Buffer, readJson: (line: Buffer) => ReadText): DocumentRows {
    const add = (span: LineSpan) => documents.add(span, () => readJson(buffer.subarray(span.start, span.end - 1)));
    const { rows } = documents;
    const scanned = this.#scanLines(buffer);
    if (scanned === undefined) {
      for (const span of linesIn(buffer)) add(span);
      return rows.finish();
    }
    /** The first row that is not in `rows`. */
    let first = 0;
    for (let at = 0; at < scanned.count; at++) {
      if (!scanned.isUnread(at)) continue;
      rows.addAll(scanned, first, at);
      add(scanned.spanAt(at));
      first = at + 1;
    }
    if (first === 0) return scanned;
    rows.addAll(scanned, first, scanned.count);
    return rows.finish();
  }

  /** Returns what the module reads; undefined if it cannot read these lines, or if it fails where nothing else uses it. */
  #scanLines(buffer: Buffer): DocumentRows | undefined {
    if (this.#scan === undefined || buffer.length > MAX_SCANNED || !isUtf8(buffer)) return undefined;
    try {
      return this.#scan(buffer);
    } catch (error) {
      if (!this.#isIsolated) throw error;
      return undefined;
    }
  }
}

function readTexts(
  documents: Documents,
  buffer: Buffer,
  texts: readonly JobText[],
  readText: ((text: string) => TextToCompare) | undefined,
): DocumentRows {
  let start = 0;
  for (const each of texts) {
    const { textEnd, id, scope } = each;
    const text = buffer.subarray(start, textEnd);
    start = textEnd;
    documents.add(each, () => ({ id, scope, ...(readText === undefined ? { text } : readText(text.toString())) }));
  }
  return documents.rows.finish();
}
