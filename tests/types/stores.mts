// The declarations of the stores, with types like those of the clients.

import { type HandledPage, type SkippedPage, whenNew } from '../../pkg/types/crawl.js';
import { blockText, pageText } from '../../pkg/types/html.js';
import { type Decision, Deduplicator, type DocumentStore, dedupe, type Sketch, sketch } from '../../pkg/types/index.js';
import { hammingSql } from '../../pkg/types/simhash.js';
import { d1Store } from '../../pkg/types/stores/d1.js';
import { durableObjectStore } from '../../pkg/types/stores/durable-object.js';
import { memoryStore } from '../../pkg/types/stores/memory.js';
import { type Store, type StoreEntry, sqliteStore } from '../../pkg/types/stores/sqlite.js';

declare const database: {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: unknown[]): unknown[]; run(...values: unknown[]): object };
};
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
  sqliteStore(database, { name: 'seen', features: { words: 1 } }),
  d1Store(binding),
  durableObjectStore(storage),
];
for (const store of stores) {
  const asUsed: DocumentStore = store;
  const [decision] = await store.observe([{ id: 'a', text: 'text' }], {
    minResemblance: 0.8,
    lease: 60,
    expiresIn: 600,
    scope: 'a',
  });
  const original: string | undefined = decision?.status === 'duplicate' ? decision.duplicateOf : undefined;
  const settled: number = (await store.confirm(['a'])) + (await store.release([{ id: 'a', sketch: sketch('text') }]));
  const hits: { id: string; resemblance: number }[] = await store.query('text', {
    limit: 3,
    scope: 'a',
  });
  const found: Sketch | undefined = await store.get('a');
  const counts: number[] = [await store.delete(['a']), await store.prune(), await store.count()];
  await store.add(new Deduplicator<string>(), { expiresIn: 60 });
  for await (const { id, sketch } of store.entries()) new Deduplicator<string>().add(id, sketch);
  await store.add([{ id: 'a', sketch: sketch('text') } satisfies StoreEntry]);
  await store.add([{ id: 'a', text: 'text', scope: 'a' }], { scope: 'b' });
  for await (const result of dedupe([{ id: 'a', text: 'text' }], { against: store, lease: 60 })) {
    const id: string = result.id;
    const status: Decision['status'] = result.status;
    void [id, status];
  }
  void [asUsed, original, settled, hits, found, counts];
  // @ts-expect-error a limit is a number
  await store.query(sketch('text'), 3);
  // @ts-expect-error ids are strings
  await store.get(5);
  // @ts-expect-error ids are strings
  await store.observe([{ id: 5, text: 'text' }]);
  // @ts-expect-error ids are strings
  dedupe([{ id: 5, text: 'text' }], { against: store });
  // @ts-expect-error numbers may be ids of this one
  await store.add(new Deduplicator<number>());
  // @ts-expect-error a store has its own time
  await store.observe([], { now: 5 });
}
// @ts-expect-error the threshold is an option of the call
memoryStore({ minResemblance: 0.8 });

// The SQL for other programs' fingerprints.
const sql: { indexes: string[]; search: string; count: string } = hammingSql({
  dialect: 'mysql',
  table: 'pages',
  column: 'simhash',
  bits: 32,
  maxDistance: 3,
});
// @ts-expect-error there is no such dialect
hammingSql({ dialect: 'oracle', table: 'pages', column: 'simhash' });
void sql;

// The request handler of crawlers, with the context of Crawlee and Cheerio.
interface CheerioLike {
  request: { url: string };
  $: { html(): string };
}
const handler: (context: CheerioLike) => Promise<void> = whenNew(
  memoryStore(),
  async ({ request }: CheerioLike, decision: HandledPage) => {
    const changed: number | undefined = decision.status === 'changed' ? decision.resemblance : undefined;
    void [request.url, changed];
  },
  {
    textOf: ({ $ }) => pageText($.html()),
    onSkip: (_, decision: SkippedPage) => [decision.status, decision.words?.used],
    minResemblance: ({ request }) => (request.url.endsWith('/') ? 0.9 : undefined),
    scope: ({ request }) => new URL(request.url).host,
  },
);
const text: string = blockText('<p>text');
void [handler, text];
// @ts-expect-error the text of a page is needed
whenNew(memoryStore(), () => {});
// @ts-expect-error a text is a string
whenNew(memoryStore(), () => {}, { textOf: () => 7 });
