// The example Worker is correct under concurrency, with a Durable Object and with D1.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { random } from '../js/random.mjs';
import { bundle } from './workers.mjs';

const entry = fileURLToPath(new URL('../../examples/worker/worker.mjs', import.meta.url));

const bindings = {
  'a Durable Object': { durableObjects: { SEEN: { className: 'Seen', useSQLite: true } } },
  D1: { d1Databases: { DB: 'seen' } },
};

for (const [name, settings] of Object.entries(bindings)) {
  test(`of a text posted eight times at once, one is new: ${name}`, async () => {
    const runtime = new Miniflare({ modules: await bundle(entry), compatibilityDate: '2026-01-01', ...settings });
    try {
      const next = random(5);
      for (let round = 0; round < 15; round++) {
        const words = Array.from({ length: 80 }, () => `w${next(30000)}`);
        const posts = Array.from({ length: 8 }, async (_, at) => {
          const body = words.with(at * 7, `edit${at}`).join(' ');
          const response = await runtime.dispatchFetch(`http://localhost/site/${round}/${at}`, {
            method: 'POST',
            body,
          });
          return response.json();
        });
        const answers = await Promise.all(posts);
        assert.equal(answers.filter(({ duplicate }) => !duplicate).length, 1);
        const first = `site/${round}/${answers.findIndex(({ duplicate }) => !duplicate)}`;
        assert.ok(answers.every(({ duplicate, of }) => !duplicate || of === first));
      }
      assert.equal((await runtime.dispatchFetch('http://localhost/a')).status, 405);
    } finally {
      await runtime.dispose();
    }
  });
}
