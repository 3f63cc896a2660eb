// A Worker that receives texts by POST, with an id as the path. It saves new and changed texts in KV, and answers with the decision.
// All instances of the Worker share the set of texts: if a text and its near-duplicate arrive at once, only one of them is new.
//
// Each site has its own set, in a Durable Object: the path is /SITE/PATH. With the binding DB, all sites share one set in D1, and the
// class Seen and its bindings can be removed.
import { DurableObject } from 'cloudflare:workers';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { durableObjectStore } from 'nearprint/store/durable-object';

/** KV takes keys of up to 512 bytes. A path is ASCII. */
const MAX_ID = 512;
const MAX_TEXT = 2 ** 20;

/**
 * Saves a text unless it is unchanged or a near-duplicate. If saving fails, or the Worker is ended, the next request with this text
 * gets the same decision and saves it.
 */
async function keep(store, pages, id, text) {
  const version = { id, sketch: sketch(text) };
  const [decision] = await store.observe([version], { lease: 60 });
  if (decision.status === 'new' || decision.status === 'changed') {
    await pages.put(id, text);
    await store.confirm([version]);
  }
  return decision;
}

export class Seen extends DurableObject {
  #store = durableObjectStore(this.ctx.storage);

  keep(id, text) {
    return keep(this.#store, this.env.PAGES, id, text);
  }
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('POST a text\n', { status: 405, headers: { allow: 'POST' } });
    const id = new URL(request.url).pathname.slice(1);
    if (id === '' || id.length > MAX_ID) return new Response(`a path of 1 to ${MAX_ID} characters\n`, { status: 400 });
    const text = await request.text();
    if (text.length > MAX_TEXT) return new Response('a text of up to a million characters\n', { status: 413 });
    if (env.DB) return Response.json(await keep(d1Store(env.DB), env.PAGES, id, text));
    const [site] = id.split('/');
    return Response.json(await env.SEEN.get(env.SEEN.idFromName(site)).keep(id, text));
  },
};
