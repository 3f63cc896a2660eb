// The name that a misspelt one probably stands for.

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into another, where no
 * letter is changed twice (the optimal string alignment). O(a · b).
 */
function editDistance(a: string, b: string): number {
  // `rows[i][j]` is the distance between the first i letters of a and the first j letters of b.
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

/**
 * Returns the nearest of the names by edit distance, the first one if several are as near. Returns undefined if more than a
 * third of the letters of the longer word would have to change.
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const limit = Math.floor(Math.max(word.length, name.length) / 3);
    // The distance is at least the difference of the lengths. So a long word takes no time.
    if (Math.abs(word.length - name.length) > limit) continue;
    const distance = editDistance(word, name);
    if (distance > limit || distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}
