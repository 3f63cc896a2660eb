// The answers that must be the same in every runtime: all vectors, decisions, and an index compared with a plain search. This file
// uses no API of a particular runtime.

/** A xorshift generator, so that the numbers are the same everywhere. */
function generator(state) {
  return () => {
    state ^= (state << 13n) & 0xffffffffffffffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffffffffffffffffn;
    return state;
  };
}

/** Returns fingerprints, many of them near each other. */
function someFingerprints(count) {
  const next = generator(88172645463325252n);
  const prints = [];
  for (let at = 0; at < count; at++) {
    const near = at % 3 === 0 ? undefined : prints[Number(next() % BigInt(at))];
    let print = near ?? next();
    if (near !== undefined) for (let flips = Number(next() % 9n); flips > 0; flips--) print ^= 1n << (next() % 64n);
    prints.push(print);
  }
  return prints;
}

function indexAnswers({ NearIndex, distance, toHex }) {
  const prints = someFingerprints(600);
  const index = new NearIndex({ maxDistance: 6 });
  index.addAll(
    prints.map((_, at) => (at % 2 ? at : `document ${at}`)),
    prints,
  );
  const restored = NearIndex.fromBytes(index.toBytes());
  const wrong = prints.filter((print) => {
    const found = restored.query(print).length;
    return found !== prints.filter((other) => distance(print, other) <= 6).length;
  });
  const hits = prints.slice(0, 20).map((print) => index.query(print, { limit: 3 }));
  return {
    wrong: wrong.length,
    hits: hits.map((list) => list.map(({ id, fingerprint, distance }) => [id, toHex(fingerprint), distance])),
    pairs: [...index.pairs({ maxDistance: 3 })].map(({ a, b }) => `${a} ${b}`).sort(),
    snapshot: hashOf(index.toBytes()),
  };
}

/**
 * A snapshot of a set with the salt 7 and one document: `saltedSet(Deduplicator).add(0, 'a')` with tests/js/salted.mjs. The package
 * draws every other salt at random, and snapshots contain it.
 */
const SALTED =
  '4e65617244757000010004000100000002000000000000000000000007000000000000007331000000005d23b6c93d596a56c6c144a5cd02cc66' +
  `${'00'.repeat(64)}0100000080aa5ca667b8f722fb3e676b`;

/** The decisions on texts of 40 words, each word from the own text or from the one before. */
function decisionAnswers({ Deduplicator }) {
  const next = generator(1n);
  const kept = Deduplicator.fromBytes(bytesOf(SALTED));
  kept.clear();
  let words = [];
  const decisions = Array.from({ length: 300 }, (_, at) => {
    words = Array.from({ length: 40 }, (_, word) => (next() % 9n ? (words[word] ?? `${word}`) : `w${next() % 99n}`));
    const { id, ...rest } = kept.observe(at % 50, words.join(' '), { now: at, expiresIn: 100 });
    return rest;
  });
  return { decisions, snapshot: hashOf(kept.toBytes()) };
}

const hashOf = (bytes) => Array.from(bytes).reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, 0);

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16));

/** A vector's text. */
function textOf(input) {
  if (input.utf8) return bytesOf(input.utf8);
  if (input.utf16) return String.fromCharCode(...input.utf16);
  return typeof input === 'object' ? input.repeat[0].repeat(input.repeat[1]) : input;
}

export function answers(nearprint, compat, { ids, vectors }) {
  const prints = ids.map((id) => {
    const fingerprinter = new nearprint.Fingerprinter({ scheme: id });
    return vectors.map(({ input }) => nearprint.toHex(fingerprinter.fingerprint(textOf(input)), fingerprinter.bits));
  });
  const wrong = vectors.filter(({ hex }, at) => hex.some((wanted, id) => prints[id][at] !== wanted)).length;
  return JSON.stringify({
    vectors: { count: vectors.length, wrong },
    decisions: decisionAnswers(nearprint),
    index: indexAnswers(nearprint),
    compat: compat.toHex(compat.fingerprint('the same everywhere', { scheme: 'charikar-py' }), 128),
  });
}
