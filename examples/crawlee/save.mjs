// Saves pages, each in a file of its own. A page may be saved twice (a process dies after `save`, and another one handles the page
// again), so the same page has the same file.
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';

export async function save(url, html) {
  const file = `pages/${createHash('sha256').update(url).digest('hex')}.json`;
  await mkdir('pages', { recursive: true });
  // A process that dies leaves no half of a file.
  const part = `${file}.${process.pid}`;
  await writeFile(part, JSON.stringify({ url, html }));
  await rename(part, file);
}
