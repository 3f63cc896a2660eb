// The documents of a run for the report of --report-html, which shows the texts of some: they are read again.
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import { type JsonObject, memberAt, textOf } from '../node/fields.js';
import { textReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { groupOf } from '../report/group.js';
import type { InputIo } from './chunks.js';
import { reason, shorten } from './errors.js';
import { type Input, readInput } from './input.js';

/** Returns whether a file can be read a second time: standard input and other pipes cannot. */
const isLasting = ({ path }: Input): boolean =>
  path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;

/** The texts of pipes, in a temporary file. */
class Spool {
  #folder: string | null = null;
  #lines = 0;
  /** The file; '' before the first line. */
  path = '';

  /** Adds a text and returns its place in the spool. */
  add(text: string): string {
    if (this.#folder === null) {
      this.#folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
      this.path = join(this.#folder, 'lines');
      writeFileSync(this.path, '', { mode: 0o600 });
    }
    appendFileSync(this.path, `${JSON.stringify({ text })}\n`);
    return `${this.path}:${++this.#lines}`;
  }

  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A document of the run. */
export interface ReportedDocument {
  /** Its id, or its place. */
  readonly name: Id;
  readonly place: string;
  /** The name of its file. */
  readonly file: string;
  readonly fields: JsonObject;
}

/** A document in the report. */
export interface ReportText {
  name: string;
  text: string;
}

/** The documents of a run, and where their texts are. */
export class ReportTexts {
  readonly #inputs: readonly Input[];
  readonly #settings: ReadSettings;
  readonly #groupField: string | undefined;
  /** The names of the files that cannot be read again. */
  readonly #passing: Set<string>;
  readonly #spool = new Spool();
  readonly #names: string[] = [];
  readonly #places: string[] = [];
  readonly #groups: string[] = [];
  #hasGroups = false;

  constructor(inputs: readonly Input[], settings: ReadSettings, groupField: string | undefined) {
    this.#inputs = inputs;
    this.#settings = settings;
    this.#groupField = groupField;
    this.#passing = new Set(inputs.filter((input) => !isLasting(input)).map(({ name }) => name));
  }

  get length(): number {
    return this.#names.length;
  }

  add({ name, place, file, fields }: ReportedDocument): void {
    this.#names.push(shorten(String(name)));
    this.#places.push(this.#passing.has(file) ? this.#spool.add(textOf(fields, this.#settings.textField)) : place);
    const field = this.#groupField;
    const group = field === undefined ? groupOf(fields) : groupOf({ group: memberAt(fields, field) }, ['group']);
    this.#hasGroups ||= group !== undefined;
    this.#groups.push(group === undefined ? '' : shorten(group));
  }

  /** Returns the groups of the documents at positions; undefined if no document has one. */
  groupsOf(positions: readonly number[]): string[] | undefined {
    return this.#hasGroups ? positions.map((at) => this.#groups[at]) : undefined;
  }

  /** Resolves to the documents at positions. */
  async read(positions: readonly number[]): Promise<Map<number, ReportText>> {
    /** The positions of each place that is not read yet. A file may be given twice. */
    const wanted = new Map<string, number[]>();
    for (const at of positions) {
      const place = this.#places[at];
      wanted.set(place, [...(wanted.get(place) ?? []), at]);
    }
    const texts = new Map<number, ReportText>();
    const { textField, ...settings } = this.#settings;
    const { path } = this.#spool;
    const sources: [Input, ReadSettings][] = this.#inputs
      .filter(({ name }) => !this.#passing.has(name))
      .map((input) => [input, this.#settings]);
    if (path !== '')
      sources.push([
        { path, name: path, format: 'jsonl' },
        { ...settings, textField: 'text' },
      ]);
    for (const [input, settings] of sources) {
      if (wanted.size === 0) break;
      try {
        await this.#readFile(input, settings, wanted, texts);
      } catch (error) {
        throw new UserError(`--report-html: ${input.name} cannot be read again: ${reason(error)}`);
      }
    }
    if (wanted.size > 0) throw new UserError('--report-html: the input has changed since it was read');
    return texts;
  }

  async #readFile(
    input: Input,
    settings: ReadSettings,
    wanted: Map<string, number[]>,
    texts: Map<number, ReportText>,
  ): Promise<void> {
    // Read after Ctrl+C too, so the signal is another one.
    const io: InputIo = { signal: new AbortController().signal, onRead() {}, reject() {} };
    for await (const batch of readInput(input, settings, io)) {
      const readText = await textReader(batch.isHtml);
      for (const { number, read } of batch.records()) {
        const place = batch.placeOf(number);
        const positions = wanted.get(place);
        if (positions === undefined) continue;
        wanted.delete(place);
        const text = readText(read().text);
        for (const at of positions) texts.set(at, { name: this.#names[at], text });
      }
    }
  }

  close(): void {
    this.#spool.remove();
  }
}
