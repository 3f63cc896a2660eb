// The declarations of nearprint/calibrate.
import { type Calibration, calibrate, type Interval, type Label } from '../../pkg/types/calibrate.js';

const labels: Label[] = [
  { a: 1, b: 'two' },
  { a: 1, b: 3, same: false },
  { a: 1, b: 4, same: undefined },
];
const result: Calibration = await calibrate([{ id: 1, text: 'one', place: 'file:1' }], {
  sample: 10,
  pairs: undefined,
  labels,
  features: { words: 2 },
  progress: ({ stage, share }) => void [stage.length, share?.toFixed(2)],
});
const share: number = result.thresholds[0].share;
const recall: number | null | undefined = result.thresholds[0].labels?.recall;
const [interval]: Interval[] = result.intervals;
const place: string | undefined = interval.pairs[0].later.place;
export const found = { share, recall, place, long: result.thresholds[0].found.long };

async function* source() {
  yield { id: 'a', text: new Uint8Array() };
}
await calibrate(source());
// @ts-expect-error: documents have a text
await calibrate([{ id: 1 }]);
// @ts-expect-error: it counts for each threshold
await calibrate([], { minResemblance: 0.5 });
