// A Worker that takes pages by POST, with an id as the path, and saves those in KV that are new or have changed. The response is the
// decision. All instances of the Worker share one set of pages: of a page and its near-duplicate that arrive at once, one is new.
//
// The set is in a Durable Object, one for each site: /SITE/PATH. With D1 instead, the class Seen and its bindings go, and the
// Worker calls `keep(d1Store(env.DB), env.PAGES, id, text)`.
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
