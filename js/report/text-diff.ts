// Compares two texts by words regardless of case, and by characters in scripts written without spaces.
import { diffArrays } from 'diff';

/** A part of two texts: the same in both except for case, only in the first one, or only in the second one. */
export interface DiffRun {
  op: 'same' | 'del' | 'ins';
  /** The part of the first text, '' if it has none. */
  before: string;
  /** The part of the second text, '' if it has none. */
  after: string;
}

/** The limits of a comparison. Time and memory grow with the square of the edits. */
export interface DiffLimits {
  /** The maximum number of tokens to delete and insert. */
  maxEditLength: number;
  /** The maximum time in milliseconds, beyond which the result depends on the machine. */
  timeout?: number;
}

let token: RegExp | undefined;

/** Returns the words, characters of scripts written without spaces, white space and single other characters of a text. */
export function tokensOf(text: string): string[] {
  // Compiled at first use: this is slow in V8, and most runs of the command line compare no texts.
  token ??= new RegExp(
    String.raw`\p{RGI_Emoji}|` +
      String.raw`[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]+|` +
      String.raw`\s+|.`,
    'gsv',
  );
  return text.match(token) ?? [];
}

/** Splits a text into sentences and lines, for texts that differ in too many words. */
const sentencesOf = (text: string): string[] =>
  text.match(/[^.!?。！？\n]*(?:[.!?。！？]+|\n|$)\s*/g)?.filter(Boolean) ?? [];

/**
 * Returns the runs of two texts, in order. Each change is one deletion, one insertion, or both. Texts whose words differ beyond the
 * limits are compared by sentences; if these do too, the whole text counts as changed.
 */
export function diff(before: string, after: string, limits: DiffLimits): DiffRun[] {
  for (const split of [tokensOf, sentencesOf]) {
    const [a, b] = [split(before), split(after)];
    const [lowerA, lowerB] = [a, b].map((tokens) => tokens.map((token) => token.toLowerCase()));
    // Undefined beyond the limits.
    const changes = diffArrays(lowerA, lowerB, limits);
    if (changes === undefined) continue;
    let [atA, atB] = [0, 0];
    const runs: DiffRun[] = [];
    // Deletions and insertions can alternate within one change.
    let change = { del: '', ins: '' };
    const endChange = () => {
      if (change.del !== '') runs.push({ op: 'del', before: change.del, after: '' });
      if (change.ins !== '') runs.push({ op: 'ins', before: '', after: change.ins });
      change = { del: '', ins: '' };
    };
    for (const { added, removed, count } of changes) {
      const before = added ? '' : a.slice(atA, atA + count).join('');
      const after = removed ? '' : b.slice(atB, atB + count).join('');
      if (added || removed) change = { del: change.del + before, ins: change.ins + after };
      else {
        endChange();
        runs.push({ op: 'same', before, after });
      }
      if (!added) atA += count;
      if (!removed) atB += count;
    }
    endChange();
    return runs;
  }
  return [
    { op: 'del', before, after: '' },
    { op: 'ins', before: '', after },
  ];
}
