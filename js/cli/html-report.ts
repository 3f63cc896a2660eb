// The option --report-html: collects the decisions of a run, and writes the report.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../dedupe/decision.js';
import { Deduplicator, type Id, MIN_FEATURES } from '../index.js';
import { reason, shorten, UserError } from '../node/errors.js';
import { textReader } from '../node/html.js';
import type { ReadSettings } from '../node/job.js';
import type { ReportText } from '../report/pairs.js';
import { reportHtml } from '../report/report.js';
import { EARLIER, NONE, select } from '../report/select.js';
import type { Document } from './batch.js';
import { silentIo } from './chunks.js';
import { canReadAgain } from './file-system.js';
import type { Input } from './input-file.js';
import type { Values } from './options.js';
import type { Original } from './original.js';
import { Output } from './output.js';
import { readInput } from './read-input.js';
import type { RepeatedIds } from './repeated-ids.js';
import type { Selection } from './selection.js';

const MAX_NAMED = 20;

/** Returns the names of files for a report, which names only some of many. */
function namesOf(inputs: readonly Input[]): string[] {
  const names = inputs.slice(0, MAX_NAMED).map(({ name }) => name);
  if (inputs.length > MAX_NAMED) names.push('…');
  return names;
}

/** Yields the documents of files that are read a second time. An error of a file is passed to `fail`, and the rest continues. */
async function* readAgain(
  inputs: readonly Input[],
  reading: ReadSettings,
  fail: (name: string, error: unknown) => void,
): AsyncGenerator<{ name: string; place: string; text(): string }, void, undefined> {
  // After Ctrl+C too, so this signal is never aborted.
  const io = silentIo();
  for (const { copy, ...input } of inputs) {
    try {
      for await (const batch of readInput({ ...input, path: copy ?? input.path }, reading, io)) {
        const readText = await textReader({ isHtml: batch.isHtml, keepBad: reading.keepBad, ignore: reading.ignore });
        for (const { number, read } of batch.entries) {
          yield { name: input.name, place: batch.placeOf(number), text: () => readText(read().text).text };
        }
      }
    } catch (error) {
      fail(input.name, error);
    }
  }
}

/** Creates a folder for copies of pipes. */
function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'nearprint-'));
  } catch (error) {
    throw new UserError(
      `--report-html: no folder for a copy of the input can be created in ${tmpdir()}: ${reason(error)}`,
    );
  }
}

interface NamedDocument {
  /** Its id, or its place. */
  readonly name: Id;
  readonly place: string;
}

/** The decisions of a run, and the file of --report-html. It shows the texts of some documents, which are read again. */
export class HtmlReport {
  /** The files to read. While a pipe is read, its content is copied to a file, so that it can be read again. */
  readonly inputs: readonly Input[];
  readonly #output: Output;
  readonly #values: Values;
  readonly #reading: ReadSettings;
  readonly #scheme: string;
  /** The folder of the copies, if there are any. */
  #folder: string | undefined;
  readonly #documents: NamedDocument[] = [];
  /** The decisions on them. */
  readonly #decisions = { nearest: [] as number[], resemblances: [] as number[], isDropped: [] as number[] };
  /** The kept documents by their positions. */
  readonly #nearby: Deduplicator<number>;
  /** The positions of kept documents by their keys. */
  readonly #kept = new Map<Id, number>();
  /** The number of documents with short texts. */
  #short = 0;

