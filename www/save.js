// Hands a text to the browser as a download.
import { el } from './dom.js';

export function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  el('a', { href: url, download: name }).click();
  // The download has begun by then; until it has, the address must live.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
