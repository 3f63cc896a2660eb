// The texts of entries, for a job that sketches them.
import { whyUnread } from '../node/fields.js';
import type { BadRow, JobText } from '../node/job.js';
import type { Entry } from './part.js';

/** Reads the texts of entries for a job. `first` is the number of the first entry of the batch. */
export function readTexts(entries: Iterable<Entry>, first: number) {
  const texts: JobText[] = [];
  const bad: BadRow[] = [];
  const contents: Buffer[] = [];
  let textEnd = 0;
  for (const { number, start, end, read } of entries) {
    const place = { number: number - first, start, end };
    try {
      const { id, text, scope } = read();
      const content = Buffer.from(text);
      textEnd += content.length;
      contents.push(content);
      texts.push({ ...place, textEnd, id, scope });
    } catch (error) {
      bad.push({ ...place, message: whyUnread(error) });
    }
  }
  // The buffer is not part of a pool, since it may be sent to a thread.
  const bytes = Buffer.allocUnsafeSlow(textEnd);
  texts.forEach((text, at) => {
    bytes.set(contents[at], text.textEnd - contents[at].length);
  });
  return { bytes, texts, bad };
}