  private constructor(output: Output, given: readonly Input[], values: Values, reading: ReadSettings, scheme: string) {
    [this.#output, this.#values, this.#reading, this.#scheme] = [output, values, reading, scheme];
    this.#nearby = new Deduplicator<number>({ scheme });
    this.inputs = given.map((input, at): Input => {
      if (canReadAgain(input.path)) return input;
      this.#folder ??= makeFolder();
      return { ...input, copy: join(this.#folder, String(at)) };
    });
  }

  /** Creates the file that --report-html names. Undefined without this option. */
  static create(
    inputs: readonly Input[],
    values: Values,
    reading: ReadSettings,
    scheme: string,
  ): HtmlReport | undefined {
    const output = Output.create(values, 'report-html');
    return output && new HtmlReport(output, inputs, values, reading, scheme);
  }

  /** Adds decided documents. A document that is unchanged since an earlier run is left out. */
  take(decided: Selection): void {
    for (const document of decided) {
      const { outcome, key } = document;
      const version = key === undefined ? undefined : this.#kept.get(key);
      if (outcome === undefined || (outcome.status === 'unchanged' && version === undefined)) continue;
      const at = this.#add(document);
      if (document.isKept) this.#addKept(document, at, version);
      else this.#addDropped(outcome, key);
    }
  }

  /** Adds a document, and returns its position. */
  #add(document: Document): number {
    const { sketch, name, place, isKept } = document;
    if (sketch.isShort) this.#short++;
    this.#decisions.isDropped.push(Number(!isKept));
    return this.#documents.push({ name, place }) - 1;
  }

  #addDropped(outcome: Outcome<Original>, key: Id | undefined): void {
    const isDuplicate = outcome.status === 'duplicate';
    const original = isDuplicate ? outcome.duplicateOf.key : key;
    this.#decisions.nearest.push((original === undefined ? undefined : this.#kept.get(original)) ?? EARLIER);
    this.#decisions.resemblances.push(isDuplicate ? outcome.resemblance : 1);
  }

  /** Adds the decision on a kept document at a position. `version` is the position of the version that it replaces. */
  #addKept({ sketch, key }: Document, at: number, version: number | undefined): void {
    const [near] = this.#nearby.query(sketch, { minResemblance: 0 });
    this.#decisions.nearest.push(near?.id ?? NONE);
    this.#decisions.resemblances.push(near?.resemblance ?? 0);
    // Later documents are not compared with this one.
    if (this.#values['against-only']) return;
    this.#nearby.add(at, sketch);
    if (version !== undefined) this.#nearby.delete(version);
    if (key !== undefined) this.#kept.set(key, at);
  }

  /** Writes the report of everything that `take` received. Documents of ids that repeat are named by their places too. */
  async write(minResemblance: number, repeated: RepeatedIds): Promise<void> {
    const selection = select(this.#decisions);
    const texts = await this.#textsOf(selection.wanted, repeated);
    const [scheme, short, names] = [this.#scheme, this.#short, namesOf(this.inputs)];
    const data = { ...selection, scheme, short, few: MIN_FEATURES, minResemblance, texts, names };
    await this.#output.write(reportHtml(data, this.#values['report-language'] ?? 'en'));
    await this.#output.close();
  }

  /** Resolves to the texts of documents by their positions. */
  async #textsOf(positions: Iterable<number>, repeated: RepeatedIds): Promise<Map<number, ReportText>> {
    /** The positions of each place whose document is not read yet. A file may be given twice. */
    const wanted = new Map<string, number[]>();
    for (const at of positions) {
      const { place } = this.#documents[at];
      wanted.set(place, [...(wanted.get(place) ?? []), at]);
    }
    const texts = new Map<number, ReportText>();
    let failure: string | undefined;
    const fail = (name: string, error: unknown) => {
      failure ??= `${name} cannot be read again: ${reason(error)}`;
    };
    for await (const { name, place, text } of readAgain(this.inputs, this.#reading, fail)) {
      if (wanted.size === 0) break;
      try {
        for (const at of wanted.get(place) ?? []) {
          texts.set(at, { name: shorten(repeated.nameOf(this.#documents[at])), text: text() });
        }
        wanted.delete(place);
      } catch (error) {
        fail(name, error);
      }
    }
    if (wanted.size > 0) throw new UserError(`--report-html: ${failure ?? 'the input has changed since it was read'}`);
    return texts;
  }

  close(): void {
    this.#nearby.free();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
