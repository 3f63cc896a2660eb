// The buttons of the samples, and the sample that the page shows first.
import { currentLanguage } from '../locales/locale.js';
import { byId, el } from '../shared/dom.js';
import { type State, state } from '../shared/state.js';
import { type SampleName, sampleNames } from './sample-names.js';
import type { SamplePair } from './samples.js';

/** The samples that are loaded: at first the pair that the build has written into the fields. */
let samples: readonly SamplePair[] = [];

/** Resolves to a sample, or to undefined if the samples cannot be loaded. */
async function loadSample(name: SampleName): Promise<SamplePair | undefined> {
  const loaded = await import('./samples.js').catch(() => undefined);
  samples = loaded?.samples ?? samples;
  return samples.find((sample) => sample.name === name);
}

/** Marks the button of the sample that the fields have. */
export function markSample(): void {
  const shown = samples.find(({ a, b }) => a === state.a && b === state.b);
  document.querySelectorAll<HTMLElement>('#samples button').forEach((button) => {
    button.setAttribute('aria-pressed', `${button.dataset.t === shown?.name}`);
  });
}

/** Loads all samples, and marks the button of the one that the fields have. */
export const markLoadedSample = (): Promise<void> => loadSample(sampleNames[0]).then(markSample);

/** Passes the first sample to `show`: the one in the fields, at once, or one in the reader's language. */
export async function showFirstSample(show: (sample: SamplePair) => void): Promise<void> {
  const name = currentLanguage() === 'zh' ? 'sampleChinese' : samples[0].name;
  show(samples.find((sample) => sample.name === name) ?? (await loadSample(name)) ?? samples[0]);
}

/** Starts the buttons. `written` is the pair in the fields. `showMissing` is called if the samples cannot be loaded. */
export function startSamples(
  written: SamplePair,
  replaceTexts: (change: Partial<State>) => void,
  showMissing: () => void,
): void {
  samples = [written];
  const sampleButton = (name: SampleName): HTMLElement => {
    const button = el('button', { type: 'button', 'data-t': name });
    button.addEventListener('click', async () => {
      const sample = await loadSample(name);
      if (sample === undefined) showMissing();
      else replaceTexts({ a: sample.a, b: sample.b, summaries: null });
    });
    return button;
  };
  byId('samples').append(...sampleNames.map(sampleButton));
}
