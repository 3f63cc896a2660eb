// The numbers of a run of dedupe, and what a person would want to know before deleting anything.
import type { Outcome } from '../decisions/decision.js';
import type { Id } from '../index.js';
import type { Document } from './document.js';
import { shorten } from './errors.js';
import type { Io } from './io.js';
import { count, countOf } from './progress.js';

/** A document with more duplicates than this, or than this share of all, is named; not for fewer than a handful. */
const [MANY, LARGE_SHARE, FEW] = [100, 0.1, 5];

/** The share of line breaks inside quotation marks, in rows, from which they are named. */
const MANY_BREAKS = 0.01;

/** The duplicates of a kept document. */
interface Family {
  size: number;
  /** Whether all have its words. */
  isExact: boolean;
}

/** Counts documents by their decisions. */
export class Tally {
  readonly #counts: Record<Outcome['status'], number> = { new: 0, changed: 0, unchanged: 0, duplicate: 0 };
  readonly #families = new Map<Id, Family>();
  #blank = 0;

  add({ isBlank }: Document, outcome: Outcome): void {
    this.#counts[outcome.status]++;
    if (isBlank) this.#blank++;
    if (outcome.status !== 'duplicate') return;
    const { duplicateOf, resemblance } = outcome;
    const family = this.#families.get(duplicateOf) ?? { size: 0, isExact: true };
    family.size++;
    family.isExact &&= resemblance === 1;
    this.#families.set(duplicateOf, family);
  }

  get kept(): number {
    return this.#counts.new + this.#counts.changed;
  }

  /** Returns the numbers. */
  summary({ rejected, noticed }: Io) {
    const { duplicate: duplicates, ...others } = this.#counts;
    return {
      documents: duplicates + others.new + others.changed + others.unchanged,
      ...others,
      duplicates,
      badLines: rejected,
      withoutWords: this.#blank,
      withReplacement: noticed.damaged,
      quotedLineBreaks: noticed.quotedBreaks,
    };
  }

  /** Returns sentences about what has probably gone wrong. `nameOf` returns the id of a kept document. */
  warnings(io: Io, nameOf: (key: Id) => Id): string[] {
    const { documents, withoutWords, withReplacement, quotedLineBreaks } = this.summary(io);
    const warnings: string[] = [];
    const of = (number: number) => `${count(number)} of ${countOf(documents, 'document')}`;
    if (withReplacement > 0) {
      warnings.push(
        `${of(withReplacement)} ${withReplacement === 1 ? 'contains' : 'contain'} U+FFFD (\ufffd), which a program puts in ` +
          'place of bytes that it cannot read: was the encoding right when the file was made?',
      );
    }
    if (withoutWords > 0) {
      warnings.push(
        `${of(withoutWords)} ${withoutWords === 1 ? 'has' : 'have'} no words, so nothing resembles them: are the text field and ` +
          'the encoding right?',
      );
    }
    if (quotedLineBreaks > MANY_BREAKS * io.noticed.rows) {
      warnings.push(
        `${countOf(quotedLineBreaks, 'line break')} ${quotedLineBreaks === 1 ? 'is' : 'are'} inside quotation marks, in ` +
          `${countOf(io.noticed.rows, 'row')}: if these are plain characters in the file, --quote none reads each line as a row`,
      );
    }
    const [key, { size, isExact }] = [...this.#families].reduce(
      (most, next) => (next[1].size > most[1].size ? next : most),
      ['', { size: 0, isExact: true }] as [Id, Family],
    );
    if (size > MANY || (size >= FEW && size > LARGE_SHARE * documents)) {
      const advice = isExact
        ? 'They have its words: is it an error page, or is --text-field wrong?'
        : 'If they say different things, -m 0.9 or --scope-field keeps more of them';
      warnings.push(`${of(size)} are duplicates of ${shorten(String(nameOf(key)))}. ${advice}`);
    }
    return warnings;
  }
}
