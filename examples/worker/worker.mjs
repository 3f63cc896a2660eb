// A Worker that takes texts by POST, with an id as the path, and responds whether a near-duplicate was posted before. All
// instances of the Worker share one set of texts, and give the same answers as one instance would: a text and its
// near-duplicate that arrive at once are never both new.
//
// The set is in a Durable Object, one for each site: /SITE/PATH. With D1 instead, the class Seen and its bindings go, and
// `decide` is `d1Store(env.DB).addIfNew(docs)`.
import { DurableObject } from 'cloudflare:workers';
import { Sketch, sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { durableObjectStore } from 'nearprint/store/durable-object';

export class Seen extends DurableObject {
  #store = durableObjectStore(this.ctx.storage);

  async addIfNew(id, bytes) {
    const [answer] = await this.#store.addIfNew([{ id, sketch: Sketch.fromBytes(bytes) }]);
    return answer;
  }
}

/** The text stays here: the store gets its sketch, 110 bytes. */
async function decide({ SEEN, DB }, id, sketch) {
  if (DB) return (await d1Store(DB).addIfNew([{ id, sketch }]))[0];
  const [site] = id.split('/');
  return SEEN.get(SEEN.idFromName(site)).addIfNew(id, sketch.toBytes());
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('POST a text\n', { status: 405, headers: { allow: 'POST' } });
    const id = new URL(request.url).pathname.slice(1);
    const text = new Uint8Array(await request.arrayBuffer());
    const { duplicateOf, resemblance } = await decide(env, id, sketch(text));
    return Response.json(
      duplicateOf === null ? { duplicate: false } : { duplicate: true, of: duplicateOf, resemblance },
    );
  },
};
