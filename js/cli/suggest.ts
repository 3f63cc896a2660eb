// Suggests the known word that was probably meant.

/** Returns the number of insertions, deletions and replacements that turn one word into another. */
function editDistance(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + Number(a[i - 1] !== b[j - 1]);
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, replaced);
    }
    last = row;
  }
  return last[b.length];
}

/** Words of other programs for options. */
const synonyms: Readonly<Record<string, string>> = {
  '--threshold': '--min-resemblance',
  '--similarity': '--min-resemblance',
  '--charset': '--encoding',
  '--separator': '--delimiter',
  '--language': '--report-language',
};

/** Returns the end of a message that names the nearest known word; '' if none is near. */
export function suggestion(word: string, known: readonly string[]): string {
  // No known word is longer, and the time grows with the product of the lengths.
  if (word.length > 40) return '';
  if (known.includes(synonyms[word])) return ` (did you mean ${synonyms[word]}?)`;
  const near = known
    .map((name) => ({ name, distance: name.startsWith(word) && word.length > 3 ? 1 : editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, word.length) / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near.length === 0 ? '' : ` (did you mean ${near[0].name}?)`;
}
