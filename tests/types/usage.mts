// Type tests: what the declarations accept and, after @ts-expect-error, refuse. Not executed.
import {
  ArgumentError,
  type Cluster,
  type ClusterOptions,
  type Comparison,
  clusters,
  compare,
  type Decision,
  type DedupeOptions,
  Deduplicator,
  type DocumentCluster,
  type DocumentStore,
  dedupe,
  type Hit,
  type IdentifiedDocument,
  isNearDuplicate,
  MIN_FEATURES,
  MIN_RESEMBLANCE,
  type Observation,
  type Outcome,
  type Pair,
  resemblance,
  Sketch,
  Sketcher,
  sketch,
  sketchAll,
  type Text,
} from '../../pkg/types/index.js';
import {
  compareBits,
  distance,
  Fingerprinter,
  fingerprint,
  fingerprintAll,
  fromHex,
  NearIndex,
  toHex,
} from '../../pkg/types/simhash.js';
import { load } from '../../pkg/types/web.js';

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(isSame: Same<A, B>): void => void isSame;

// Fingerprints.
const wide: bigint = fingerprint('text', { bits: 128, features: { chars: 3 }, weights: 'tf' });
const many: BigUint64Array = fingerprintAll(['a', new Uint8Array()]);
const narrow: Uint32Array = fingerprintAll(new Set(['a']), { bits: 32 });
const apart: number = distance(wide, fromHex(toHex(wide, 128)));
const stream = new Fingerprinter({ scheme: 'v1:64' })
  .stream()
  .update('a')
  .update(new Uint8Array([0x62]));
const digest: bigint = stream.digest();
const sums: number[] = compareBits('a', 'b').perBit.map(({ a }) => a.sum);
void [many, narrow, apart, digest, sums];

// @ts-expect-error a number is not a text
fingerprint(7);
// @ts-expect-error no such width
fingerprint('a', { bits: 16 });
// @ts-expect-error a fingerprint is a bigint
distance(1, 2);
// @ts-expect-error the id is read-only
new Fingerprinter().id = 'v2:64';
// @ts-expect-error a fingerprinter does not remember the last text
new Fingerprinter().distinct;

// Sketches.
const one: Sketch = sketch('text', { scheme: 's1:words2' });
const sketches: Sketch[] = sketchAll(new Set(['a', new Uint8Array()]));
const stored: Uint8Array = Sketch.fromHex(one.toHex()).toBytes();
const share: number = resemblance(one, Sketch.fromBytes(stored));
const facts: [string, boolean, boolean, [bigint, bigint], boolean, BigUint64Array, string] = [
  one.scheme,
  one.isShort,
  one.hasFewFeatures,
  one.hashes,
  one.equals(new Sketcher().stream().update('text').sketch()),
  one.keys,
  one.toJSON(),
];
const scoped: Sketch[] = [
  sketch('text', { scope: 'a', features: { words: 1 } }),
  ...sketchAll(['a'], { scope: 'a' }),
  new Sketcher().sketch('text', { scope: undefined }),
  new Sketcher().stream({ scope: 'a' }).sketch(),
];
const isNear: boolean = isNearDuplicate(one, one, { minResemblance: MIN_RESEMBLANCE, resemblance: share });
const constants: [8, 0.67] = [MIN_FEATURES, MIN_RESEMBLANCE];
const compared: Comparison = compare('a', new Uint8Array(), { features: { chars: 3 } });
const only: string[] = compared.onlyA.map(({ feature }) => feature);
void [sketches, facts, scoped, isNear, constants, only];

// @ts-expect-error a sketch has no width
sketch('text', { bits: 64 });
// @ts-expect-error a sketch has no fingerprint
one.fingerprint;
// @ts-expect-error these features are of fingerprints
sketch('text', { features: 'words' });
// @ts-expect-error a comparison of bits is in nearprint/simhash
compared.perBit;
// @ts-expect-error a stream of a fingerprint has no sketch
stream.sketch();

// @ts-expect-error a scope is a string
sketch('text', { scope: 7 });
// @ts-expect-error a fingerprint has no scope
fingerprint('text', { scope: 'a' });
// @ts-expect-error a sketch comes from sketch() or fromBytes()
new Sketch(new Uint8Array());
// @ts-expect-error a fingerprint is not a sketch
resemblance(wide, wide);

