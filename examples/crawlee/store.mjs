// Opens the store of a crawler. Keep the engine that you use.
import Database from 'better-sqlite3';
import { redisStore } from 'nearprint/store/redis';
import { sqliteStore } from 'nearprint/store/sqlite';
import { createClient } from 'redis';

export async function openStore(url) {
  if (/^rediss?:/.test(url)) {
    const client = await createClient({ url }).on('error', console.error).connect();
    return { store: redisStore(client), close: () => client.close() };
  }
  const database = new Database(url);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return { store: sqliteStore(database), close: () => database.close() };
}
