// The bindings of the modules with false lengths, counts and positions: a call throws its error or reads what there is, and
// never traps, which would lose every object of the module.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glueFile, moduleFile } from '../../scripts/build-wasm.mjs';
import { test } from '../tier.mjs';

/** Starts a module, and returns its bindings and a function that fills its exchange. */
async function start(name) {
  const bindings = await import(glueFile(name));
  bindings.initSync({ module: new WebAssembly.Module(readFileSync(moduleFile(name))) });
  const fill = (bytes) => {
    const size = 1 << 12;
    const exchange = new Uint8Array(bindings.memory().buffer, bindings.exchange(size, 1), size);
    // Any part of it is text.
    exchange.fill(97).set(bytes);
  };
  return { bindings, fill };
}

const numbers = [0, 1, 8, 16, 79, 80, 320, 4095, 4096, 4097, 2 ** 20, 2 ** 29, 2 ** 31, 2 ** 32 - 1];

/** Returns every pair of false numbers. */
const pairs = numbers.flatMap((a) => numbers.map((b) => [a, b]));

/** Calls a binding. Fails if it traps: its own errors are an array of an argument's parts, and a `RangeError` of memory. */
function check(name, call) {
  try {
    call();
  } catch (error) {
    const isOwn = Array.isArray(error) || (error instanceof RangeError && error.message.startsWith('nearprint: '));
    assert.ok(isOwn, `${name}: ${error}`);
  }
}

test('false lengths in the bindings of dedupe', async () => {
  const { bindings, fill } = await start('dedupe');
  const { Deduplicator, Sketcher, SketchStream } = bindings;
  const sketcher = new Sketcher('s1', new Uint8Array());
  const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed for a week.';
  const bytes = new TextEncoder().encode(text);
  fill(bytes);
  const length = sketcher.sketch(bytes.length, 0, 0);
  const sketch = new Uint8Array(length);
  fill([]);
  const kept = new Deduplicator('s1');
  const stream = new SketchStream(sketcher, 0);
  const calls = {
    areNear: ([a, b]) => bindings.areNear(a, b, 0.67),
    checkSketch: ([a]) => bindings.checkSketch(a),
    resemblance: ([a, b]) => bindings.resemblance(a, b),
    keysOf: ([a]) => bindings.keysOf(a),
    'decide, observe': ([a, b]) => bindings.decide(0, a, b, b, 0.67, 0, Number.NaN, Number.NaN),
    'decide, add': ([a, b]) => bindings.decide(1, a, b, b, 0.67, 0, Number.NaN, Number.NaN),
    'decide, confirm': ([a, b]) => bindings.decide(2, a, b, b, 0.67, 0, Number.NaN, Number.NaN),
    'decide, another kind': ([a, b]) => bindings.decide(9, a, b, b, 0.67, 0, Number.NaN, Number.NaN),
    'decide, other positions': ([a, b]) => bindings.decide(0, length, a, b, 0.67, 0, Number.NaN, Number.NaN),
    hitsOf: ([a, b]) => bindings.hitsOf(a, b, 0.67, 0),
    'hitsOf, a sketch': ([a]) => bindings.hitsOf(length, a, 0.67, 0),
    observe: ([a, b]) => kept.observe(a, b, 0.67, 0, Number.NaN, Number.NaN),
    peek: ([a, b]) => kept.peek(a, b, 0.67, 0),
    observeStep: ([a, b]) => kept.observeStep(1, a, b, 0.67, 0, Number.NaN),
    'observeStep, a sketch': ([a]) => kept.observeStep(1, length, a, 0.67, 0, Number.NaN),
    observeText: ([a, b]) => kept.observeText(sketcher, 1, a, 1, b, 0.67, 0, Number.NaN),
    settle: ([a]) => kept.settle(1, a, true, 0),
    add: ([a]) => kept.add(1, a, 0, Number.NaN),
    query: ([a, b]) => kept.query(a, 0.67, 0, b),
    get: ([a]) => kept.get(a),
    delete: ([a]) => kept.delete(a),
    toBytes: ([a]) => kept.toBytes(new Float64Array(a % 5000), new Uint8Array(a % 5000)),
    fromBytes: ([a]) => Deduplicator.fromBytes(new Uint8Array(a % 5000)),
    sketch: ([a, b]) => sketcher.sketch(a, 1, b),
    'sketch, a text': ([a, b]) => sketcher.sketch(a, 0, b),
    compare: ([a, b]) => sketcher.compare(a, b, 7n),
    featureSet: ([a, b]) => sketcher.featureSet(a, b, 7n),
    stream: ([a]) => stream.update(a),
    'a new stream': ([a]) => new SketchStream(sketcher, a).free(),
    canAllocate: ([a]) => bindings.canAllocate(a),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (const content of [[], sketch, bytes, new Uint8Array(4096).fill(0xff)]) {
      for (const pair of pairs) {
        fill(content);
        if (content.length === 4096 && /text|compare|featureSet|observeText|sketch|stream/i.test(name)) continue;
        check(`${name}(${pair})`, () => call(pair));
      }
    }
  }
  // Nothing is lost.
  fill(bytes);
  const whole = sketcher.sketch(bytes.length, 0, 0);
  kept.add(3, whole, 0, Number.NaN);
  assert.equal(kept.has(3), true);
});

