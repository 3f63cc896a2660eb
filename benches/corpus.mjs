// Large collections of documents, and the mistakes in them by the rule of benches/quality. As a program it writes documents to
// `TO/docs.jsonl`:
//
//     node benches/corpus.mjs DIR TO [N]
//
// DIR has `docs.jsonl` or `docs.jsonl.br`: `{ id, text }`, ids from 0 in random order. Fewer documents are the ones with the
// smallest ids. More are made in rounds: in round n, an edit maps each word and each character of a dense script to another one,
// always the same. So resemblance within a round is as among the originals. Documents of two rounds share only the words that the
// edit leaves, one of four.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, readArguments } from '../scripts/arguments.mjs';
import { readObjects } from './lines.mjs';
import { judge, OTHER } from './quality/judge.mjs';
import { Truth } from './quality/truth.mjs';

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

/** Returns `{ texts, originals }`: the texts of `count` documents, and how many of them are not edited. */
export function corpus(folder, count) {
  const all = [];
  for (const { id, text } of readObjects(join(folder, 'docs.jsonl'))) all[id] = text;
  const size = count ?? all.length;
  const texts = Array.from({ length: size }, (_, id) => edited(all[id % all.length], Math.floor(id / all.length)));
  return { texts, originals: Math.min(size, all.length) };
}

/** Writes the documents as JSON Lines and returns the path. `describe` returns more fields of a document, by its text. */
export function writeCorpus(texts, folder, describe = () => ({})) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `docs-${texts.length}.jsonl`);
  writeFileSync(path, '');
  for (let at = 0; at < texts.length; at += 10_000) {
    const slice = texts.slice(at, at + 10_000);
    appendFileSync(
      path,
      slice.map((text, of) => `${JSON.stringify({ id: at + of, text, ...describe(text) })}\n`).join(''),
    );
  }
  return path;
}

const truths = new WeakMap();

/** Returns `{ wrong, left }`, the mistakes per 100,000 documents, of the documents that were dropped, `[[id, kept]]`. */
export function countMistakes(collection, dropped) {
  const { texts, originals } = collection;
  if (!truths.has(collection)) truths.set(collection, new Truth(texts.slice(0, originals)));
  const partners = new Map(dropped);
  const counts = { wrong: 0, left: 0 };
  for (let first = 0; first < texts.length; first += originals) {
    const round = Array.from({ length: Math.min(originals, texts.length - first) }, (_, at) => {
      const partner = partners.get(first + at);
      if (partner === undefined) return undefined;
      return partner >= first && partner < first + originals ? partner - first : OTHER;
    });
    for (const verdict of judge(truths.get(collection), round)) if (verdict) counts[verdict]++;
  }
  const of = (count) => (1e5 * count) / texts.length;
  return { wrong: of(counts.wrong), left: of(counts.left) };
}

if (isMain(import.meta.url)) {
  const { dir, to, n } = readArguments('DIR TO [N]');
  renameSync(writeCorpus(corpus(dir, n).texts, to), join(to, 'docs.jsonl'));
}
