// The numbers of a run of dedupe, and what a person would want to know before deleting anything.
import type { Outcome } from '../dedupe/decision.js';
import type { Id } from '../index.js';
import { count, countOf, shorten } from '../node/errors.js';
import { isLargeFamily } from '../report/notices.js';
import type { Batch } from './batch.js';
import { Document } from './batch.js';
import type { Io } from './io.js';
import type { Original } from './original.js';
import { pageWarnings } from './pages.js';
import type { RepeatedIds } from './repeated-ids.js';

/** The threshold that the advice about a large family names. */
const HIGHER = 0.9;

/** Formats a number of all documents as the subject of a sentence with one of two verbs. */
const some = (number: number, documents: number, [one, many]: readonly [string, string]): string =>
  `${count(number)} of ${countOf(documents, 'document')} ${number === 1 ? one : many}`;

/** Returns sentences about documents that were probably read in a wrong way. `blank` is the number without words. */
export function readingWarnings(io: Io, documents: number, blank: number) {
  const { noticed } = io;
  const { joinedRows, longest, textless } = noticed;
  const warnings = [...io.pathWarnings(), ...pageWarnings(noticed)];
  if (textless.count > 0)
    warnings.push(
      `${some(textless.count, documents, ['has no text and is not compared', 'have no text and are not compared'])} ` +
        `(--keep-bad)${textless.count === 1 ? ': ' : ', such as '}${shorten(textless.first)}`,
    );
  const wordless = blank - textless.count;
  if (wordless > 0) {
    const verb = ['has no words, so nothing resembles it', 'have no words, so nothing resembles them'] as const;
    warnings.push(`${some(wordless, documents, verb)}: are the text field and the encoding right?`);
  }
  if (joinedRows > 0) {
    const [verb, most] = joinedRows === 1 ? ['is', ''] : ['are', `, ${count(longest.rows)} of them in one row`];
    warnings.push(
      `${countOf(joinedRows, 'line')} like a row ${verb} inside quotation marks${most} (${longest.place}): if the marks are plain ` +
        'characters in the file, --quote none reads each line as a row',
    );
  }
  return warnings;
}

/** Returns the numbers of what looks like documents and was not read, for which the exit code is 2. */
export const unreadParts = ({ rejected, unread }: Io): string[] => [
  ...(rejected > 0 ? [countOf(rejected, 'bad line')] : []),
  ...(unread > 0 ? [`${countOf(unread, 'file')} with an error`] : []),
];

/** Returns a sentence about ids that occur more than once or, if ids identify documents, with several texts. */
export function repetitionWarning(ids: number, hasIdentities: boolean): string {
  const subject = `${countOf(ids, 'id')} ${ids === 1 ? 'occurs' : 'occur'} more than once`;
  if (!hasIdentities) return `${subject}: use the place, not the id`;
  return `${subject} in the input with different texts, which count as versions of one document: do the ids identify documents?`;
}

/** The duplicates of a kept document. */
interface Family {
  size: number;
  /** The least similar one. */
  least: { name: Id; place: string; resemblance: number };
}

export class Tally {
  readonly #counts: Record<Outcome['status'], number> = { new: 0, changed: 0, unchanged: 0, duplicate: 0 };
  readonly #families = new Map<Original, Family>();
  #blank = 0;
  /** Whether a document has fields. */
  #hasFields = false;

  /** Counts the first `count` documents of a batch, if they are decided. */
  add(batch: Batch, count: number): void {
    const { decisions, file } = batch;
    if (decisions === undefined) return;
    for (let at = 0; at < count; at++) {
      if (!decisions.isDecided(at)) continue;
      this.#counts[decisions.statusAt(at)]++;
      this.#hasFields ||= !['text', 'html', 'lines'].includes(file.format);
      if (batch.isBlankAt(at)) this.#blank++;
      const original = decisions.originalAt(at);
      if (original !== undefined) this.#addDuplicate(original, batch, at, decisions.resemblanceAt(at));
    }
  }

  #addDuplicate(original: Original, batch: Batch, at: number, resemblance: number): void {
    const family = this.#families.get(original);
    if (family !== undefined) family.size++;
    if (family !== undefined && resemblance >= family.least.resemblance) return;
    const { name, place } = new Document(batch, at);
    const least = { name, place, resemblance };
    if (family === undefined) this.#families.set(original, { size: 1, least });
    else family.least = least;
  }

  summary({ rejected, unread, skipped, repeatedPaths, exclusion, noticed }: Io, { count: repeatedIds }: RepeatedIds) {
    const { duplicate: duplicates, ...others } = this.#counts;
    return {
      documents: duplicates + others.new + others.changed + others.unchanged,
      ...others,
      duplicates,
      badLines: rejected,
      withoutText: noticed.textless.count,
      repeatedIds,
      repeatedPaths: repeatedPaths.length,
      excluded: exclusion?.count ?? 0,
      withoutWords: this.#blank,
      joinedRows: noticed.joinedRows,
      shortPages: noticed.shortPages.count,
      partialPages: noticed.partialPages.count,
      filesNotRead: unread + skipped.count,
    };
  }

  /** Returns sentences about what has probably gone wrong. `hasIdentities` states whether ids identify documents. */
  warnings(io: Io, repeated: RepeatedIds, hasIdentities: boolean): string[] {
    const { documents, withoutWords } = this.summary(io, repeated);
    const warnings = readingWarnings(io, documents, withoutWords);
    if (repeated.count > 0) warnings.push(repetitionWarning(repeated.count, hasIdentities));
    const [largest] = [...this.#families].sort(([, a], [, b]) => b.size - a.size);
    if (largest === undefined || !isLargeFamily(largest[1].size, documents)) return warnings;
    const [original, { size, least }] = largest;
    const family = `${some(size, documents, ['is', 'are'])} duplicates of ${shorten(repeated.nameOf(original))}`;
    if (least.resemblance === 1) {
      warnings.push(`${family}. They have its words: is it an error page, or is --text-field wrong?`);
      return warnings;
    }
    const share = Math.floor(100 * least.resemblance);
    const advice = this.#hasFields ? ['--scope-field keeps apart documents that differ in a field'] : [];
    if (least.resemblance < HIGHER) advice.push(`-m ${HIGHER} keeps apart those that share fewer words`);
    const remedy = advice.length > 0 ? `. If they say different things, ${advice.join(', and ')}` : '';
    const name = shorten(repeated.nameOf(least));
    warnings.push(`${family}. The least similar, ${name}, shares ${share} % of its word pairs with it${remedy}`);
    return warnings;
  }
}
