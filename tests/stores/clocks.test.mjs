// Whose clock ends leases and expiry times: the engine's, or the one of the calling process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { servers, setProcessTime, testOn } from './table.mjs';
import { d1 } from './workers.mjs';

const HOUR = 3600;

const [one, two] = ['one', 'two'].map((id) => ({ id, sketch: sketch(id) }));

/** Returns what two processes count whose clocks are half an hour, and a day, ahead of the one that observed two documents. */
async function countsAhead(open) {
  const { store } = await open({ name: 'clocks' });
  const now = Date.now() / 1000;
  try {
    setProcessTime(now);
    await store.observe([one], { expiresIn: HOUR });
    await store.observe([two], { lease: HOUR });
    const counts = [];
    for (const ahead of [HOUR / 2, 24 * HOUR]) {
      setProcessTime(now + ahead);
      const other = await open({ name: 'clocks' });
      counts.push(await other.store.count());
    }
    return counts;
  } finally {
    setProcessTime(undefined);
  }
}

const endsByProcess = [2, 0];
const endsByEngine = [2, 2];

for (const [kind, expected] of [
  ['sqlite', endsByProcess],
  ['postgres', endsByEngine],
  ['redis', endsByEngine],
]) {
  testOn(kind, 'the clock that ends documents', async ({ open }) => {
    assert.deepEqual(await countsAhead(open), expected);
  });
}

test('d1: the clock that ends documents', async () => {
  const { client, close } = await d1();
  try {
    assert.deepEqual(await countsAhead((options) => ({ store: d1Store(client, options) })), endsByEngine);
  } finally {
    await close();
  }
});

test('durable object: the clock that ends documents', async () => {
  const { open } = await servers.durableObject();
  assert.deepEqual(await countsAhead(open), endsByEngine);
});
