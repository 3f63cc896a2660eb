// The order in which the files of a folder are read. The first of several near-duplicates is kept, so an original comes before
// its copies.
import { splitName } from '../formats/names.js';

/** The words that systems write before the name of a copy. A second copy has a number: `Copy (2) of note.txt`. */
const COPY = /^copy(?: \(\d+\))? of\s+(?=.)/i;

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The criteria of the order. */
interface OrderKey extends Entry {
  /** The name of a file without its extension, and a name without what makes it a copy. */
  readonly stem: string;
  /** How often the name says that the entry is a copy. */
  readonly copies: number;
}

function keyOf({ name, isFolder }: Entry): OrderKey {
  let [stem, copies] = [isFolder ? name : splitName(name)[0], 0];
  for (let rest = stem.replace(COPY, ''); rest !== stem; rest = stem.replace(COPY, ''))
    [stem, copies] = [rest, copies + 1];
  return { name, isFolder, stem, copies };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareKeys = (a: OrderKey, b: OrderKey): number =>
  compareText(a.stem, b.stem) ||
  a.copies - b.copies ||
  Number(a.isFolder) - Number(b.isFolder) ||
  compareText(a.name, b.name);

/**
 * Returns the entries of a folder in the order in which they are read: by the stem, an original before its copies, a file before a
 * folder, and by the whole name. Texts are compared by UTF-16 code units, so the order is the same on every system.
 */
export const inReadingOrder = <E extends Entry>(entries: readonly E[]): E[] =>
  entries
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ entry }) => entry);
