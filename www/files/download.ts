// Saves a file as a download.
import { el } from '../shared/dom.js';

/** `parts` are what the file consists of. */
export function download(name: string, parts: BlobPart[], type = 'text/plain;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  el('a', { href: url, download: name }).click();
  // The download starts after the click, so the URL is revoked late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
