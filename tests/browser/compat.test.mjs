// nearprint/compat in a browser, checked against fingerprints of the original programs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inputOf } from '../js/compat-vectors.mjs';
import { valuesOf } from '../js/values.mjs';
import { openForAll } from './harness.mjs';

const opened = await openForAll();

test('reproduces every vector', async () => {
  const vectors = JSON.parse(readFileSync(new URL('../compat.json', import.meta.url), 'utf8'));
  // Inputs are sent as arrays of code units, since messages to the browser replace lone surrogates.
  const units = (text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const cross = (input) =>
    typeof input === 'string' ? units(input) : input.map(([word, weight]) => [units(word), weight]);
  const cases = vectors.map((vector) => ({
    scheme: vector.scheme,
    bits: vector.bits,
    pairs: Array.isArray(vector.input),
    input: cross(inputOf(vector)),
  }));
  const got = await opened.page.evaluate(async (cases) => {
    const { fingerprint, toHex } = await import('/pkg/compat.js');
    const text = (units) => units.map((unit) => String.fromCharCode(unit)).join('');
    return cases.map(({ scheme, bits, pairs, input }) => {
      const given = pairs ? input.map(([word, weight]) => [text(word), weight]) : text(input);
      return toHex(fingerprint(given, { scheme, bits }), bits);
    });
  }, cases);
  assert.deepEqual(got, valuesOf(vectors, 'hex'));
});
