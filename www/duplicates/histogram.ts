// The histogram of resemblances. The threshold is a line that can be dragged.

import { number, percent, t } from '../locales/locale.js';
import { minThreshold, toPercent } from '../scheme/threshold.js';
import { el } from '../shared/dom.js';
import { onChange, state, update } from '../shared/state.js';

/** The scale is logarithmic: on a linear one, the largest groups would hide the others. */
const height = (count: number, highest: number): number =>
  count === 0 ? 0 : Math.log10(count + 1) / Math.log10(highest + 1);

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

/** One bar for each whole percent from 0 to 100. */
const BARS = 101;

export class Histogram {
  #line = el('div', { class: 'line', role: 'slider', tabindex: 0 });
  #chart = el('div', { class: 'bars', role: 'img' });
  #plot = el('div', { class: 'plot' }, this.#chart, this.#line);
  #axis = el('div', { class: 'axis', 'aria-hidden': 'true' });
  #note = el('p', { class: 'hint' });
  readonly element: HTMLElement = el('div', { class: 'histogram' }, this.#plot, this.#axis, this.#note);

  constructor() {
    this.#line.setAttribute('aria-valuemin', `${toPercent(minThreshold)}`);
    this.#line.setAttribute('aria-valuemax', '100');
    this.#plot.addEventListener('pointerdown', (event) => this.#grab(event));
    this.#plot.addEventListener('pointermove', (event) => {
      if (event.buttons === 1) this.#moveTo(event);
    });
    this.#line.addEventListener('keydown', (event) => this.#key(event));
    onChange((changed) => {
      if (changed.has('threshold')) this.#showThreshold();
    });
  }

  /** `counts[p]` is the number of texts that resemble the nearest kept text by `p` percent. */
  show(counts: number[]): void {
    const highest = Math.max(...counts);
    const bars = counts.map((count, at) => {
      const texts = t('histogramBar', { share: percent(at / 100), count: number(count), n: count });
      const bar = el('i', { title: texts });
      bar.style.setProperty('--height', height(count, highest).toFixed(4));
      return bar;
    });
    const near = sum(counts.slice(toPercent(state.threshold)));
    this.#chart.replaceChildren(...bars);
    this.#chart.setAttribute('aria-label', t('histogramLabel', { near: number(near), all: number(sum(counts)) }));
    this.#axis.replaceChildren(...[0, 0.25, 0.5, 0.75, 1].map((share) => el('span', {}, percent(share))));
    this.#note.textContent = t('histogramAxis', { most: number(highest), n: highest });
    this.#showThreshold();
  }

  #showThreshold(): void {
    const value = toPercent(state.threshold);
    const share = percent(state.threshold);
    this.#line.setAttribute('aria-label', t('threshold'));
    this.#line.setAttribute('aria-valuenow', `${value}`);
    this.#line.setAttribute(
      'aria-valuetext',
      t('thresholdValue', { share, units: t(`units:${state.scheme.features}`) }),
    );
    this.#line.dataset.value = share;
    // The line is at the left edge of the first bar within the threshold.
    this.#plot.style.setProperty('--threshold', `${value / BARS}`);
    [...this.#chart.children].forEach((bar, at) => {
      bar.classList.toggle('near', at >= value);
    });
  }

  #set(value: number): void {
    update({ threshold: Math.max(toPercent(minThreshold), Math.min(100, value)) / 100 });
  }

  #grab(event: PointerEvent): void {
    event.preventDefault();
    this.#plot.setPointerCapture(event.pointerId);
    this.#line.focus();
    this.#moveTo(event);
  }

  #moveTo(event: PointerEvent): void {
    const { left, width } = this.#plot.getBoundingClientRect();
    this.#set(Math.round(((event.clientX - left) / width) * BARS));
  }

  #key(event: KeyboardEvent): void {
    const value = toPercent(state.threshold);
    if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') this.#set(value - 1);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') this.#set(value + 1);
    else if (event.key === 'Home') this.#set(0);
    else if (event.key === 'End') this.#set(100);
    else return;
    event.preventDefault();
  }
}
