// Compares two texts by words, and by characters in scripts written without spaces.
import { diffArrays } from 'diff';

/** A part of two texts: equal in both, only in the first one, or only in the second one. */
export interface Run {
  op: 'same' | 'del' | 'ins';
  text: string;
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

/**
 * Returns the runs of two texts, in order. Each change is one deletion, one insertion, or both. Beyond the limits, the
 * whole text counts as changed.
 */
export function diff(before: string, after: string, limits: DiffLimits): Run[] {
  const [a, b] = [before, after].map(tokensOf);
  const replaced = [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  // Deletions and insertions can alternate within one change.
  const changes = [{ del: '', ins: '', same: '' }];
  for (const { added, removed, value } of diffArrays(a, b, limits) ?? replaced) {
    const op = added ? 'ins' : removed ? 'del' : 'same';
    changes[changes.length - 1][op] += value.join('');
    if (op === 'same') changes.push({ del: '', ins: '', same: '' });
  }
  return changes.flatMap((change) =>
    (['del', 'ins', 'same'] as const).map((op) => ({ op, text: change[op] })).filter(({ text }) => text !== ''),
  );
}
