// The set of features whose resemblance a sketch estimates, and the exact resemblance of two such sets.
import type { Fingerprinter, Text } from '../index.js';

const letter = /\p{Alphabetic}/u;
/** The scripts whose words are joined without a space in the name of a feature, and the mark that three of them share. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]/u;

/** Returns whether a gram has several words. */
const hasSeveralWords = (name: string): boolean => name.includes(' ') || unspaced.test(letter.exec(name)?.[0] ?? '');

/** Only the default features are words as well as groups of words; a sketch covers the groups. */
const usesGrams = ({ id }: Fingerprinter): boolean => !/:(words|chars)\d/.test(id);

/**
 * Returns a function from a text to the hashes of its features that a sketch covers, a sorted `Uint32Array` without
 * repetitions. Half of a hash is enough: of two texts of a thousand features, one in four thousand pairs shares one by
 * chance.
 */
export function featureSets(fingerprinter: Fingerprinter): (text: Text) => Uint32Array {
  const isGrams = usesGrams(fingerprinter);
  return (text) => {
    const features = fingerprinter.features(text);
    // The gram of a text of one word is that word, whatever its script is.
    if (features.length === 1 && isGrams && fingerprinter.words(text).length === 1) return new Uint32Array();
    const hashes = new Uint32Array(features.length);
    let length = 0;
    for (const { feature, hash } of features) {
      if (!isGrams || hasSeveralWords(feature)) hashes[length++] = Number(BigInt.asUintN(32, hash));
    }
    const sorted = hashes.slice(0, length).sort();
    let kept = 0;
    for (const hash of sorted) if (kept === 0 || sorted[kept - 1] !== hash) sorted[kept++] = hash;
    return kept === length ? sorted : sorted.slice(0, kept);
  };
}

/** Returns the exact resemblance: shared features divided by all features; 1 if there are none, as in `compare`. */
export function exactResemblance(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 && b.length === 0) return 1;
  let [i, j, shared] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x === y) shared++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return shared / (a.length + b.length - shared);
}
