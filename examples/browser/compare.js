// Loads dedupe.wasm as a separate file. `./nearprint/index.js` contains it and needs no load().
import { load } from './nearprint/web.js';

const { resemblance, sketch } = await load({ simhash: false });
const texts = document.querySelectorAll('textarea');

function compare() {
  const shared = resemblance(...Array.from(texts, (text) => sketch(text.value)));
  document.querySelector('output').value =
    `${Math.round(100 * shared)} % of the word pairs in common: ${shared >= 0.67 ? 'near-duplicates' : 'different'}`;
}

for (const text of texts) text.addEventListener('input', compare);
compare();
