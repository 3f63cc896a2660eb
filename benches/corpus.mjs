// A collection of documents with the exact resemblance of every similar pair, at any size. As a program it writes one, unpacked:
//
//     node benches/corpus.mjs DIR TO [COUNT]
//
// DIR has `docs.jsonl` (`{ id, text }`, ids from 0 in random order) and `pairs.tsv` (a, b and a thousand times their
// resemblance, for every pair of .4 or more), either with `.br`. Fewer documents are those with the smallest ids. More are
// made in rounds: in round n, an edit maps each word and each character of a dense script to another one, always the same.
// So resemblance within a round is as among the originals. Documents of two rounds share only the words that the edit
// leaves, one of four.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

function lines(folder, name) {
  const path = join(folder, name);
  const bytes = existsSync(path) ? readFileSync(path) : brotliDecompressSync(readFileSync(`${path}.br`));
  return bytes.toString().trimEnd().split('\n');
}

/** Han, Hiragana, Katakana and Thai, whose letters the edit moves within a range. */
const ranges = [
  [0x4e00, 0x9fa5],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0xe01, 0xe2e],
];

function moved(character, round) {
  const code = character.codePointAt(0);
  const [first, last] = ranges.find(([first, last]) => code >= first && code <= last);
  const size = last - first + 1;
  return String.fromCodePoint(first + ((code - first + 7 * round) % size));
}

/** Whether the edit leaves a word: one of four, by a hash of its characters. */
function isLeft(word) {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 30 === 0;
}

/** The text of round `round`, which is the text itself in round 0. */
export function edited(text, round) {
  if (round === 0) return text;
  const suffix = `q${round.toString(36)}`;
  return text
    .replace(/[\u4e00-\u9fa5\u3041-\u3096\u30a1-\u30fa\u0e01-\u0e2e]/g, (character) => moved(character, round))
    .replace(/[\p{Alphabetic}\p{N}\p{M}]+/gu, (word) => {
      if (/[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]/.test(word)) return word;
      // The normalised word decides, since resemblance is measured on normalised text.
      return isLeft(word.normalize('NFKC').toLowerCase()) ? word : word + suffix;
    });
}

/** Returns `{ texts, pairs: [[a, b, permille]] }` of `count` documents; the id of a document is its position. */
export function corpus(folder, count = Number.POSITIVE_INFINITY) {
  const all = [];
  for (const line of lines(folder, 'docs.jsonl')) {
    const { id, text } = JSON.parse(line);
    all[id] = text;
  }
  const known = lines(folder, 'pairs.tsv')
    .slice(1)
    .map((line) => line.split('\t').map(Number));
  const size = Number.isFinite(count) ? count : all.length;
  const texts = Array.from({ length: size }, (_, id) => edited(all[id % all.length], Math.floor(id / all.length)));
  const pairs = [];
  for (let first = 0; first < size; first += all.length) {
    for (const [a, b, permille] of known) {
      if (first + a < size && first + b < size) pairs.push([first + a, first + b, permille]);
    }
  }
  return { texts, pairs };
}

/** Writes the documents as JSON Lines and returns the path. */
export function writeCorpus(texts, folder) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `docs-${texts.length}.jsonl`);
  writeFileSync(path, '');
  for (let at = 0; at < texts.length; at += 10_000) {
    const slice = texts.slice(at, at + 10_000);
    appendFileSync(path, slice.map((text, of) => `${JSON.stringify({ id: at + of, text })}\n`).join(''));
  }
  return path;
}

const isDense = (code) =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xe00 && code <= 0xe7f) ||
  (code >= 0x20000 && code <= 0x3ffff);

/** The shingles by which resemblance is defined: 3 words, or 5 characters where most tokens are of a dense script. */
function shingles(text) {
  const tokens = [];
  let [word, dense] = ['', 0];
  const end = () => {
    if (word) tokens.push(word);
    word = '';
  };
  for (const character of text.normalize('NFKC').toLowerCase()) {
    const code = character.codePointAt(0);
    const isMark = (code >= 0x300 && code < 0x370) || (code >= 0x900 && code < 0x980);
    if (isDense(code)) {
      end();
      tokens.push(character);
      dense++;
    } else if (/[\p{Alphabetic}\p{N}]/u.test(character) || (word && isMark)) word += character;
    else end();
  }
  end();
  const width = dense * 2 > tokens.length ? 5 : 3;
  if (tokens.length <= width) return new Set([tokens.join('\u0001')]);
  const count = tokens.length - width + 1;
  return new Set(Array.from({ length: count }, (_, at) => tokens.slice(at, at + width).join('\u0001')));
}

function jaccard(a, b) {
  const [x, y] = [a, b].map(shingles);
  let both = 0;
  for (const shingle of x) if (y.has(shingle)) both++;
  return both / (x.size + y.size - both);
}

/**
 * Judges what was dropped, `[[id, kept]]`. Wrong: dropped although no kept document resembles it by .4 or more. Left:
 * kept although an earlier kept one resembles it by .7 or more. Both per 100,000 documents.
 */
export function judge({ texts, pairs }, dropped) {
  const size = texts.length;
  const partners = new Map(dropped);
  const isKept = (id) => !partners.has(id);
  const known = new Map(pairs.map(([a, b, permille]) => [a * size + b, permille / 1000]));
  const near = new Uint8Array(size);
  const isLeftOver = new Uint8Array(size);
  for (const [a, b, permille] of pairs) {
    if (isKept(a)) {
      near[b] = 1;
      if (isKept(b) && permille >= 700) isLeftOver[b] = 1;
    }
    if (isKept(b)) near[a] = 1;
  }
  let [wrong, left] = [0, 0];
  for (let id = 0; id < size; id++) {
    if (isKept(id)) {
      left += isLeftOver[id];
      continue;
    }
    if (near[id]) continue;
    const partner = partners.get(id);
    const resemblance = known.get(Math.min(id, partner) * size + Math.max(id, partner));
    if ((resemblance ?? jaccard(texts[id], texts[partner])) < 0.4) wrong++;
  }
  const of = (count) => (1e5 * count) / size;
  return { dropped: partners.size, wrong: of(wrong), left: of(left) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to, count = 'Infinity'] = process.argv.slice(2);
  const { texts, pairs } = corpus(from, Number(count));
  renameSync(writeCorpus(texts, to), join(to, 'docs.jsonl'));
  writeFileSync(join(to, 'pairs.tsv'), ['a\tb\tpermille', ...pairs.map((pair) => pair.join('\t'))].join('\n'));
}
