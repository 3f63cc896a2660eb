// The frozen fingerprints and sketches, computed by the built package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Sketch, Sketcher } from '../../pkg/index.js';
import { Fingerprinter, toHex } from '../../pkg/simhash.js';

const { ids, vectors, sketches } = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url), 'utf8'));

/** The text of a vector in every type that it can have. */
function texts(input) {
  if (input.utf8) return [Uint8Array.from(Buffer.from(input.utf8, 'hex'))];
  const text = textOf(input);
  return [text, new TextEncoder().encode(text)];
}

function textOf(input) {
  if (typeof input === 'string') return input;
  if (input.utf16) return String.fromCharCode(...input.utf16);
  if (input.repeat) return input.repeat[0].repeat(input.repeat[1]);
  const [from, to] = input.words;
  return Array.from({ length: to - from }, (_, at) => `w${from + at}`).join(' ');
}

/** The text in chunks of `size` units or bytes. */
function* pieces(text, size) {
  for (let at = 0; at < text.length; at += size) {
    yield typeof text === 'string' ? text.slice(at, at + size) : text.subarray(at, at + size);
  }
}

for (const id of ids) {
  test(`every vector of ${id}, whole and in chunks`, () => {
    const fingerprinter = new Fingerprinter({ scheme: id });
    assert.equal(fingerprinter.id, id);
    for (const { why, input, hex } of vectors) {
      const expected = hex[ids.indexOf(id)];
      for (const text of texts(input)) {
        const kind = `${why}, as ${typeof text === 'string' ? 'a string' : 'bytes'}`;
        assert.equal(toHex(fingerprinter.fingerprint(text), fingerprinter.bits), expected, kind);
        const stream = fingerprinter.stream();
        for (const piece of pieces(text, text.length > 10_000 ? 4099 : 3)) stream.update(piece);
        assert.equal(toHex(stream.digest(), fingerprinter.bits), expected, `${kind}, in pieces`);
      }
    }
  });
}

for (const [at, id] of sketches.ids.entries()) {
  test(`every sketch of ${id}, whole and in chunks`, () => {
    const sketcher = new Sketcher({ scheme: id });
    for (const { why, input, hex } of sketches.vectors) {
      for (const text of texts(input)) {
        const kind = `${why}, as ${typeof text === 'string' ? 'a string' : 'bytes'}`;
        const sketch = sketcher.sketch(text);
        assert.equal(sketch.toHex(), hex[at], kind);
        assert.equal(sketch.scheme, id);
        assert.equal(sketch.isShort, hex[at].length < 128, kind);
        assert.ok(Sketch.fromHex(sketch.toHex()).equals(sketch), kind);
        const stream = sketcher.stream();
        for (const piece of pieces(text, text.length > 10_000 ? 4099 : 3)) stream.update(piece);
        assert.equal(stream.sketch().toHex(), hex[at], `${kind}, in pieces`);
      }
    }
  });
}
