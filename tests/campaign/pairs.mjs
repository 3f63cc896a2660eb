// Pairs of runs on one index at the same time. No update is lost: each document is written by exactly one of them.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, dedupe, idsIn, indexOf, inFolder, lines, randomFrom, trials } from './common.mjs';

export async function pairs(count) {
  const random = randomFrom(2);
  const all = Array.from({ length: count }, () => ({
    delay: Math.round(150 * random()),
    killAfter: random() < 0.2 ? Math.round(100 + 300 * random()) : undefined,
  }));
  return trials('pairs of runs on one index', all, ({ delay, killAfter }) =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'a.jsonl'), lines(0, 600));
      writeFileSync(join(folder, 'b.jsonl'), lines(300, 600));
      const first = dedupe(folder, 'a.jsonl', 'a', { killAfter });
      await new Promise((resolve) => setTimeout(resolve, delay));
      const codes = [(await Promise.all([first, dedupe(folder, 'b.jsonl', 'b')])).map(({ code }) => code)].flat();
      assert.ok(codes[1] === 0 && (codes[0] === 0 || codes[0] === 'SIGKILL'), codes.join());
      const ids = [...idsIn(contentOf(folder, 'a')), ...idsIn(contentOf(folder, 'b'))];
      const index = new Set(indexOf(folder));
      for (const id of index) assert.ok(ids.includes(id), `the line of ${id} is gone`);
      if (codes[0] === 0) {
        assert.equal(ids.length, 900, 'a document is written twice');
        assert.equal(index.size, 900);
      }
      assert.ok(idsIn(lines(300, 600)).every((id) => index.has(id)));
      const left = readdirSync(folder).filter((name) => name.startsWith('i.'));
      // A killed run may have ended after the other one.
      if (codes[0] === 0) assert.deepEqual(left, []);
    }),
  );
}
