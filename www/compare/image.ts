// The picture of a comparison to share: the title, the strip, the verdict, and why a bit flipped.
import { t } from '../locales/locale.js';
import type { Content } from '../shared/markup.js';
import { sides } from '../shared/pair.js';
import { type BitResult, hasVotes, isOne } from './bits.js';
import { headlineOf } from './first-bits.js';
import { sentenceOf, signed, type TextChanges } from './flip.js';
import { hexOf } from './strip.js';

/** The usual size of the picture, its margin, the bits of a row, and the scale of its pixels. */
const [WIDTH, HEIGHT, MARGIN, COLUMNS, SCALE] = [1200, 630, 60, 32, 2];

/** The height of a row of bits with its digits, and the number of rows in the usual height. */
const [ROW, ROWS] = [88, 2];

/** Returns the text of contents. */
const plain = (contents: readonly Content[]): string =>
  contents.map((content) => (typeof content === 'string' ? content : plain(content.children))).join('');

/** Draws with the colours and the type of the page. */
class Picture {
  readonly canvas: HTMLCanvasElement = document.createElement('canvas');
  readonly #context: CanvasRenderingContext2D;
  readonly #style: CSSStyleDeclaration = getComputedStyle(document.body);
  /** An element with the colour of a variable: a canvas does not know `light-dark()`. */
  readonly #probe: HTMLElement = document.body.appendChild(document.createElement('i'));

  constructor(height: number) {
    this.canvas.width = WIDTH * SCALE;
    this.canvas.height = height * SCALE;
    const context = this.canvas.getContext('2d');
    if (context === null) throw new Error('the browser draws no pictures');
    this.#context = context;
    context.scale(SCALE, SCALE);
    this.fill('--paper', () => context.rect(0, 0, WIDTH, height));
  }

  end(): void {
    this.#probe.remove();
  }

  #colour(name: string): string {
    this.#probe.style.color = `var(${name})`;
    return getComputedStyle(this.#probe).color;
  }

  fill(colour: string, path: (context: CanvasRenderingContext2D) => void): void {
    this.#context.fillStyle = this.#colour(colour);
    this.#context.beginPath();
    path(this.#context);
    this.#context.fill();
  }

  stroke(colour: string, width: number, path: (context: CanvasRenderingContext2D) => void): void {
    this.#context.strokeStyle = this.#colour(colour);
    this.#context.lineWidth = width;
    this.#context.beginPath();
    path(this.#context);
    this.#context.stroke();
  }

  /** Writes a text in lines, at most `most`. Returns the position below it. */
  write(text: string, x: number, y: number, size: number, font: string, colour: string, most = 1): number {
    const context = this.#context;
    context.font = `${size}px ${this.#style.getPropertyValue(font)}`;
    context.fillStyle = this.#colour(colour);
    const words = new Intl.Segmenter(document.documentElement.lang, { granularity: 'word' });
    let [line, at] = ['', 1];
    for (const { segment } of words.segment(text)) {
      if (line !== '' && context.measureText(line + segment).width > WIDTH - x - MARGIN) {
        if (at === most) {
          line += '…';
          break;
        }
        context.fillText(line, x, y);
        y += size * 1.4;
        at++;
        line = segment.trimStart();
      } else line += segment;
    }
    context.fillText(line, x, y);
    return y + size * 1.4;
  }
}

function drawStrip(picture: Picture, result: BitResult, top: number): number {
  const pitch = (WIDTH - 2 * MARGIN) / COLUMNS;
  const hex = sides.map((side) => hexOf(result, side));
  for (let at = 0; at < result.bits; at++) {
    const bit = result.bits - 1 - at;
    const [x, y] = [MARGIN + pitch * ((at % COLUMNS) + 0.5), top + ROW * Math.floor(at / COLUMNS) + 22 + pitch / 2];
    const [a, b] = sides.map((side) => isOne(result[side], bit));
    const radius = 12;
    if (a === b) {
      const square = (context: CanvasRenderingContext2D) => context.rect(x - 9, y - 9, 18, 18);
      if (a) picture.fill('--recede', square);
      else picture.stroke('--recede', 1.5, square);
    } else {
      // The upper left half is the first text.
      const from = a ? 0.75 * Math.PI : -0.25 * Math.PI;
      picture.fill('--differs', (context) => context.arc(x, y, radius, from, from + Math.PI));
      picture.stroke('--differs', 2.5, (context) => context.arc(x, y, radius, 0, 2 * Math.PI));
    }
    if (at % 4 > 0) continue;
    for (const [row, digits] of hex.entries()) {
      const isOther = hex[0][at / 4] !== hex[1][at / 4];
      const below = row === 0 ? -pitch / 2 - 6 : pitch / 2 + 18;
      picture.write(digits[at / 4], x + 1.5 * pitch - 4, y + below, 15, '--mono', isOther ? '--differs' : '--quiet');
    }
  }
  return top + ROW * Math.ceil(result.bits / COLUMNS);
}

/** Draws the picture of a result. Resolves to a PNG. */
export async function drawImage(
  result: BitResult,
  bit: number,
  changes: TextChanges | null | undefined,
  verdict: string,
): Promise<Blob> {
  const height = HEIGHT + ROW * Math.max(0, result.bits / COLUMNS - ROWS);
  const picture = new Picture(height);
  try {
    let y = picture.write(plain(headlineOf(result)), MARGIN, 92, 46, '--serif', '--ink');
    y = picture.write(verdict, MARGIN, y - 6, 26, '--serif', '--ink', 2);
    y = drawStrip(picture, result, y - 8);
    if (hasVotes(result)) {
      y = picture.write(plain(sentenceOf(result, bit, changes)), MARGIN, y + 34, 22, '--sans', '--ink', 3);
      const sums = sides.map((side) => signed(result[side].sums[bit]));
      picture.write(`${t('firstText')} ${sums[0]}, ${t('secondText')} ${sums[1]}`, MARGIN, y, 18, '--sans', '--quiet');
    }
    picture.write('nearprint', MARGIN, height - 34, 20, '--serif', '--quiet');
  } finally {
    picture.end();
  }
  return new Promise((resolve, reject) => {
    picture.canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the browser makes no picture'))),
      'image/png',
    );
  });
}
