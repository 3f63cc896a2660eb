// Wrong arguments are refused with an error that names them.
import assert from 'node:assert/strict';
import { ArgumentError } from '../../pkg/index.js';

/**
 * Returns what `assert.throws` compares an ArgumentError with, whose message is "nearprint: " and this one, or matches it. Advice may
 * follow, which messages.test.mjs checks.
 */
export const argumentError = (message) => (error) => {
  assert.equal(error.constructor, ArgumentError, error.stack);
  if (message instanceof RegExp) {
    assert.match(error.message, message);
    assert.ok(error.message.startsWith(`nearprint: ${error.argument} must be `), error.message);
  } else {
    assert.equal(error.message.slice(0, `nearprint: ${message}`.length), `nearprint: ${message}`);
    assert.match(error.message.slice(`nearprint: ${message}`.length), /^(: |$)/);
    assert.equal(error.argument, message.split(' must be ', 1)[0]);
  }
  return true;
};

/** Checks calls `[call, message]` that throw an ArgumentError, or whose promises are rejected with one. */
export async function checkRefusals(cases) {
  for (const [call, message] of cases) await assert.rejects(async () => call(), argumentError(message), String(call));
}