test('false lengths in the bindings of simhash', async () => {
  const { bindings, fill } = await start('simhash');
  const { Fingerprinter, FingerprintStream, NearIndex, Weighted } = bindings;
  const fingerprinter = new Fingerprinter('v1:64', new Uint8Array());
  const stream = new FingerprintStream(fingerprinter);
  const weighted = new Weighted('v1:64', new Uint8Array());
  const narrow = new NearIndex(64, 3, 'v1:64');
  const wide = new NearIndex(128, 3, 'v1:128');
  const calls = {
    fingerprint: ([a, b]) => fingerprinter.fingerprint(a, b),
    fingerprint128: ([a, b]) => fingerprinter.fingerprint128(a, b),
    features: ([a]) => fingerprinter.features(a),
    compare: ([a, b]) => fingerprinter.compare(a, b),
    stream: ([a]) => stream.update(a),
    weighted: ([a]) => weighted.add(a, 1),
    addAll: ([a]) => narrow.addAll(a),
    'addAll, 128 bits': ([a]) => wide.addAll(a),
    query: ([a, b]) => narrow.query(1n, a, b),
    'query, 128 bits': ([a, b]) => wide.query(1n, a, b),
    pairs: ([a]) => narrow.pairs(a),
    toBytes: ([a]) => narrow.toBytes(new Float64Array(a % 5000), new Uint8Array(a % 5000)),
    fromBytes: ([a]) => NearIndex.fromBytes(new Uint8Array(a % 5000)),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (const pair of pairs) {
      fill([]);
      check(`${name}(${pair})`, () => call(pair));
    }
  }
  fill(new TextEncoder().encode('good news'));
  assert.equal(fingerprinter.fingerprint(9, 0), fingerprinter.fingerprint(9, 1));
});

test('false ends and widths in the bindings of compat', async () => {
  const { bindings } = await start('compat');
  const words = Uint16Array.of(97, 98, 99);
  for (const [a, b] of pairs) {
    check(`fingerprintPairs(${a}, ${b})`, () =>
      bindings.fingerprintPairs('zxub', 64, words, Uint32Array.of(a, b), Float64Array.of(1, 2)),
    );
    check(`rabinWindows(${a})`, () => bindings.rabinWindows(new Uint8Array(99), a));
    check(`fingerprintText(${a})`, () => bindings.fingerprintText('1e0ng', a, words));
  }
  assert.throws(
    () => bindings.fingerprintPairs('zxub', 64, words, Uint32Array.of(2, 1), Float64Array.of(1, 2)),
    ['length', 'within its data', 'one outside of it'],
  );
});
