// The histogram of distances. The threshold is a line that can be dragged.

import { number, t } from '../locales/locale.js';
import { largestThreshold } from '../scheme/scheme.js';
import { el } from '../shared/dom.js';
import { onChange, state, update } from '../shared/state.js';

/** The scale is logarithmic: most pairs are unrelated and would hide the others on a linear scale. */
const height = (count, most) => (count === 0 ? 0 : Math.log10(count + 1) / Math.log10(most + 1));

export class Histogram {
  element = el('div', { class: 'histogram' });
  #plot = el('div', { class: 'plot' });
  #line = el('div', { class: 'line', role: 'slider', tabindex: 0, 'aria-valuemin': 0 });
  #bits = 64;

  constructor() {
    this.#plot.addEventListener('pointerdown', (event) => this.#grab(event));
    this.#plot.addEventListener('pointermove', (event) => event.buttons === 1 && this.#moveTo(event));
    this.#line.addEventListener('keydown', (event) => this.#key(event));
    onChange((changed) => changed.has('threshold') && this.#showThreshold());
  }

  show({ counts, counted }, total) {
    this.#bits = counts.length - 1;
    const most = Math.max(...counts);
    const bars = Array.from(counts, (count, distance) => {
      const pairs = t('histogramBar', { distance, count: number(count) });
      const bar = el('i', { title: pairs });
      bar.style.setProperty('--height', height(count, most).toFixed(4));
      return bar;
    });
    const summary = t('histogramLabel', { near: number(this.#nearPairs(counts)), all: number(sum(counts)) });
    const chart = el('div', { class: 'bars', role: 'img', 'aria-label': summary }, ...bars);
    const marks = [0, 1, 2, 3, 4].map((quarter) => el('span', {}, `${(quarter * this.#bits) / 4}`));
    this.#plot.replaceChildren(chart, this.#line);
    this.element.replaceChildren(
      this.#plot,
      el('div', { class: 'axis', 'aria-hidden': 'true' }, ...marks),
      el('p', { class: 'hint' }, t('histogramAxis', { most: number(most) })),
      ...(counted < total ? [el('p', { class: 'hint' }, t('histogramSample', { counted: number(counted) }))] : []),
    );
    this.#showThreshold();
  }

  #nearPairs = (counts) => sum(counts.slice(0, state.threshold + 1));

  #showThreshold() {
    const { threshold } = state;
    const valueText = t('thresholdValue', { threshold, bits: this.#bits });
    this.#line.setAttribute('aria-label', t('threshold'));
    this.#line.setAttribute('aria-valuemax', largestThreshold(this.#bits));
    this.#line.setAttribute('aria-valuenow', threshold);
    this.#line.setAttribute('aria-valuetext', valueText);
    this.#line.dataset.value = threshold;
    // A bar is one bit wide. The line is at the right edge of the last bar within the threshold.
    this.#plot.style.setProperty('--threshold', (threshold + 1) / (this.#bits + 1));
    this.#plot.querySelectorAll('.bars i').forEach((bar, distance) => {
      bar.classList.toggle('near', distance <= threshold);
    });
  }

  #set(threshold) {
    update({ threshold: Math.max(0, Math.min(largestThreshold(this.#bits), threshold)) });
  }

  #grab(event) {
    event.preventDefault();
    this.#plot.setPointerCapture(event.pointerId);
    this.#line.focus();
    this.#moveTo(event);
  }

  #moveTo(event) {
    const { left, width } = this.#plot.getBoundingClientRect();
    this.#set(Math.round(((event.clientX - left) / width) * (this.#bits + 1)) - 1);
  }

  #key(event) {
    const { threshold } = state;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') this.#set(threshold - 1);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') this.#set(threshold + 1);
    else if (event.key === 'Home') this.#set(0);
    else if (event.key === 'End') this.#set(largestThreshold(this.#bits));
    else return;
    event.preventDefault();
  }
}

const sum = (counts) => counts.reduce((total, count) => total + count, 0);
