// Saves a text as a download.
import { el } from '../shared/dom.js';

/** `parts` are the strings that the file consists of. */
export function download(name: string, parts: string[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/plain;charset=utf-8' }));
  el('a', { href: url, download: name }).click();
  // The download starts after the click, so the URL is revoked late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
