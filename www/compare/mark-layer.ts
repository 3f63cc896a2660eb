// The layer behind a text field: the same text in the same place, invisible except for its marks and its lit words.
import { el } from '../shared/dom.js';
import type { Span } from './passages.js';

/** A part of the text in the layer. */
interface Part {
  start: number;
  node: Text;
}

export class MarkLayer {
  readonly #element: HTMLElement;
  #parts: Part[] = [];
  /** The elements of each word that can be lit. */
  #lights: HTMLElement[][] = [];

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  get isEmpty(): boolean {
    return this.#element.textContent === '';
  }

  set scrollTop(top: number) {
    this.#element.scrollTop = top;
  }

  /** Puts text into the layer, which is also what is printed. */
  fill(text: string, passages: Span[], words: Span[], direction: string): void {
    const bounds = [...passages, ...words].flat();
    const cuts = [...new Set([0, ...bounds, text.length])].sort((x, y) => x - y);
    const isIn = (spans: Span[], start: number, end: number) =>
      spans.findIndex(([first, last]) => first <= start && end <= last);
    this.#parts = [];
    this.#lights = words.map(() => []);
    const content: (Node | string)[] = [];
    let passage = 0;
    for (const [at, start] of cuts.entries()) {
      // An empty passage is a mark without text: the other text has something here.
      for (; passage < passages.length && passages[passage][1] <= start; passage++) {
        if (passages[passage][0] === passages[passage][1]) content.push(el('mark'));
      }
      const end = cuts[at + 1];
      if (end === undefined) break;
      const node = document.createTextNode(text.slice(start, end));
      this.#parts.push({ start, node });
      const isMarked = passage < passages.length && passages[passage][0] <= start;
      const word = isIn(words, start, end);
      const element = isMarked ? el('mark', {}, node) : word >= 0 ? el('span', {}, node) : node;
      if (word >= 0 && element instanceof HTMLElement) this.#lights[word].push(element);
      content.push(element);
    }
    // A line feed at the end of a block element is not shown, unlike one at the end of a text area.
    this.#element.replaceChildren(...content, '\n');
    this.#element.dir = direction;
  }

  clear(): void {
    [this.#parts, this.#lights] = [[], []];
    this.#element.replaceChildren();
  }

  /** Lights each word by a number from 0 to 1. */
  light(strengths: number[]): void {
    for (const [at, elements] of this.#lights.entries()) {
      for (const element of elements) {
        element.classList.toggle('lit', strengths[at] > 0);
        element.style.setProperty('--lit', (strengths[at] ?? 0).toFixed(2));
      }
    }
  }

  /** Returns where a span is in the window. */
  rectanglesOf([start, end]: Span): DOMRect[] {
    const place = (position: number): [Text, number] | undefined => {
      const part = this.#parts.findLast(({ start, node }) => start <= position && position <= start + node.length);
      return part && [part.node, position - part.start];
    };
    const [first, last] = [place(start), place(end)];
    if (first === undefined || last === undefined) return [];
    const range = document.createRange();
    range.setStart(...first);
    range.setEnd(...last);
    // A range that ends with a node has an empty rectangle in the next one.
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  }

  /** Frames a word. */
  frame(span: Span | null): void {
    const element = this.#element;
    for (const old of element.querySelectorAll('.frame')) old.remove();
    if (span === null) return;
    const { left, top } = element.getBoundingClientRect();
    for (const rectangle of this.rectanglesOf(span)) {
      const frame = el('i', { class: 'frame' });
      frame.style.left = `${rectangle.left - left - element.clientLeft + element.scrollLeft}px`;
      frame.style.top = `${rectangle.top - top - element.clientTop + element.scrollTop}px`;
      frame.style.width = `${rectangle.width}px`;
      frame.style.height = `${rectangle.height}px`;
      element.append(frame);
    }
  }

  /** Returns the marks. */
  marks(): HTMLElement[] {
    return [...this.#element.querySelectorAll('mark')];
  }
}
