/** Returns a function for the next line of a text, which has enough lines. `split` would make a list of all lines first. */
export function lineReader(text: string): () => string {
  let start = 0;
  return () => {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start += line.length + 1;
    return line;
  };
}
