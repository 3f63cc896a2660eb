// Saves a text as a download.
import { el } from '../shared/dom.js';

export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  el('a', { href: url, download: name }).click();
  // The download starts after the click, so the URL is revoked late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
