// The message of a store when the file of its database is deleted, renamed or replaced. `moved.mjs DRIVER`
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

const moved = /^Error: nearprint: .*seen\.db is not the open database: its file is deleted, renamed or replaced: open/;

/** Each opens a store and moves its file in the meantime. */
const times = {
  'before the store is created': (url, move) =>
    open(url, {}, undefined, (_, client) => {
      move();
      return client;
    }),
  async 'before the first call'(url, move) {
    const opened = await open(url);
    move();
    return opened;
  },
  'with a write-ahead log': (url, move) => openUsed(url, move, 'WAL'),
  'with a rollback journal': (url, move) => openUsed(url, move, 'DELETE'),
};

async function openUsed(url, move, journal) {
  const opened = await open(url);
  opened.client.exec(`PRAGMA journal_mode = ${journal}`);
  await opened.store.observe([{ id: 'a', text: 'one' }]);
  move();
  return opened;
}

export async function checkMoved(driver) {
  for (const [time, openMoved] of Object.entries(times)) {
    for (const [way, move] of Object.entries(ways)) {
      // The store cannot know that its file has replaced another one.
      if (time === 'before the store is created' && way === 'replaced') continue;
      const path = join(temporary(), 'seen.db');
      const { store, close } = await openMoved(`${driver}:${path}`, () => move(path));
      const calls = [() => store.observe([{ id: 'b', text: 'two' }]), () => store.query('one'), () => store.count()];
      for (const call of calls) await assert.rejects(call, moved, `${way} ${time}`);
      await close();
    }
  }
  // Only node:sqlite reads URIs.
  const uris = driver.startsWith('node-sqlite') ? ['file:seen?mode=memory', 'file:/seen?vfs=memdb'] : [];
  for (const name of [':memory:', ...uris]) {
    const { store, close } = await open(`${driver}:${name}`);
    assert.equal((await store.observe([{ id: 'a', text: 'one' }]))[0].status, 'new', name);
    await close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await checkMoved(process.argv[2]);
