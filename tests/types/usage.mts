// What the declarations must accept, and, by @ts-expect-error, what they must refuse. Never run.
import { dedupe, distance, Fingerprinter, fingerprint, fingerprintAll, fromHex, toHex } from '../../pkg/index.js';

const print: bigint = fingerprint('text', { bits: 128, features: { chars: 3 }, weights: 'tf' });
const prints: BigUint64Array = fingerprintAll(['a', new Uint8Array()]);
const narrow: Uint32Array = fingerprintAll(new Set(['a']), { bits: 32 });
const apart: number = distance(print, fromHex(toHex(print, 128)));
const stream = new Fingerprinter({ scheme: 'v1:64' })
  .stream()
  .update('a')
  .update(new Uint8Array([0x62]));
const digest: bigint = stream.digest();
for await (const result of dedupe([{ id: 7, text: 'a' }], { maxDistance: 3 })) {
  const duplicateOf: number | null = result.duplicateOf;
  void duplicateOf;
}
void [prints, narrow, apart, digest];

// @ts-expect-error a number is not a text
fingerprint(7);
// @ts-expect-error no such width
fingerprint('a', { bits: 16 });
// @ts-expect-error a fingerprint is a bigint
distance(1, 2);
// @ts-expect-error the id is read-only
new Fingerprinter().id = 'v2:64';
