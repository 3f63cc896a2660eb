// Checks that ids and records come back as they were. `ids.mjs DRIVER PATH`
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { sketch } from 'nearprint';
import { collect, valuesOf } from '../js/values.mjs';
import { open } from './clients.mjs';

/** Ids that JSON, Base64, SQL or a decoder of UTF-8 could change. */
const ids = [
  ...['12', '-0', '1e3', 'null', 'true', '"text"', '{"id":1}', '[1]', 'OK', 'xff', '\\x00', "it's", '{a,b}', ' ', ''],
  ...['\ufeffmark', 'é 中 😀', 'e\u0301', '\u0001\u2028'],
];

export const documents = ids.map((id, at) => ({
  id,
  sketch: sketch(Array.from({ length: 40 }, (_, word) => `w${at}x${word}`).join(' ')),
}));

export async function checkIds(store) {
  const decisions = await store.observe(documents);
  assert.deepEqual(
    decisions,
    ids.map((id) => ({ id, status: 'new' })),
  );
  for (const { id, sketch: own } of documents) {
    assert.deepEqual(await store.query(own), [{ id, resemblance: 1 }]);
    assert.ok((await store.get(id)).equals(own));
  }
  const copies = documents.map(({ id, sketch: own }) => ({ id: `copy of ${id}`, sketch: own }));
  assert.deepEqual(valuesOf(await store.observe(copies), 'duplicateOf'), ids);
  assert.deepEqual(valuesOf(await collect(store.entries()), 'id'), ids);
  assert.equal(await store.delete(ids), ids.length);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { store, close } = await open(`${process.argv[2]}:${process.argv[3]}`);
  await checkIds(store);
  await close();
}
