import type { Store } from './store.js';

/** What is used of the context that a crawler gives its request handler (Crawlee, for example). */
export interface PageContext {
  request: { url: string };
}

/**
 * Returns a request handler that calls `handler` unless the text of the page is a near-duplicate of one before, of any
 * process that has the store. A page that is skipped is skipped whole, with its links, if `handler` follows them.
 *
 * `textOf` returns the text that is compared: the article, without what all pages of a site have in common. A page for
 * which it returns an empty string, null or undefined is not compared, and is handled.
 *
 * If `handler` fails, the page is taken out of the store, so that the crawler can try again. A page whose process is
 * killed while it handles the page stays in the store.
 *
 * The id of a page in the store is its URL, a space and a random string of the process: with it, up to 2,000 bytes.
 *
 * @example
 * ```js
 * const seen = redisStore(client);
 * const requestHandler = unlessNear(seen, ({ $ }) => $('article').text(), async ({ request, $, enqueueLinks }) => {
 *   await save(request.url, $('article').html());
 *   await enqueueLinks();
 * });
 * ```
 * @throws TypeError: an argument is not a store or a function. The handler rejects as the store does.
 */
export function unlessNear<Context extends PageContext>(
  store: Pick<Store, 'scheme' | 'addIfNew' | 'add' | 'delete'>,
  textOf: (context: Context) => string | null | undefined | Promise<string | null | undefined>,
  handler: (context: Context) => unknown,
): (context: Context) => Promise<void>;
