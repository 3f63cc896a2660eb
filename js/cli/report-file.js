// The option --report-html: collects what a run decides, reads the texts to show again, and writes the report.
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deduplicator, MIN_FEATURES } from '../index.js';
import { htmlReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { groupOf } from '../report/group.js';
import { reportHtml } from '../report/report.js';
import { EARLIER, NONE, select } from '../report/select.js';
import { reason } from './errors.js';
import { lineBatches, nameOf } from './input.js';
import { Output } from './output.js';

/** A deduplicator with this threshold returns the nearest kept document, whatever its resemblance is. */
const ANY = Number.MIN_VALUE;

/** Returns a function from the bytes of a good line to its object and its text. */
export async function lineReader({ textField, html }) {
  const mainText = html ? await htmlReader() : (text) => text;
  return (bytes) => {
    const object = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    return { object, text: () => mainText(object[textField]) };
  };
}

/** Whether a file can be read a second time: standard input and other pipes cannot. */
const isLasting = (path) => path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;

/** The lines of pipes, in a file of their own: the report needs some of them again. */
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
  #files;
  /** The names of the files whose lines are in the spool. */
  #passing;
  #groupFields;
  #read;
  #spool = new Spool();
  #ids = [];
  #names = [];
  #numbers = [];
  #groups = [];
  #hasGroups = false;

  constructor(files, groupField, read) {
    this.#files = new Set(files);
    this.#passing = new Set(files.filter((path) => !isLasting(path)).map(nameOf));
    this.#groupFields = groupField === undefined ? undefined : [groupField];
    this.#read = read;
  }

  get length() {
    return this.#ids.length;
  }

  add({ id, name, line, bytes }) {
    this.#ids.push(id);
    this.#names.push(name);
    this.#numbers.push(this.#passing.has(name) ? this.#spool.add(bytes) : line);
    const { object } = this.#read(bytes);
    const group = groupOf(object, this.#groupFields);
    this.#hasGroups ||= group !== undefined;
    this.#groups.push(group ?? '');
  }

  groupsOf(positions) {
    return this.#hasGroups ? positions.map((at) => this.#groups[at]) : undefined;
  }

  /** Resolves to a Map from positions to `{ name, text }`. */
  async texts(positions) {
    const wanted = new Map();
    for (const at of positions) {
      const name = this.#names[at];
      if (!wanted.has(name)) wanted.set(name, new Map());
      const ofFile = wanted.get(name);
      const number = this.#numbers[at];
      ofFile.set(number, [...(ofFile.get(number) ?? []), at]);
    }
    const texts = new Map();
    for (const path of this.#files) {
      const name = nameOf(path);
      if (!wanted.has(name)) continue;
      try {
        await this.#readFile(this.#passing.has(name) ? this.#spool.path : path, wanted.get(name), texts);
      } catch (error) {
        throw new UserError(`--report-html: ${name} cannot be read again: ${reason(error)}`);
      }
    }
    if (positions.some((at) => !texts.has(at)))
      throw new UserError('--report-html: the input has changed since it was read');
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
  #names;
  lines;

  constructor(files, output, language, lines) {
    this.#names = files.map(nameOf);
    this.#output = output;
    this.#language = language;
    this.lines = lines;
  }

  /** Resolves to null without the option. */
  static async create(files, { reportHtml: path, reportLanguage, groupField, reading }) {
    if (path === undefined) return null;
    const read = await lineReader(reading);
    const lines = new Lines(files, groupField, read);
    return new ReportFile(files, Output.create(path, '--report-html'), reportLanguage, lines);
  }

  /**
   * Writes the report of decisions (report/select.js), whose documents are those at `positions` of the lines. `others` is
   * what the report takes beside the selection and the texts.
   */
  async write(decisions, positions, others) {
    const selection = select({ ...decisions, groups: this.lines.groupsOf(positions) });
    const wanted = [...selection.wanted];
    const found = await this.lines.texts(wanted.map((at) => positions[at]));
    const texts = new Map(wanted.map((at) => [at, found.get(positions[at])]));
    const data = { ...selection, ...others, texts, names: this.#names, few: MIN_FEATURES };
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

  /** Takes documents in the order of the decisions. */
  take(documents) {
    for (const document of documents) {
      const { hit, stored, summary: sketch } = document;
      if (hit === undefined && stored === undefined) continue;
      const at = this.#report.lines.length;
      this.#report.lines.add(document);
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

  async write() {
    const decisions = { nearest: this.#nearest, resemblances: this.#resemblances, isDropped: this.#isDropped };
    const others = { ...this.#rule, short: this.#short };
    await this.#report.write(decisions, [...decisions.nearest.keys()], others);
  }

  close() {
    this.#near.free();
    this.#report.close();
  }
}
