// The WebAssembly comes as a file of its own; `import … from './nearprint/index.js'` would have it inline, and no load().
import { load } from './nearprint/web.js';

const { distance, fingerprint } = await load();
const texts = document.querySelectorAll('textarea');

function compare() {
  const apart = distance(...Array.from(texts, (text) => fingerprint(text.value)));
  document.querySelector('output').value =
    `${apart} of 64 bits differ: ${apart <= 8 ? 'near-duplicates' : 'different'}`;
}

for (const text of texts) text.addEventListener('input', compare);
compare();
