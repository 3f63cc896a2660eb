// Type tests: what the declarations accept and, after @ts-expect-error, refuse. Not executed.
import {
  Deduplicator,
  dedupe,
  distance,
  Fingerprinter,
  fingerprint,
  fingerprintAll,
  fromHex,
  MIN_FEATURES,
  NearIndex,
  resemblance,
  Sketch,
  sketch,
  sketchAll,
  toHex,
} from '../../pkg/types/index.js';
import { fingerprintAll as pooled } from '../../pkg/types/pool.js';

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
const against = new NearIndex<string>({ bits: 128 });
for await (const result of dedupe([{ id: 'a', text: 'a' }], { against, keep: 'longest', bits: 128 })) {
  const duplicateOf: string | null = result.duplicateOf;
  void duplicateOf;
}
const mark: Sketch = sketch('text', { scheme: 'v1:64:words2' });
const marks: Sketch[] = sketchAll(new Set(['a', new Uint8Array()]));
const streamed: Sketch = stream.sketch();
const stored: Uint8Array = Sketch.fromHex(mark.toHex()).toBytes();
const share: number = resemblance(mark, Sketch.fromBytes(stored));
const facts: [string, boolean, bigint, boolean, number] = [
  mark.scheme,
  mark.isShort,
  mark.fingerprint,
  mark.equals(streamed),
  mark.distance(streamed),
];
const kept = new Deduplicator<string>({ minResemblance: 0.8, probes: 60, features: 'words' }).add('a', 'text');
const nearest: { id: string; resemblance: number; distance: number } | undefined = kept.query(mark);
const near: { id: string; resemblance: number; distance: number }[] = kept.query('text', { limit: 3 });
// @ts-expect-error
kept.query('text', { limit: '3' });
void near;
const verdict: string | null = kept.addIfNew('b', mark).duplicateOf;
const verdicts: (string | null)[] = kept.addIfNewAll(['c', 'd'], ['text', mark]).map(({ duplicateOf }) => duplicateOf);
for (const { id, sketch } of kept.merge(Deduplicator.fromBytes<string>(kept.toBytes()))) {
  const found: Sketch | undefined = kept.get(id);
  void [sketch, found];
}
for await (const result of dedupe([{ id: 'a', text: 'a' }], { against: kept, minResemblance: 0.8 })) {
  const shared: number | null = result.resemblance;
  void shared;
}
void [marks, share, facts, nearest, verdict, verdicts];
const few: boolean = new Fingerprinter().distinct < MIN_FEATURES;
const words: string[] = new Fingerprinter().words('a');
const inThreads: BigUint64Array = await pooled(['a'], { threads: 2 });
const narrowInThreads: Uint32Array = await pooled(['a'], { bits: 32 });
void [prints, narrow, apart, digest, few, words, inThreads, narrowInThreads];

// @ts-expect-error a number is not a text
fingerprint(7);
// @ts-expect-error no such width
fingerprint('a', { bits: 16 });
// @ts-expect-error a fingerprint is a bigint
distance(1, 2);
// @ts-expect-error the id is read-only
new Fingerprinter().id = 'v2:64';
// @ts-expect-error keep has no such value
dedupe([], { keep: 'last' });
// @ts-expect-error a document has an id
dedupe([{ text: 'a' }]);
// @ts-expect-error a sketch comes from sketch() or fromBytes()
new Sketch(new Uint8Array());
// @ts-expect-error a fingerprint is not a sketch
resemblance(print, print);
// @ts-expect-error ids of this deduplicator are strings
kept.add(7, 'text');
// @ts-expect-error the scheme is read-only
kept.scheme = 'v1:64';
// @ts-expect-error against takes a deduplicator or an index
dedupe([], { against: [1n] });