// A decision narrows by its status.
function describe(decision: Decision<string, { url: string }>): string {
  const { url } = decision.document;
  switch (decision.status) {
    case 'duplicate': {
      same<typeof decision.duplicateOf, string>(true);
      same<typeof decision.resemblance, number>(true);
      // @ts-expect-error a decision has no distance
      void decision.distance;
      return `${url} ${decision.duplicateOf.toUpperCase()} ${decision.resemblance.toFixed(2)}`;
    }
    case 'changed':
      same<typeof decision.resemblance, number>(true);
      // @ts-expect-error a changed document has no original
      return decision.duplicateOf;
    case 'new':
    case 'unchanged':
      // @ts-expect-error there is nothing that it resembles
      return decision.resemblance;
    default:
      // These are all.
      same<typeof decision, never>(true);
      return decision;
  }
}
declare const decision: Decision<number>;
// @ts-expect-error before the status is known, there may be no original
decision.duplicateOf;
// @ts-expect-error no such status
if (decision.status === 'near') void decision;
same<Decision['status'], 'new' | 'unchanged' | 'changed' | 'duplicate'>(true);
const outcome: Outcome<number> = decision;
const observation: Observation<number> = decision;
void [describe, outcome, observation];

// Deduplicators.
const kept = new Deduplicator<string>({ features: { words: 1 } }).add('a', 'text', { expiresIn: 60, now: 5 });
const hits: Hit<string>[] = kept.query('text', { limit: 3, minResemblance: 0, now: 5, scope: 'a' });
const observed: Observation<string> = kept
  .add('b', 'text', { scope: 'a' })
  .observe('b', 'text', { minResemblance: 0.8, expiresIn: 60, now: 5, scope: 'a' });
const documents: IdentifiedDocument<string>[] = [
  { id: 'c', text: 'text' },
  { id: 'd', sketch: one },
  { id: 'e', text: 'text', scope: 'a' },
];
const statuses: Decision['status'][] = kept.observeAll(new Set(documents)).map(({ status }) => status);
const times: [number | undefined, number, boolean] = [kept.expires('a'), kept.prune({ now: 7 }), kept.has('a')];
for (const { id, sketch } of Deduplicator.fromBytes<string>(kept.toBytes())) {
  const found: Sketch | undefined = kept.get(id, { now: 5 });
  void [sketch, found];
}
const mixed: Observation<string | number> = new Deduplicator().observe(7, 'text');
void [hits, observed, statuses, times, mixed];

// @ts-expect-error the threshold is an option of the call
new Deduplicator({ minResemblance: 0.8 });
// @ts-expect-error a limit is a number
kept.query('text', { limit: '3' });
// @ts-expect-error ids of this deduplicator are strings
kept.observe(7, 'text');
// @ts-expect-error a document has a text or a sketch
kept.observeAll([{ id: 'a' }]);
// @ts-expect-error and not both
kept.observeAll([{ id: 'a', text: 'text', sketch: one }]);
// @ts-expect-error a sketch has the scope of its text
kept.observeAll([{ id: 'a', sketch: one, scope: 'a' }]);
// @ts-expect-error a time is a number
kept.observe('a', 'text', { now: new Date() });
// @ts-expect-error the scheme is read-only
kept.scheme = 's1';
// @ts-expect-error replaced by observe
kept.addIfNew('a', 'text');

// dedupe: the types of the document and of its id come from the source.
for await (const result of dedupe([{ id: 7, text: 'a', title: 'b' }])) {
  same<typeof result.id, number>(true);
  same<typeof result.document, { id: number; text: string; title: string }>(true);
  if (result.status === 'duplicate') same<typeof result.duplicateOf, number>(true);
}
declare const texts: (string | Uint8Array)[];
for await (const result of dedupe(texts)) {
  same<typeof result.document, string | Uint8Array>(true);
  same<typeof result.position, number>(true);
  if (result.status === 'duplicate') same<typeof result.duplicatePosition, number>(true);
  same<typeof result.id, undefined>(true);
}
for await (const result of dedupe([{ text: 'a' }], { minResemblance: 0.8, keep: 'longest' })) {
  same<typeof result.id, string | number | undefined>(true);
}
async function* rows() {
  yield { url: 'a', body: 'a' as Text, size: 3 };
}
const options = { id: ({ url }: { url: string }) => url, keep: ({ size }: { size: number }) => size };
for await (const result of dedupe(rows(), { ...options, text: ({ body }) => body })) {
  same<typeof result.id, string>(true);
  same<typeof result.document, { url: string; body: Text; size: number }>(true);
}
for await (const { id, status } of dedupe([{ id: 'a', text: 'a' }], { against: kept, add: false })) {
  same<typeof id, string>(true);
  same<typeof status, 'new' | 'unchanged' | 'changed' | 'duplicate'>(true);
}
for await (const decision of dedupe([{ id: 'a', text: 'a' }], { textOf: (id: string) => id })) {
  same<typeof decision.status, 'new' | 'duplicate'>(true);
  if (decision.status === 'duplicate') same<typeof decision.duplicatePosition, number>(true);
}
for await (const decision of dedupe([{ id: 'a', text: 'a' }], { against: undefined })) {
  same<typeof decision.status, 'new' | 'duplicate'>(true);
}
for await (const { id, document } of dedupe([Promise.resolve({ id: 'a', text: 'a' })])) {
  same<typeof id, string>(true);
  same<typeof document, { id: string; text: string }>(true);
}
for await (const { id } of dedupe([{ id: 'a', text: 'a', sku: 'b' }], { scope: ({ sku }) => sku })) {
  same<typeof id, string>(true);
}
for await (const { id } of dedupe(texts, { id: (text) => (text === '' ? undefined : text.length) })) {
  same<typeof id, number | undefined>(true);
}
const shared: DedupeOptions<{ id: string; text: string }, string> = { against: kept, expiresIn: 60, now: 5 };
void shared;

