// Compares two texts by words, and by characters in scripts written without spaces.
import { diffArrays } from 'diff';

let token;

/** Made at first use, since V8 takes long for it, and most runs of the command line compare no texts. */
function tokenPattern() {
  token ??=
    /\p{RGI_Emoji}|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]+|\s+|./gsv;
  return token;
}

/** Time and memory grow with the square of the edits. Beyond these limits the whole text counts as replaced. */
const limits = { maxEditLength: 3000, timeout: 2000 };

/** Words, characters of scripts written without spaces, white space and single other characters. */
export const tokensOf = (text) => text.match(tokenPattern()) ?? [];

/** Returns runs of `{ op, text }` with op 'same', 'del' or 'ins'. Each change is one deletion, one insertion, or both. */
export function diff(before, after, most = limits) {
  const [a, b] = [before, after].map(tokensOf);
  const replaced = [
    { removed: true, value: a },
    { added: true, value: b },
  ];
  const runs = [];
  let change = { del: '', ins: '' };
  const flush = () => {
    for (const op of ['del', 'ins']) if (change[op]) runs.push({ op, text: change[op] });
    change = { del: '', ins: '' };
  };
  // Deletions and insertions can alternate within one change.
  for (const { added, removed, value } of diffArrays(a, b, most) ?? replaced) {
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
