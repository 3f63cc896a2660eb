// The declarations of nearprint/calibrate.
import { type Calibration, calibrate, type Label } from '../../pkg/types/calibrate.js';

const labels: Label[] = [
  { a: 1, b: 'two' },
  { a: 1, b: 3, same: false },
];
const result: Calibration = await calibrate([{ id: 1, text: 'one' }], {
  sample: 10,
  expect: 1e6,
  labels,
  same: 0.8,
  different: 0.5,
  cost: 5,
  bits: 64,
  progress: ({ stage, share }) => void [stage.length, share?.toFixed(2)],
});
const wrong: number = result.thresholds[0].expected.wrong.high;
const left: number | undefined = result.thresholds[0].labels?.left.count;
const nearest: number | null = result.sample[0].nearest;
export const found = { wrong, left, nearest, recommended: result.recommended };

async function* source() {
  yield { id: 'a', text: new Uint8Array() };
}
await calibrate(source());
// @ts-expect-error: documents have a text
await calibrate([{ id: 1 }]);
// @ts-expect-error: it finds the threshold
await calibrate([], { minResemblance: 0.5 });
