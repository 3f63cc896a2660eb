// The documents of a run for the report of --report-html, which shows the texts of some: they are read again.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import { type JsonObject, memberAt } from '../node/fields.js';
import { textReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { groupOf } from '../report/group.js';
import type { InputIo } from './chunks.js';
import { reason, shorten } from './errors.js';
import { type Input, readInput } from './input.js';

/** Returns whether a file can be read a second time: standard input and other pipes cannot. */
const isLasting = ({ path }: Input): boolean =>
  path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;

/** A document of the run. */
export interface ReportedDocument {
  /** Its id, or its place. */
  readonly name: Id;
  readonly place: string;
  readonly fields: JsonObject;
}

/** A document in the report. */
export interface ReportText {
  name: string;
  text: string;
}

/** The documents of a run, and where their texts are. */
export class ReportTexts {
  /** The files to read: the content of a pipe is copied meanwhile. */
  readonly inputs: readonly Input[];
  readonly #settings: ReadSettings;
  readonly #groupField: string | undefined;
  /** The temporary folder of the copies. */
  #folder: string | undefined;
  readonly #names: string[] = [];
  readonly #places: string[] = [];
  readonly #groups: string[] = [];
  #hasGroups = false;

  constructor(inputs: readonly Input[], settings: ReadSettings, groupField: string | undefined) {
    this.#settings = settings;
    this.#groupField = groupField;
    this.inputs = inputs.map((input, at) => {
      if (isLasting(input)) return input;
      this.#folder ??= mkdtempSync(join(tmpdir(), 'nearprint-'));
      return { ...input, copy: join(this.#folder, String(at)) };
    });
  }

  get length(): number {
    return this.#names.length;
  }

  add({ name, place, fields }: ReportedDocument): void {
    this.#names.push(shorten(String(name)));
    this.#places.push(place);
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
    let failure: string | undefined;
    for (const input of this.inputs) {
      try {
        await this.#readFile(input, wanted, texts);
      } catch (error) {
        // It matters only if the file had documents of the report.
        failure ??= `${input.name} cannot be read again: ${reason(error)}`;
      }
    }
    if (wanted.size === 0) return texts;
    throw new UserError(`--report-html: ${failure ?? 'the input has changed since it was read'}`);
  }

  async #readFile(
    { copy, ...input }: Input,
    wanted: Map<string, number[]>,
    texts: Map<number, ReportText>,
  ): Promise<void> {
    if (wanted.size === 0) return;
    // Read after Ctrl+C too, so the signal is another one.
    const io: InputIo = { signal: new AbortController().signal, onRead() {}, reject() {} };
    for await (const batch of readInput({ ...input, path: copy ?? input.path }, this.#settings, io)) {
      const readText = await textReader(batch.isHtml);
      for (const { number, read } of batch.records()) {
        const place = batch.placeOf(number);
        const positions = wanted.get(place);
        if (positions === undefined) continue;
        wanted.delete(place);
        const text = readText(read().text);
        for (const at of positions) texts.set(at, { name: this.#names[at], text });
      }
      if (wanted.size === 0) return;
    }
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
