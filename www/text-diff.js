// What was deleted from one text and inserted into the other, by words, and by characters where words have no spaces
// (Myers, An O(ND) Difference Algorithm and Its Variations, 1986).

const token =
  /\p{RGI_Emoji}|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]+|\s+|./gsv;

/** As many edits as are looked for, since time and memory grow with their square: beyond, all is replaced. */
const MOST_EDITS = 3000;

/** How far along each diagonal one gets with 0, 1, 2 ... edits, until the end is reached; null if it takes too many. */
function trace(a, b) {
  const reach = new Int32Array(2 * MOST_EDITS + 3);
  const middle = MOST_EDITS + 1;
  const steps = [];
  for (let edits = 0; edits <= MOST_EDITS; edits++) {
    steps.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[middle + k - 1] < reach[middle + k + 1]);
      let x = down ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return steps;
    }
  }
  return null;
}

/** The edits in order, as `[op, token]` with op 'same', 'del' or 'ins'. */
function script(a, b) {
  const steps = trace(a, b);
  if (steps === null) return [...a.map((text) => ['del', text]), ...b.map((text) => ['ins', text])];
  const edits = [];
  let x = a.length;
  let y = b.length;
  for (let depth = steps.length - 1; depth >= 0; depth--) {
    const at = (k) => steps[depth][k + depth + 1];
    const k = x - y;
    const down = k === -depth || (k !== depth && at(k - 1) < at(k + 1));
    const fromX = depth === 0 ? 0 : down ? at(k + 1) : at(k - 1);
    const fromY = depth === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      edits.push(['same', a[--x]]);
      y--;
    }
    if (depth > 0) edits.push(down ? ['ins', b[--y]] : ['del', a[--x]]);
  }
  return edits.reverse();
}

/** Runs of `{ op, text }`; within a change what is deleted comes first. */
export function diff(before, after) {
  const [a, b] = [before, after].map((text) => text.match(token) ?? []);
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const edits = [
    ...a.slice(0, start).map((text) => ['same', text]),
    ...script(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map((text) => ['same', text]),
  ];
  const runs = [];
  let change = { del: '', ins: '' };
  const flush = () => {
    for (const op of ['del', 'ins']) if (change[op]) runs.push({ op, text: change[op] });
    change = { del: '', ins: '' };
  };
  let same = '';
  for (const [op, text] of edits) {
    if (op === 'same') {
      flush();
      same += text;
    } else {
      if (same) runs.push({ op: 'same', text: same });
      same = '';
      change[op] += text;
    }
  }
  flush();
  if (same) runs.push({ op: 'same', text: same });
  return runs;
}
