// What a store says when the file of its database is deleted, renamed or replaced. `moved.mjs DRIVER`
import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporary } from '../js/temporary.mjs';
import { open } from './clients.mjs';

const ways = {
  deleted: (path) => rmSync(path),
  renamed: (path) => renameSync(path, `${path}.old`),
  replaced(path) {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
};

export async function checkMoved(driver) {
  for (const journal of ['WAL', 'DELETE']) {
    for (const [way, move] of Object.entries(ways)) {
      const path = join(temporary(), 'seen.db');
      const { store, client, close } = await open(`${driver}:${path}`);
      client.exec(`PRAGMA journal_mode = ${journal}`);
      await store.observe([{ id: 'a', text: 'one' }]);
      move(path);
      const moved =
        /^Error: nearprint: .*seen\.db is not the open database: its file is deleted, renamed or replaced: open/;
      const calls = [() => store.observe([{ id: 'b', text: 'two' }]), () => store.query('one'), () => store.count()];
      for (const call of calls) await assert.rejects(call, moved, `${journal}, ${way}`);
      await close();
    }
  }
  const { store, close } = await open(`${driver}::memory:`);
  assert.equal((await store.observe([{ id: 'a', text: 'one' }]))[0].status, 'new');
  await close();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await checkMoved(process.argv[2]);
