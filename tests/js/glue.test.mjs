import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { glueFile, modules } from '../../scripts/build-wasm.mjs';
import { adaptGlue } from '../../scripts/glue.mjs';

const glueOf = (module) => readFileSync(glueFile(module), 'utf8');

test('the adapted glue has no effects at loading', () => {
  for (const module of modules) {
    const glue = adaptGlue(glueOf(module), module);
    for (const effect of ['new TextDecoder', 'new TextEncoder', 'Symbol.dispose', '.decode();'])
      assert.ok(!glue.includes(effect), `${module}: ${effect}`);
  }
});

test('an edit that finds nothing to replace is an error', () => {
  const codes = ["'Invalid stale object", 'new TextDecoder(', 'realloc === undefined', 'if (Symbol.dispose)'];
  for (const code of codes) {
    const glue = glueOf('dedupe').replaceAll(code, `${code[0]} ${code.slice(1)}`);
    assert.throws(
      () => adaptGlue(glue, 'dedupe'),
      /an edit in scripts\/glue\.mjs finds nothing in the glue of dedupe/,
      code,
    );
  }
});
