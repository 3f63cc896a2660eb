// Loads nearprint.wasm as a separate file. `./nearprint/index.js` contains it and needs no load().
import { load } from './nearprint/web.js';

const { distance, fingerprint } = await load();
const texts = document.querySelectorAll('textarea');

function compare() {
  const differing = distance(...Array.from(texts, (text) => fingerprint(text.value)));
  document.querySelector('output').value =
    `${differing} of 64 bits differ: ${differing <= 8 ? 'near-duplicates' : 'different'}`;
}

for (const text of texts) text.addEventListener('input', compare);
compare();
