// The number of lines of a text.

/** Returns whether a text has more than `limit` lines. */
export function hasMoreLines(text: string, limit: number): boolean {
  let at = -1;
  for (let lines = 0; lines < limit; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
  return true;
}