// @ts-expect-error keep has no such value
dedupe(['a'], { keep: 'last' });
// @ts-expect-error a rank is a number
dedupe(['a'], { keep: (text) => text });
// @ts-expect-error a document has a text
dedupe([{ id: 'a' }]);
// @ts-expect-error unless there is a function for it
dedupe([{ body: 'a' }], { id: () => 7 });
// @ts-expect-error a text is a string or bytes
dedupe([{ body: 7 }], { text: ({ body }) => body });
// @ts-expect-error an id is a string or a number
dedupe(['a'], { id: () => true });
// @ts-expect-error the Hamming rule is in NearIndex
dedupe(['a'], { maxDistance: 3 });
// @ts-expect-error against takes a deduplicator or a store
dedupe(['a'], { against: new NearIndex() });
// @ts-expect-error ids of this deduplicator are strings
dedupe([{ id: 7, text: 'a' }], { against: kept });

// clusters: the types of the document and of its id come from the source.
const groups = await clusters([{ id: 7, text: 'a', title: 'b' }], { linkage: 'single', minResemblance: 0.8 });
same<typeof groups, DocumentCluster<number, { id: number; text: string; title: string }>[]>(true);
same<(typeof groups)[0]['members'][0]['document']['title'], string>(true);
const byUrl = await clusters(rows(), { id: ({ url }) => url, text: ({ body }) => body, features: { words: 2 } });
same<(typeof byUrl)[0]['representative'], string>(true);
const grouping: ClusterOptions<string> = { linkage: 'star', key: new Uint8Array(16) };
void grouping;
const bare = await clusters(texts);
same<(typeof bare)[0]['members'][0]['id'], undefined>(true);
const keptGroups: Cluster<string>[] = kept.clusters({ linkage: 'star', now: 5 });
const keptPairs: Iterable<Pair<string>> = kept.pairs({ minResemblance: 0.9 });
void [keptGroups, keptPairs];
// @ts-expect-error there is no such linkage
kept.clusters({ linkage: 'complete' });
// @ts-expect-error pairs have no linkage
kept.pairs({ linkage: 'star' });
// @ts-expect-error a document has a text
clusters([{ id: 'a' }]);

// Ids of a store are strings.
declare const store: DocumentStore;
for await (const { id } of dedupe([{ id: 'a', text: 'a' }], { against: store, lease: 60 })) {
  same<typeof id, string>(true);
}
for await (const { id } of dedupe(['a'], { against: store })) {
  same<typeof id, undefined>(true);
}
const inStore: Promise<Observation<string>[]> = store.observe([{ id: 'a', sketch: one }], { lease: 60, expiresIn: 60 });
const confirmed: Promise<number> = store.confirm(['a', { id: 'a', sketch: one }]);
void [inStore, confirmed];
// @ts-expect-error not numbers
store.observe([{ id: 7, sketch: one }]);
// @ts-expect-error not numbers
store.confirm([7]);
// @ts-expect-error not numbers
dedupe([{ id: 7, text: 'a' }], { against: store });

// Errors.
try {
  fingerprint('a');
} catch (error) {
  if (error instanceof ArgumentError) {
    const parts: [string, string, unknown] = [error.argument, error.requirement, error.value];
    const asTypeError: TypeError = error;
    void [parts, asTypeError];
  }
}

// The exports of nearprint/web, without the ones whose module is left out.
const ofBoth = [load(), load({}), load({ simhash: '/simhash.wasm' }), load({ dedupe: undefined })];
for (const both of ofBoth) both.then(({ fingerprint, sketch }) => [fingerprint('a'), sketch('a')]);
load({ dedupe: false }).then(({ ArgumentError, fingerprint }) => [ArgumentError, fingerprint('a')]);
load({ simhash: false }).then(({ ArgumentError, sketch }) => [ArgumentError, sketch('a')]);
// @ts-expect-error its module is not loaded
load({ dedupe: false }).then((loaded) => loaded.sketch);
// @ts-expect-error its module is not loaded
load({ simhash: false }).then((loaded) => loaded.fingerprint);

// Options that are undefined, with `exactOptionalPropertyTypes`.
dedupe(['a'], { minResemblance: undefined, keep: undefined, key: undefined, features: undefined });
sketch('a', { features: undefined, key: undefined, scope: undefined });
fingerprint('a', { bits: undefined, weights: undefined });
new Deduplicator<string>().observe('a', 'a', { expiresIn: undefined, now: undefined, textOf: undefined });
