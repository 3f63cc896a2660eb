// What changed between two texts: the changed passages, the features that these make, and the bits that they turned.
import { compare, Fingerprinter } from 'nearprint';
import { diff, tokensOf } from '../../js/report/text-diff.js';

/** Longer texts, in UTF-16 code units together, and more passages are not examined. */
const MOST_TEXT = 400_000;
const MOST_PASSAGES = 200;
const limits = { maxEditLength: 1500, timeout: 500 };

/** If a smaller share of both texts is equal, marks would cover most of them. */
const LEAST_EQUAL = 0.5;

/** No feature spans more words or characters than this. */
const CONTEXT = 6;

/** No word of interest is longer. */
const CONTEXT_LENGTH = 300;

/** The changes as pairs of spans, `{ a: [start, end], b: [start, end] }`, or null if there are too many. */
function passagesOf(a, b) {
  const runs = diff(a, b, limits);
  const equal = runs.reduce((sum, { op, text }) => sum + (op === 'same' ? text.length : 0), 0);
  if (2 * equal < LEAST_EQUAL * (a.length + b.length)) return null;
  const passages = [];
  let [atA, atB] = [0, 0];
  let open = false;
  for (const { op, text } of runs) {
    if (op === 'same') {
      [atA, atB, open] = [atA + text.length, atB + text.length, false];
      continue;
    }
    if (!open) passages.push({ a: [atA, atA], b: [atB, atB] });
    open = true;
    if (op === 'del') passages.at(-1).a[1] = atA += text.length;
    else passages.at(-1).b[1] = atB += text.length;
  }
  return passages;
}

const isWord = (token) => /[\p{L}\p{N}]/u.test(token);

/** The first tokens of a list, up to the last of CONTEXT words. */
function toLastWord(tokens) {
  let words = 0;
  const end = tokens.findIndex((token) => {
    if (isWord(token)) words++;
    return words === CONTEXT;
  });
  return end === -1 ? tokens : tokens.slice(0, end + 1);
}

/** The features of a text that a span of it takes part in. An empty span joins what is before and after it. */
function featuresAt(text, [start, end], fingerprinter) {
  const before = tokensOf(text.slice(Math.max(0, start - CONTEXT_LENGTH), start)).reverse();
  const left = toLastWord(before).reverse().join('');
  const right = toLastWord(tokensOf(text.slice(end, end + CONTEXT_LENGTH))).join('');
  const beside = new Set([left, right].flatMap((part) => fingerprinter.features(part).map(({ hash }) => hash)));
  return fingerprinter.features(left + text.slice(start, end) + right).filter(({ hash }) => !beside.has(hash));
}

/**
 * Returns null if the texts are too long or too different, else the changes in the order of the text. A change is
 * `{ a, b, removed, added, turned }`: its spans `[start, end]`; the features that lose and gain weight by it; and the
 * differing bits that these turned, `{ bit, votes }`, with the number of votes towards the new value.
 */
export function findChanges(a, b, options) {
  if (a.length + b.length > MOST_TEXT) return null;
  const passages = passagesOf(a, b);
  if (passages === null) return null;
  const fingerprinter = new Fingerprinter(options);
  const comparison = compare(a, b, options);
  /** What each feature's weight changes by. */
  const gains = new Map(comparison.a.features.map(({ hash, weight }) => [hash, -weight]));
  for (const { hash, weight } of comparison.b.features) gains.set(hash, (gains.get(hash) ?? 0) + weight);
  const differing = comparison.perBit.filter(({ differs }) => differs);
  const changes = passages.map((passage, at) => {
    if (at >= MOST_PASSAGES) return { ...passage, removed: [], added: [], turned: [] };
    const made = [featuresAt(a, passage.a, fingerprinter), featuresAt(b, passage.b, fingerprinter)].flat();
    const changed = [...new Map(made.map((feature) => [feature.hash, feature])).values()].filter(
      ({ hash }) => gains.get(hash) !== undefined && gains.get(hash) !== 0,
    );
    const turned = differing.map(({ bit, b }) => {
      const towards = b.sum > 0 ? 1n : 0n;
      const votes = changed.reduce(
        (sum, { hash }) => sum + (((hash >> BigInt(bit)) & 1n) === towards ? 1 : -1) * gains.get(hash),
        0,
      );
      return { bit, votes };
    });
    const named = (list) => list.map(({ feature, hash }) => ({ feature, weight: Math.abs(gains.get(hash)) }));
    return {
      ...passage,
      removed: named(changed.filter(({ hash }) => gains.get(hash) < 0)),
      added: named(changed.filter(({ hash }) => gains.get(hash) > 0)),
      turned: turned.filter(({ votes }) => votes > 0).sort((x, y) => y.votes - x.votes),
    };
  });
  fingerprinter.free();
  return changes;
}
