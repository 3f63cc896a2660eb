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
  /** The maximum time in milliseconds. */
  timeout: number;
}

let token: RegExp | undefined;

/** Compiles the pattern at first use: this is slow in V8, and most runs of the command line compare no texts. */
function tokenPattern(): RegExp {
  token ??= new RegExp(
    String.raw`\p{RGI_Emoji}|` +
      String.raw`[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]+|` +
      String.raw`\s+|.`,
    'gsv',
  );
  return token;
}

const usual: DiffLimits = { maxEditLength: 3000, timeout: 2000 };

/** Returns the words, characters of scripts written without spaces, white space and single other characters of a text. */
export const tokensOf = (text: string): string[] => text.match(tokenPattern()) ?? [];

/**
 * Returns the runs of two texts, in order. Each change is one deletion, one insertion, or both. Beyond the limits, the
 * whole text counts as changed.
 */
export function diff(before: string, after: string, limits: DiffLimits = usual): Run[] {
  const [a, b] = [before, after].map(tokensOf);
  const replaced = [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  const runs: Run[] = [];
  let change = { del: '', ins: '' };
  const flush = () => {
    for (const op of ['del', 'ins'] as const) if (change[op]) runs.push({ op, text: change[op] });
    change = { del: '', ins: '' };
  };
  // Deletions and insertions can alternate within one change.
  for (const { added, removed, value } of diffArrays(a, b, limits) ?? replaced) {
    const text = value.join('');
    if (added) change.ins += text;
    else if (removed) change.del += text;
    else {
      flush();
      runs.push({ op: 'same', text });
    }
  }
  flush();
  return runs;
}
