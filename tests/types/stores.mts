// The declarations of the stores, with types like those of the clients.

import { Deduplicator, sketch } from '../../pkg/types/index.js';
import { unlessNear } from '../../pkg/types/stores/crawl.js';
import { d1Store } from '../../pkg/types/stores/d1.js';
import { durableObjectStore } from '../../pkg/types/stores/durable-object.js';
import { memoryStore, type Store, type StoreHit } from '../../pkg/types/stores/memory.js';
import { postgresStore } from '../../pkg/types/stores/postgres.js';
import { redisStore } from '../../pkg/types/stores/redis.js';
import { hammingSql } from '../../pkg/types/stores/sql.js';
import { type Added, sqliteStore } from '../../pkg/types/stores/sqlite.js';

declare const database: { exec(sql: string): void; prepare(sql: string): { all(...values: unknown[]): unknown[] } };
declare const pool: { query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> };
declare const client: { sendCommand(args: readonly string[], options?: object): Promise<unknown> };
declare const binding: {
  prepare(sql: string): { bind(...values: unknown[]): object };
  batch(statements: object[]): Promise<{ results: unknown[] }[]>;
};
declare const storage: {
  transactionSync<T>(closure: () => T): T;
  sql: { exec(statement: string, ...values: unknown[]): { toArray(): unknown[] } };
};

const stores: Store[] = [
  memoryStore(),
  sqliteStore(database, { name: 'seen', minResemblance: 0.8 }),
  postgresStore(pool),
  redisStore(client),
  d1Store(binding),
  durableObjectStore(storage),
];
for (const store of stores) {
  const [added]: Added[] = await store.addIfNew([{ id: 'a', sketch: sketch('text') }]);
  const hits: StoreHit[] = await store.query(sketch('text'), { limit: 3 });
  const original: string | null | undefined = added?.duplicateOf;
  await store.add(new Deduplicator<string>());
  for await (const { id, sketch } of store.entries()) new Deduplicator<string>().add(id, sketch);
  void [original, hits];
  // @ts-expect-error a limit is a number
  await store.query(sketch('text'), 3);
  // @ts-expect-error ids are strings
  await store.get(5);
}

// The SQL for other programs' fingerprints, and the request handler of crawlers.
const sql: { indexes: string[]; search: string; count: string } = hammingSql({
  dialect: 'mysql',
  table: 'pages',
  column: 'simhash',
  bits: 32,
  maxDistance: 3,
});
// @ts-expect-error there is no such dialect
hammingSql({ dialect: 'oracle', table: 'pages', column: 'simhash' });

interface CheerioLike {
  request: { url: string };
  $: (selector: string) => { text(): string };
}
const handler: (context: CheerioLike) => Promise<void> = unlessNear(
  memoryStore(),
  ({ $ }: CheerioLike) => $('article').text(),
  async ({ request }) => void request.url,
);
// @ts-expect-error a text is a string
unlessNear(memoryStore(), () => 7, handler);
void sql;
