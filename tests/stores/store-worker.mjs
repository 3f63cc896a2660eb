// A Worker that passes calls to a store: of its Durable Object, or in D1 if it has the binding DB. A call sets the time.
import { DurableObject } from 'cloudflare:workers';
import { d1Store } from 'nearprint/store/d1';
import { durableObjectStore } from 'nearprint/store/durable-object';
import { collect } from '../js/values.mjs';
import { withClock } from './clock-d1.mjs';
import { decode, encode } from './wire.mjs';

const systemTime = Date.now;

/** The time in seconds that the last call has set; undefined for the time of the system. */
let time;

/** The stores that are open, by the number of the opening and by their options. */
const stores = new Map();

function storeOf(opening, options, create) {
  const key = JSON.stringify([opening, options]);
  if (!stores.has(key)) stores.set(key, create(options));
  return stores.get(key);
}

async function call(store, { method, args, now }) {
  time = now ?? undefined;
  Date.now = now === null ? systemTime : () => 1000 * now;
  try {
    if (method !== 'entries') return encode({ result: await store[method](...decode(args)) });
    return encode({ result: await collect(store.entries()) });
  } catch ({ name, message }) {
    return { error: { name, message } };
  }
}

export class Seen extends DurableObject {
  call(request) {
    const create = (options) => durableObjectStore(this.ctx.storage, options);
    return call(storeOf(request.opening, request.options, create), request);
  }

  run(statement) {
    return this.ctx.storage.sql.exec(statement).toArray();
  }
}

export default {
  async fetch(message, { SEEN, DB }) {
    const request = await message.json();
    const object = SEEN?.get(SEEN.idFromName('all'));
    if (request.statement !== undefined) {
      const rows = object ? await object.run(request.statement) : (await DB.prepare(request.statement).all()).results;
      return Response.json(rows);
    }
    const create = (options) =>
      d1Store(
        withClock(DB, () => time),
        options,
      );
    const answer = object
      ? await object.call(request)
      : await call(storeOf(request.opening, request.options, create), request);
    return Response.json(answer);
  },
};
