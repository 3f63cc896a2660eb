// The figure of docs/guides/how-it-works.md: how the sums of a text's bits change when its words are replaced one by one,
// and which probes then find the original. scripts/docs.mjs bundles it with the package.
import { compare, Deduplicator, sketch } from 'nearprint';

const BLOCK = 16;
const MOST_PROBES = 60;
const THRESHOLD = new Deduplicator().minResemblance;

const original =
  'The river burst its banks early on Tuesday after two days of heavy rain, the council said, and the road to the harbour ' +
  'is closed until further notice. Residents of Mill Lane spent the night in the school hall, where volunteers served hot ' +
  'meals and handed out blankets. The fire brigade pumped water from more than forty cellars. Trains to the coast run ' +
  'every two hours, and the ferry does not sail before Friday. Engineers will inspect both bridges as soon as the water ' +
  'falls, the mayor told reporters.';
const words = original.split(' ');
const others =
  'amber basket candle dolphin engine falcon garden helmet island jacket kettle lantern magnet needle orchid pencil quartz ' +
  'ribbon saddle tunnel umbrella velvet walnut yellow zebra anchor bottle cactus dragon elbow';
/** The places of the replaced words, in the order of their replacement: spread over the text. */
const places = others.split(' ').map((_, at) => (at * 37 + 11) % words.length);

/** The text with `count` words replaced. */
const edit = (count) =>
  places.slice(0, count).reduce((text, place, at) => text.with(place, others.split(' ')[at]), words);

const element = (name, properties = {}, ...children) => {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
};

const kept = sketch(original);
/** The four block values of a fingerprint, the highest first. */
const blocks = ({ fingerprint }) => [48n, 32n, 16n, 0n].map((shift) => Number((fingerprint >> shift) & 0xffffn));

/** Which probe of each block finds the original; 0 if none of the first `MOST_PROBES` does. */
function findingProbes(query) {
  const probes = query.probes(MOST_PROBES);
  return blocks(kept).map(
    (value, block) => probes.subarray(block * MOST_PROBES, (block + 1) * MOST_PROBES).indexOf(value) + 1,
  );
}

/** The bars as SVG: 64 sums, the highest bit first, of which those marked differ from the original's bits. */
function bars(perBit) {
  const tallest = Math.max(...perBit.map(({ b }) => Math.abs(b.sum)));
  const shapes = perBit.toReversed().map(({ differs, b }, at) => {
    const x = at * 10 + Math.floor(at / BLOCK) * 8;
    const height = Math.max(2, (Math.abs(b.sum) / tallest) * 78);
    const mark = differs ? `<circle class="differs" cx="${x + 4}" cy="176" r="4"/>` : '';
    return `<rect class="${differs ? 'differs' : 'agrees'}" x="${x}" y="${b.sum > 0 ? 84 - height : 84}" width="8" height="${height}"/>${mark}`;
  });
  return `<line x1="0" x2="662" y1="84" y2="84"/>${shapes.join('')}`;
}

function slider(label, properties) {
  const input = element('input', { type: 'range', ...properties });
  const value = element('output');
  return { input, value, row: element('label', {}, element('span', {}, label, ' ', value), input) };
}

function draw(figure) {
  const replaced = slider('Words replaced:', { min: 0, max: places.length, value: 4 });
  const probes = slider('Probes of a block:', { min: 1, max: MOST_PROBES, value: 25 });
  const chart = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  chart.setAttribute('viewBox', '0 0 662 184');
  chart.setAttribute('preserveAspectRatio', 'none');
  chart.setAttribute('role', 'img');
  const verdict = element('p', { className: 'verdict' });
  verdict.setAttribute('role', 'status');
  const found = element('ol', { className: 'blocks' });
  const caption = element('p', { className: 'caption' }, 'In each block, the original is found by:');
  const text = element('p', { className: 'edited' });

  function update() {
    const edited = edit(Number(replaced.input.value));
    const query = sketch(edited.join(' '));
    const { perBit, distance, resemblance } = compare(original, edited.join(' '));
    const at = findingProbes(query);
    const isFound = at.some((probe) => probe > 0 && probe <= Number(probes.input.value));
    replaced.value.value = `${replaced.input.value} of ${words.length}`;
    probes.value.value = probes.input.value;
    chart.innerHTML = bars(perBit);
    chart.setAttribute('aria-label', `The sums of 64 bits. ${distance} bits differ from the original.`);
    found.replaceChildren(
      ...at.map((probe) => {
        const isExamined = probe > 0 && probe <= Number(probes.input.value);
        const what = isExamined ? `probe ${probe}` : `none of ${probes.input.value}`;
        return element('li', { className: isExamined ? 'found' : '' }, what);
      }),
    );
    const judged = resemblance >= THRESHOLD ? 'a near-duplicate' : 'another text';
    verdict.textContent =
      `${distance} of 64 bits differ. ${Math.round(100 * resemblance)} % of the word pairs are in common: ${judged}. ` +
      `${isFound ? 'The search finds the original.' : 'The search does not find the original.'}`;
    text.replaceChildren(
      ...edited.flatMap((word, place) => [word === words[place] ? word : element('mark', {}, word), ' ']),
    );
  }

  replaced.input.addEventListener('input', update);
  probes.input.addEventListener('input', update);
  figure.replaceChildren(replaced.row, probes.row, chart, caption, found, verdict, text);
  update();
}

for (const figure of document.querySelectorAll('[data-figure="votes"]')) draw(figure);
