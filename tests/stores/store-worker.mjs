// A Worker that passes requests to a store, for the tests: that of a Durable Object, or with the binding DB one in D1.
import { DurableObject } from 'cloudflare:workers';
import { Sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { durableObjectStore } from 'nearprint/store/durable-object';

const unpacked = (docs) => docs.map(({ id, sketch }) => ({ id, sketch: Sketch.fromHex(sketch) }));

const calls = {
  addIfNew: (store, docs) => store.addIfNew(unpacked(docs)),
  add: (store, docs) => store.add(unpacked(docs)),
  query: (store, { sketch, options }) => store.query(Sketch.fromHex(sketch), options),
  delete: (store, ids) => store.delete(ids),
  count: (store) => store.count(),
  get: async (store, id) => (await store.get(id))?.toHex() ?? null,
  entries: async (store) => {
    const all = [];
    for await (const { id, sketch } of store.entries()) all.push({ id, sketch: sketch.toHex() });
    return all;
  },
};

async function call(store, method, argument) {
  try {
    return { result: await calls[method](store, argument) };
  } catch ({ name, message, taken }) {
    return { error: { name, message, taken } };
  }
}

export class Seen extends DurableObject {
  #store = durableObjectStore(this.ctx.storage);

  call(method, argument) {
    return call(this.#store, method, argument);
  }
}

export default {
  async fetch(request, { SEEN, DB }) {
    const { method, argument } = await request.json();
    const answer = DB ? call(d1Store(DB), method, argument) : SEEN.get(SEEN.idFromName('all')).call(method, argument);
    return Response.json(await answer);
  },
};
