// The lock of an index file against a run on another machine: only its heartbeat tells whether it lives.
import assert from 'node:assert/strict';
import fs, { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { importSource } from '../source.mjs';
import { makeCommandFolder, until } from './command.mjs';

const { Lock } = await importSource('js/cli/lock.ts');

const skip = process.platform === 'win32';

let folder;
let now;
/** The number of times that a lock has looked for other runs: it first opens its own file. */
let looked;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
  now = performance.now();
  mock.method(performance, 'now', () => now);
  looked = 0;
  const { openSync } = fs;
  mock.method(fs, 'openSync', (...args) => {
    looked++;
    return openSync(...args);
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

const path = (name) => join(folder, name);
const elsewhere = 'i.lock-0123456789ab-123-456';
const locks = () => readdirSync(folder).filter((name) => name.includes('.lock-'));
const announce = () => writeFileSync(path(elsewhere), '');
/** The other machine's sign of life: its clock is wrong, and only moves. */
let clock = 1_000_000;
const beat = () => utimesSync(path(elsewhere), ++clock, clock);

/** Waits for the lock. `state.notes` has what the user is told, and `state.result` what `acquire` resolves to. */
function acquire(controller = new AbortController()) {
  const state = { lock: new Lock(path('i')), notes: [], result: undefined };
  const io = { note: (text) => state.notes.push(text), signal: controller.signal };
  state.ended = state.lock.acquire(io, 'i').then((result) => {
    state.result = result;
  });
  return state;
}

/** Waits until a lock has looked three more times, or no longer waits. */
async function looks(state) {
  const count = looked + 3;
  for (let tries = 0; looked < count && state.result === undefined; tries++) {
    assert.ok(tries < 30_000, 'the lock does not look');
    await setTimeout(10);
  }
}

test('a run elsewhere that beats is waited for, however long it takes', { skip }, async () => {
  announce();
  beat();
  const state = acquire();
  for (let beats = 0; beats < 4; beats++) {
    await looks(state);
    now += 50_000;
    beat();
  }
  await looks(state);
  assert.equal(state.result, undefined);
  assert.deepEqual(state.notes, [
    `i is in use by another run; waiting for it (remove ${path(elsewhere)} if no such run exists)`,
  ]);
  assert.ok(existsSync(path(elsewhere)));
  rmSync(path(elsewhere));
  await state.ended;
  assert.equal(state.result, true);
  state.lock.release();
  assert.deepEqual(locks(), []);
});

test('a run elsewhere without a heartbeat for a minute is dead: its lock is removed', { skip }, async () => {
  announce();
  // In the future by this machine's clock.
  utimesSync(path(elsewhere), 9_000_000_000, 9_000_000_000);
  const state = acquire();
  await looks(state);
  now += 59_000;
  await looks(state);
  assert.equal(state.result, undefined);
  now += 2_000;
  await state.ended;
  assert.equal(state.result, true);
  assert.equal(existsSync(path(elsewhere)), false);
  assert.equal(locks().length, 1);
  state.lock.release();
});

test('a file of the user that begins like a lock stays, and is not waited for', { skip }, async () => {
  const files = ['notes', '0123456789ab-12', '0123456789ab-12-34.txt', '0123456789ab-12-34-56', 'backup-1-2'];
  for (const file of files) writeFileSync(path(`i.lock-${file}`), 'x');
  const controller = new AbortController();
  const state = acquire(controller);
  await looks(state);
  controller.abort();
  await state.ended;
  assert.equal(state.result, true);
  assert.deepEqual(state.notes, []);
  state.lock.release();
  assert.deepEqual(locks(), files.map((file) => `i.lock-${file}`).sort());
});

test('a run that waits for one elsewhere can be ended', { skip }, async () => {
  announce();
  const controller = new AbortController();
  const state = acquire(controller);
  await looks(state);
  controller.abort();
  await state.ended;
  assert.equal(state.result, false);
  assert.deepEqual(locks(), [elsewhere]);
});

test('a run beats, and knows when another run has taken it for dead', { skip }, async () => {
  let beatOwn;
  let interval;
  mock.method(globalThis, 'setInterval', (call, time) => {
    [beatOwn, interval] = [call, time];
    return { unref() {} };
  });
  const { lock, ended } = acquire();
  await ended;
  const [own] = locks();
  utimesSync(path(own), 5, 5);
  const before = Date.now();
  beatOwn();
  // The clock of a file system may be some milliseconds behind.
  const { mtimeMs } = statSync(path(own));
  assert.ok(mtimeMs > before - 1000 && mtimeMs <= Date.now());
  // Several beats fit in the minute after which it would count as dead.
  assert.ok(interval <= 10_000);
  assert.equal(lock.isHeld(), true);
  rmSync(path(own));
  beatOwn();
  assert.equal(lock.isHeld(), false);
  lock.release();
});

test('dedupe: a run whose lock another machine has removed does not save its index', { skip }, async () => {
  const child = makeCommandFolder({ folder }).start(['dedupe', '--index', 'i']);
  child.stdin.write('{"id":"a","text":"a text of some words"}\n');
  await until(() => child.out !== '');
  assert.equal(locks().length, 1);
  rmSync(path(locks()[0]));
  child.stdin.end();
  assert.equal(await child.ended, 2);
  assert.equal(child.messages, 'nearprint: i is not saved: another run has taken its lock\n');
  assert.equal(existsSync(path('i')), false);
});
