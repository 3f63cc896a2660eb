// A request handler for crawlers of several processes, which handles each page once.
import { ArgumentError } from '../core/argument-error.js';
import { sketch } from '../index.js';

const checkFunction = (value, argument) => {
  if (typeof value !== 'function') throw new ArgumentError(argument, 'a function', value);
};

export function unlessNear(store, textOf, handler) {
  if (typeof store?.addIfNew !== 'function') throw new ArgumentError('store', 'a store', store);
  checkFunction(textOf, 'textOf');
  checkFunction(handler, 'handler');
  const { scheme } = store;
  // A page that another process has fetched has another id, so that it is a duplicate.
  const owner = crypto.randomUUID();
  return async (context) => {
    const text = await textOf(context);
    if (!text) return handler(context);
    const document = { id: `${context.request.url} ${owner}`, sketch: sketch(text, { scheme }) };
    if (!(await isNew(store, document))) return undefined;
    try {
      return await handler(context);
    } catch (error) {
      // The crawler tries again.
      await store.delete([document.id]);
      throw error;
    }
  };
}

async function isNew(store, document) {
  try {
    const [{ duplicateOf }] = await store.addIfNew([document]);
    return duplicateOf === null || duplicateOf === document.id;
  } catch (error) {
    if (error.taken === undefined) throw error;
    // The page has another text than at its last visit.
    await store.add([document]);
    return true;
  }
}
