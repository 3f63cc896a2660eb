// A Worker that passes requests to the store of a Durable Object, for the tests.
import { DurableObject } from 'cloudflare:workers';
import { Sketch } from 'nearprint';
import { durableObjectStore } from 'nearprint/store/durable-object';

const unpacked = (docs) => docs.map(({ id, sketch }) => ({ id, sketch: Sketch.fromHex(sketch) }));

export class Seen extends DurableObject {
  #store = durableObjectStore(this.ctx.storage);

  #calls = {
    addIfNew: (docs) => this.#store.addIfNew(unpacked(docs)),
    add: (docs) => this.#store.add(unpacked(docs)),
    query: (hex) => this.#store.query(Sketch.fromHex(hex)),
    delete: (ids) => this.#store.delete(ids),
    count: () => this.#store.count(),
    get: async (id) => (await this.#store.get(id))?.toHex() ?? null,
    entries: async () => {
      const all = [];
      for await (const { id, sketch } of this.#store.entries()) all.push({ id, sketch: sketch.toHex() });
      return all;
    },
  };

  async call(method, argument) {
    try {
      return { result: await this.#calls[method](argument) };
    } catch ({ name, message, taken }) {
      return { error: { name, message, taken } };
    }
  }
}

export default {
  async fetch(request, { SEEN }) {
    const { method, argument } = await request.json();
    return Response.json(await SEEN.get(SEEN.idFromName('all')).call(method, argument));
  },
};
