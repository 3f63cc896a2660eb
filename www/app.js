import { cosine, distance, fingerprint, similarity, toHex } from './pkg/index.js';

const BITS = 64;
const DEFAULT_DISTANCE = 8;
const at = (id) => document.getElementById(id);

/** A grid of 8 × 8 cells, the highest bit first; `mark` names the class of a cell, or ''. */
function draw(id, label, mark) {
  const cells = Array.from({ length: BITS }, (_, cell) => {
    const element = document.createElement('i');
    element.className = mark(BigInt(BITS - 1 - cell));
    return element;
  });
  at(id).setAttribute('aria-label', label);
  at(id).replaceChildren(...cells);
}

function verdict(apart) {
  if (at('a').value.trim() === '' || at('b').value.trim() === '') return 'Paste a text on each side.';
  if (apart === 0) return 'No bit differs: the same text, as far as a fingerprint can tell.';
  const bits = `${apart} of ${BITS} bits differ`;
  return apart <= DEFAULT_DISTANCE
    ? `${bits}: near-duplicates at the default threshold of ${DEFAULT_DISTANCE}.`
    : `${bits}: not near-duplicates at the default threshold of ${DEFAULT_DISTANCE}.`;
}

function compare() {
  const [a, b] = [fingerprint(at('a').value), fingerprint(at('b').value)];
  const apart = distance(a, b);
  const bit = (value, index) => (value >> index) & 1n;
  at('verdict').textContent = verdict(apart);
  at('hex-a').textContent = toHex(a);
  at('hex-b').textContent = toHex(b);
  draw('bits-a', `fingerprint ${toHex(a)}`, (index) => (bit(a, index) ? 'one' : ''));
  draw('bits-b', `fingerprint ${toHex(b)}`, (index) => (bit(b, index) ? 'one' : ''));
  draw('bits-diff', `${apart} bits differ`, (index) => (bit(a ^ b, index) ? 'differs' : ''));
  const numbers = {
    Distance: apart,
    Similarity: similarity(a, b).toFixed(3),
    'Estimated cosine': cosine(a, b).toFixed(3),
  };
  at('numbers').replaceChildren(
    ...Object.entries(numbers).flatMap(([name, value]) => {
      const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
      [dt.textContent, dd.textContent] = [name, value];
      return [dt, dd];
    }),
  );
}

at('a').value ||=
  `The river burst its banks early on Tuesday, the council said, and some forty families spent the night in the school hall. The water is expected to fall by Thursday.`;
at('b').value ||=
  `The river burst its banks early on Tuesday, the council said, and about forty families spent the night in the school hall. The water is expected to fall by Friday.`;
for (const id of ['a', 'b']) at(id).addEventListener('input', compare);
compare();
