// The names of the sample pairs, in the order of their buttons. The first pair is in index.html.
import type { PlainKey } from '../locales/locale.js';

export const sampleNames = [
  'sampleNews',
  'sampleLicences',
  'sampleChinese',
  'sampleJapanese',
  'sampleEmoji',
  'sampleUnrelated',
] as const satisfies PlainKey[];

export type SampleName = (typeof sampleNames)[number];
