// Two texts as one line for a terminal, with the words that differ.
import { count, oneLine } from '../node/errors.js';
import { type DiffLimits, type DiffRun, diff } from '../report/text-diff.js';

/** The number of characters that are compared, shown of an equal part on each side of a change, and shown of a change. */
const [MAX_COMPARED, CONTEXT, MAX_CHANGE] = [20_000, 40, 80];

/** The number of changes that are shown. */
const MAX_CHANGES = 6;

/** The texts are for a glance, so a pair that differs in more words is shown as replaced. */
const limits: DiffLimits = { maxEditLength: 1500 };

/** Returns a text on one line, without its middle if it is longer than `max` characters. */
function shortened(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= max) return line;
  return `${line.slice(0, Math.ceil(max / 2))}…${line.slice(line.length - Math.floor(max / 2))}`;
}

/** Returns an equal part, with the words next to the changes around it. */
function equalPart(text: string, isFirst: boolean, isLast: boolean): string {
  const line = text.replace(/\s+/g, ' ');
  if (isFirst && isLast) return shortened(line, 2 * CONTEXT);
  if (isFirst) return line.length > CONTEXT ? `…${line.slice(-CONTEXT)}` : line;
  if (isLast) return line.length > CONTEXT ? `${line.slice(0, CONTEXT)}…` : line;
  return shortened(line, 2 * CONTEXT);
}

/** Returns a run without a change of white space: line breaks often differ, and make no difference. */
function withoutSpaces(run: DiffRun): DiffRun[] {
  if (run.op === 'same' || `${run.before}${run.after}`.trim() !== '') return [run];
  return run.op === 'del' ? [] : [{ op: 'same', before: run.after, after: run.after }];
}

/** Returns two texts as `git diff --word-diff` prints them: what only the first one has as `[-…-]`, the second one as `{+…+}`. */
export function wordDiff(first: string, second: string): string {
  const runs = diff(first.slice(0, MAX_COMPARED), second.slice(0, MAX_COMPARED), limits).flatMap(withoutSpaces);
  const isCut = Math.max(first.length, second.length) > MAX_COMPARED;
  const changes = runs.flatMap(({ op }, at) => (op === 'same' ? [] : [at]));
  const end = changes.length > MAX_CHANGES ? changes[MAX_CHANGES] : runs.length;
  const partOf = ({ op, before, after }: DiffRun, at: number) => {
    if (op === 'del') return `[-${shortened(before, MAX_CHANGE)}-]`;
    if (op === 'ins') return `{+${shortened(after, MAX_CHANGE)}+}`;
    return equalPart(after, at === 0, at === end - 1);
  };
  const more = changes.length > MAX_CHANGES ? ` (and ${changes.length - MAX_CHANGES} more changes)` : '';
  const cut = isCut ? ` (of the first ${count(MAX_COMPARED)} characters)` : '';
  return `${oneLine(runs.slice(0, end).map(partOf).join(''))}${more}${cut}`;
}
