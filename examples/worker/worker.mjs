// A Worker that takes texts by POST, with an id as the path, and responds whether a near-duplicate was posted before. The
// Worker keeps no state: the index is a table of D1, which files each fingerprint under its block keys.
import { blockKeys, distance, Fingerprinter, fromHex, MIN_FEATURES, toHex } from 'nearprint';

const maxDistance = 8; // of 64 bits, the same for storing and for searching
const fingerprinter = new Fingerprinter();

export default {
  async fetch(request, { DB }) {
    if (request.method !== 'POST') return new Response('POST a text\n', { status: 405, headers: { allow: 'POST' } });
    const id = new URL(request.url).pathname.slice(1);
    const text = new Uint8Array(await request.arrayBuffer());
    const print = fingerprinter.fingerprint(text);
    const isShort = fingerprinter.distinct < MIN_FEATURES; // then only an equal fingerprint counts
    const keys = blockKeys(print, { maxDistance }).map(Number);

    // Near fingerprints always share a key; fingerprints that share a key need not be near.
    const marks = keys.map(() => '?').join(', ');
    const found = await DB.prepare(`SELECT DISTINCT id, print FROM prints WHERE key IN (${marks})`)
      .bind(...keys)
      .all();
    const [nearest] = found.results
      .map((row) => ({ id: row.id, distance: distance(print, fromHex(row.print)) }))
      .filter((row) => row.distance <= (isShort ? 0 : maxDistance))
      .sort((a, b) => a.distance - b.distance);
    if (nearest) return Response.json({ duplicate: true, of: nearest.id, distance: nearest.distance });

    const file = DB.prepare('INSERT OR REPLACE INTO prints (key, id, print) VALUES (?, ?, ?)');
    await DB.batch(keys.map((key) => file.bind(key, id, toHex(print))));
    return Response.json({ duplicate: false });
  },
};
