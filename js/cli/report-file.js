// The option --report-html: collects what a run decides, reads the texts to show again, and writes the report.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deduplicator, MIN_FEATURES, Sketch } from '../index.js';
import { htmlReader } from '../node/html.js';
import { groupOf } from '../report/group.js';
import { reportHtml } from '../report/report.js';
import { EARLIER, NONE, select } from '../report/select.js';
import { lineBatches, nameOf } from './input.js';
import { Output } from './output.js';

/** A deduplicator with this threshold returns the nearest kept document, whatever its resemblance is. */
const ANY = Number.MIN_VALUE;

const STDIN = nameOf('-');

/** Returns a function from the bytes of a good line to its object and its text. */
export async function lineReader({ textField, html }) {
  const mainText = html ? await htmlReader() : (text) => text;
  return (bytes) => {
    const object = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    return { object, text: () => mainText(object[textField]) };
  };
}

/** The lines of standard input, in a file of their own: the report needs some of them again. */
class Spool {
  #folder = null;
  #lines = 0;

  get path() {
    return join(this.#folder, 'lines');
  }

  /** Returns the number of the line. */
  add(bytes) {
    if (this.#folder === null) {
      this.#folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
      writeFileSync(this.path, '', { mode: 0o600 });
    }
    appendFileSync(this.path, bytes);
    return ++this.#lines;
  }

  remove() {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The documents of a run, and where the line of each is. */
class Lines {
  #groupFields;
  #read;
  #spool = new Spool();
  #ids = [];
  #names = [];
  #numbers = [];
  #groups = [];
  #hasGroups = false;

  constructor(groupField, read) {
    this.#groupFields = groupField === undefined ? undefined : [groupField];
    this.#read = read;
  }

  get length() {
    return this.#ids.length;
  }

  /** Takes a document with its line as `bytes`. */
  add({ id, line, bytes }, name) {
    this.#ids.push(id);
    this.#names.push(name);
    this.#numbers.push(name === STDIN ? this.#spool.add(bytes) : line);
    const { object } = this.#read(bytes);
    const group = groupOf(object, this.#groupFields);
    this.#hasGroups ||= group !== undefined;
    this.#groups.push(group ?? '');
  }

  groupsOf(positions) {
    return this.#hasGroups ? positions.map((at) => this.#groups[at]) : undefined;
  }

  /** Resolves to a Map from positions to `{ name, text }`. */
  async texts(positions, files) {
    const wanted = new Map();
    for (const at of positions) {
      const name = this.#names[at];
      if (!wanted.has(name)) wanted.set(name, new Map());
      const ofFile = wanted.get(name);
      const number = this.#numbers[at];
      ofFile.set(number, [...(ofFile.get(number) ?? []), at]);
    }
    const texts = new Map();
    for (const path of new Set(files)) {
      const ofFile = wanted.get(nameOf(path));
      if (ofFile === undefined) continue;
      await this.#readFile(path === '-' ? this.#spool.path : path, ofFile, texts);
    }
    return texts;
  }

  async #readFile(path, wanted, texts) {
    // Written after Ctrl+C too, so the signal is another one.
    const io = { signal: new AbortController().signal, onRead() {}, bad() {} };
    for await (let { line, bytes } of lineBatches(path, io)) {
      for (let start = 0; start < bytes.length; line++) {
        const end = bytes.indexOf(10, start) + 1;
        for (const at of wanted.get(line) ?? []) {
          const text = this.#read(bytes.subarray(start, end)).text();
          texts.set(at, { name: String(this.#ids[at]), text });
        }
        start = end;
      }
    }
  }

  close() {
    this.#spool.remove();
  }
}

/** The file that --report-html names. */
export class ReportFile {
  #output;
  #language;
  lines;

  constructor(output, language, lines) {
    this.#output = output;
    this.#language = language;
    this.lines = lines;
  }

  /** Resolves to null without the option. */
  static async create({ reportHtml: path, reportLanguage, groupField, reading }) {
    if (path === undefined) return null;
    const read = await lineReader(reading);
    return new ReportFile(Output.create(path, '--report-html'), reportLanguage, new Lines(groupField, read));
  }

  /**
   * Writes the report of decisions (report/select.js), whose documents are those at `positions` of the lines. `others` is
   * what the report takes beside the selection and the texts.
   */
  async write(decisions, positions, files, others) {
    const selection = select({ ...decisions, groups: this.lines.groupsOf(positions) });
    const wanted = [...selection.wanted];
    const found = await this.lines.texts(
      wanted.map((at) => positions[at]),
      files,
    );
    const texts = new Map(wanted.map((at) => [at, found.get(positions[at])]));
    const names = files.map(nameOf);
    const data = { ...selection, ...others, texts, names, few: MIN_FEATURES };
    await this.#output.write(reportHtml(data, this.#language));
    await this.#output.close();
  }

  close() {
    this.lines.close();
  }
}

/** What `dedupe` decides, for its report. */
export class Decisions {
  #report;
  #near;
  #rule;
  /** The positions of kept documents, by their ids in the index. */
  #kept = new Map();
  #nearest = [];
  #resemblances = [];
  #isDropped = [];
  #short = 0;

  constructor(report, { scheme, minResemblance }) {
    this.#report = report;
    this.#rule = { scheme, minResemblance };
    this.#near = new Deduplicator({ scheme, minResemblance: ANY });
  }

  /** Takes documents in the order of the decisions, each with its line as `bytes`. */
  take(documents, name) {
    for (const document of documents) {
      const { hit, stored, summary } = document;
      if (hit === undefined && stored === undefined) continue;
      const at = this.#report.lines.length;
      this.#report.lines.add(document, document.name ?? name);
      const sketch = Sketch.fromBytes(summary);
      if (sketch.isShort) this.#short++;
      this.#isDropped.push(hit === undefined ? 0 : 1);
      if (hit !== undefined) {
        this.#nearest.push(this.#kept.get(hit.id) ?? EARLIER);
        this.#resemblances.push(hit.resemblance);
        continue;
      }
      const near = this.#near.query(sketch);
      this.#nearest.push(near?.id ?? NONE);
      this.#resemblances.push(near?.resemblance ?? 0);
      this.#near.add(at, sketch);
      this.#kept.set(stored, at);
    }
  }

  async write(files) {
    const decisions = { nearest: this.#nearest, resemblances: this.#resemblances, isDropped: this.#isDropped };
    const others = { ...this.#rule, short: this.#short };
    await this.#report.write(decisions, [...decisions.nearest.keys()], files, others);
  }

  close() {
    this.#near.free();
    this.#report.close();
  }
}
