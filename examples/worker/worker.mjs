// A Worker that takes POSTs of texts, each under an id of its own as its path, and answers whether one like it has come
// before. Nothing is kept in the Worker: the index is a table of D1, in which a fingerprint is found by its block keys.
import { blockKeys, distance, features, fingerprint, fromHex, toHex } from 'nearprint';

const maxDistance = 8; // of 64: filed and looked up with the same one
const FEW = 16; // features: below, a fingerprint says too little, and only equal ones count

export default {
  async fetch(request, { DB }) {
    if (request.method !== 'POST') return new Response('POST a text\n', { status: 405, headers: { allow: 'POST' } });
    const id = new URL(request.url).pathname.slice(1);
    const text = new Uint8Array(await request.arrayBuffer());
    const print = fingerprint(text);
    const keys = blockKeys(print, { maxDistance }).map(Number);

    // All that are near share a key; what shares one need not be near.
    const marks = keys.map(() => '?').join(', ');
    const found = await DB.prepare(`SELECT DISTINCT id, print FROM prints WHERE key IN (${marks})`)
      .bind(...keys)
      .all();
    const most = features(text).length < FEW ? 0 : maxDistance;
    const [nearest] = found.results
      .map((row) => ({ id: row.id, distance: distance(print, fromHex(row.print)) }))
      .filter((row) => row.distance <= most)
      .sort((a, b) => a.distance - b.distance);
    if (nearest) return Response.json({ duplicate: true, of: nearest.id, distance: nearest.distance });

    const file = DB.prepare('INSERT OR REPLACE INTO prints (key, id, print) VALUES (?, ?, ?)');
    await DB.batch(keys.map((key) => file.bind(key, id, toHex(print))));
    return Response.json({ duplicate: false });
  },
};
