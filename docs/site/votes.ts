// The figure of docs/guides/how-it-works.md: how the sums of a text's bits change as more of its words are replaced.
// scripts/docs.mjs bundles it with the package.
import { compare, MIN_RESEMBLANCE } from 'nearprint';
import { type ComparedBit, compareBits } from 'nearprint/simhash';

/** The bits between two gaps of the chart. */
const BLOCK = 16;

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

/** Returns the words of the text with `count` of them replaced. */
const edit = (count: number): string[] =>
  places.slice(0, count).reduce((text, place, at) => text.with(place, others.split(' ')[at]), words);

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

/** Returns the bars of 64 sums as SVG, the highest bit first. Bits that differ from the original's are marked. */
function bars(perBit: ComparedBit[]): string {
  const tallest = Math.max(...perBit.map(({ b }) => Math.abs(b.sum)));
  const shapes = perBit.toReversed().map(({ differs, b }, at) => {
    const x = at * 10 + Math.floor(at / BLOCK) * 8;
    const height = Math.max(2, (Math.abs(b.sum) / tallest) * 78);
    const mark = differs ? `<circle class="differs" cx="${x + 4}" cy="176" r="4"/>` : '';
    return `<rect class="${differs ? 'differs' : 'agrees'}" x="${x}" y="${b.sum > 0 ? 84 - height : 84}" width="8" height="${height}"/>${mark}`;
  });
  return `<line x1="0" x2="662" y1="84" y2="84"/>${shapes.join('')}`;
}

interface Slider {
  input: HTMLInputElement;
  output: HTMLOutputElement;
  row: HTMLElement;
}

function slider(label: string, min: number, max: number, value: number): Slider {
  const input = element('input', { type: 'range', min: `${min}`, max: `${max}`, value: `${value}` });
  const output = element('output');
  return { input, output, row: element('label', {}, element('span', {}, label, ' ', output), input) };
}

function draw(figure: Element): void {
  const replaced = slider('Words replaced:', 0, places.length, 4);
  const chart = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  chart.setAttribute('viewBox', '0 0 662 184');
  chart.setAttribute('preserveAspectRatio', 'none');
  chart.setAttribute('role', 'img');
  const verdict = element('p', { className: 'verdict' });
  verdict.setAttribute('role', 'status');
  const text = element('p', { className: 'edited' });

  function update(): void {
    const edited = edit(replaced.input.valueAsNumber);
    const { perBit, distance } = compareBits(original, edited.join(' '));
    const { exactResemblance } = compare(original, edited.join(' '));
    replaced.output.value = `${replaced.input.value} of ${words.length}`;
    chart.innerHTML = bars(perBit);
    chart.setAttribute('aria-label', `The sums of 64 bits. ${distance} bits differ from the original.`);
    const judged = exactResemblance >= MIN_RESEMBLANCE ? 'a near-duplicate' : 'another text';
    verdict.textContent = `${distance} of 64 bits differ. ${Math.round(100 * exactResemblance)} % of the word pairs are in common: ${judged}.`;
    text.replaceChildren(
      ...edited.flatMap((word, place) => [word === words[place] ? word : element('mark', {}, word), ' ']),
    );
  }

  replaced.input.addEventListener('input', update);
  figure.replaceChildren(replaced.row, chart, verdict, text);
  update();
}

for (const figure of document.querySelectorAll('[data-figure="votes"]')) draw(figure);
