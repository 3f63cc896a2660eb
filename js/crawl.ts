/**
 * A request handler for crawlers, which handles pages that are new or have changed.
 *
 * @packageDocumentation
 */

import { ArgumentError } from './common/argument-error.js';
import { checkFunction, checkOptions } from './common/check.js';
import { hexOf } from './common/hex.js';
import { describeNoString } from './common/text-advice.js';
import type { Observation } from './dedupe/decision.js';
import { checkDuration, checkMinResemblance } from './dedupe/decision-options.js';
import type { PageText, PageWords } from './html/page-text.js';
import { checkScope } from './sketch/scope.js';
import { Sketcher } from './sketch/sketcher.js';
import { MAX_ID_BYTES } from './stores/settings.js';
import type { Store } from './stores/store.js';

/** The part of a crawler's context that is used (Crawlee, for example). */
export interface PageContext {
  /** The request of the page. */
  request: PageRequest;
}

/** The part of a crawler's request that is used. */
export interface PageRequest {
  /** The URL of the page: its id, unless `idOf` returns another. */
  url: string;
}

/** The numbers of words of a page, if `textOf` returns them. */
export interface WithWords {
  /** The numbers of words of the page, if `textOf` returns them. */
  words?: PageWords;
}

/** The decision on a page that is handled. */
export type HandledPage = Extract<Observation<string>, { status: 'new' | 'changed' }> & WithWords;

/** The decision on a page that is skipped. `empty`: it has no words, and an earlier visit found some. */
export type SkippedPage = (Extract<Observation<string>, { status: 'unchanged' | 'duplicate' }> | EmptyPage) & WithWords;

/** A page without words, where an earlier visit found words. */
export interface EmptyPage {
  /** The id of the page. */
  id: string;
  /** `'empty'`: the page has no words, and an earlier visit found some. */
  status: 'empty';
}

/** The result of {@link WhenNewOptions.textOf}: a text, a text with the numbers of its words, or no text. */
export type ComparedPage = string | PageText | null | undefined;

/** The store of a crawler. */
export type CrawlStore = Pick<Store, 'scheme' | 'observe' | 'get' | 'confirm' | 'release' | 'delete'>;

/** A request handler. */
export interface PageHandler<Context extends PageContext = PageContext> {
  (context: Context): Promise<void>;
  /**
   * Removes a page that is gone: call it when an address answers 404 or 410. The next visit to a copy of the page handles the copy,
   * for example after a site has moved. `url` is the id of the page, as `idOf` returned it. Resolves to whether the page was kept.
   */
  gone(url: string): Promise<boolean>;
}

/** The options of {@link whenNew}. */
export interface WhenNewOptions<Context extends PageContext = PageContext> {
  /**
   * Returns the text that is compared: the article, without the parts that all pages of a site share (`pageText`, `mainText` and
   * `blockText` of `nearprint/html`). If it returns a result of `pageText`, decisions have its `words`. A page without words is not
   * stored, and is handled as new. But if its id is kept with words, it is skipped as `empty`, since a site that fails for a day often
   * answers with an empty page.
   */
  textOf: (context: Context) => ComparedPage | Promise<ComparedPage>;
  /** Returns the id of the page, such as a canonical URL. Default: the URL of the request. */
  idOf?: ((context: Context) => string) | undefined;
  /** Returns the scope of the page, such as its site: it is compared with pages of this scope. Default: none. */
  scope?: ((context: Context) => string | undefined) | undefined;
  /** The number of seconds for which copies of the page are skipped if its process has died. Default: 300. */
  lease?: number | undefined;
  /** The threshold of `observe`, or a function that returns it, for pages of one template. Default: 0.67. */
  minResemblance?: number | ((context: Context) => number | undefined) | undefined;
  /** The number of seconds after its last visit at which a page expires. Default: pages do not expire. */
  expiresIn?: number | undefined;
  /**
   * Called for each page that is unchanged, a near-duplicate of another one, or empty. If a duplicate has `isProvisional`, the
   * handler of the other page has not finished. It may fail, so visit the page again, until the lease has ended at the latest.
   */
  onSkip?: ((context: Context, decision: SkippedPage) => unknown) | undefined;
  /** The key of the store's scheme, if it has one. */
  key?: Uint8Array | undefined;
}

/** Returns an id that a store accepts: a long URL is replaced by its beginning and its SHA-256. */
async function boundedId(url: unknown, argument = 'idOf(context)'): Promise<string> {
  if (typeof url !== 'string') throw new ArgumentError(argument, 'a string', url);
  const bytes = new TextEncoder().encode(url);
  if (bytes.length <= MAX_ID_BYTES) return url;
  const digest = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  // If the cut splits a character, the decoder replaces its part with U+FFFD, three bytes.
  const head = new TextDecoder().decode(bytes.subarray(0, MAX_ID_BYTES - digest.length - 4));
  return `${head} ${digest}`;
}

/** Returns the text of a page, and the numbers of its words if they are known. */
function checkPageText(page: unknown): { text: string } & WithWords {
  if (page === null || page === undefined) return { text: '' };
  if (typeof page === 'string') return { text: page };
  const { text, words } = page as Partial<PageText>;
  if (typeof text === 'string') return words === undefined ? { text } : { text, words };
  throw new ArgumentError(
    'textOf(context)',
    'a string, a result of pageText, null or undefined',
    page,
    describeNoString(page),
  );
}

/** The minimum time between two renewals of a lease, in milliseconds. */
const MIN_INTERVAL = 100;

/** Calls a function at intervals. The returned function stops the calls and waits for the last one. */
function repeat(call: () => Promise<unknown>, milliseconds: number): () => Promise<unknown> {
  let last: Promise<unknown> | undefined;
  const end = () => {
    last = undefined;
  };
  // A call that fails is made again at the next interval.
  const start = () => {
    last ??= call().then(end, end);
  };
  const timer = setInterval(start, Math.min(Math.max(milliseconds, MIN_INTERVAL), 2 ** 31 - 1));
  return async () => {
    clearInterval(timer);
    await last;
  };
}

/**
 * Returns a request handler that calls `handler` for pages that are new or have changed. It skips pages that are unchanged
 * since an earlier visit, and near-duplicates of other pages that any process with this store has visited.
 *
 * A page is kept provisionally while `handler` runs, and permanently once it resolves. If it rejects or the process dies, the next
 * visit handles the page again, even before the end of the lease. So each page is handled at least once.
 *
 * An error concerns one page: if `handler`, a function of the options or the store fails, the call for this page rejects with the
 * error, and other pages are visited as before.
 *
 * A page that is skipped may have new links. A crawler that runs repeatedly should follow the links of every page, and then
 * call this handler.
 *
 * @example
 * ```js
 * const save = whenNew(redisStore(client), ({ request, $ }, { status }) => saveArticle(request.url, status, $), {
 *   textOf: ({ $ }) => pageText($.html()),
 * });
 * const requestHandler = async (context) => {
 *   await context.enqueueLinks();
 *   await save(context);
 * };
 * ```
 * @throws {@link ArgumentError}: an argument is not a store or a function, or an option is wrong
 */
export function whenNew<Context extends PageContext>(
  store: CrawlStore,
  handler: (context: Context, decision: HandledPage) => unknown,
  options: WhenNewOptions<Context>,
): PageHandler<Context> {
  const methods = [store?.observe, store?.get, store?.confirm, store?.release, store?.delete];
  if (!methods.every((method) => typeof method === 'function')) {
    throw new ArgumentError('store', 'a store', store);
  }
  checkFunction(handler, 'handler');
  const known = ['textOf', 'idOf', 'scope', 'lease', 'minResemblance', 'expiresIn', 'onSkip', 'key'] as const;
  const {
    textOf,
    idOf = (context: Partial<Context> | undefined) => context?.request?.url,
    scope: scopeOf = () => undefined,
    onSkip = () => {},
    lease = 300,
    expiresIn,
    key,
    minResemblance: threshold,
  } = checkOptions(options, known) as WhenNewOptions<Context>;
  checkFunction(textOf, 'textOf');
  checkFunction(idOf, 'idOf');
  checkFunction(scopeOf, 'scope');
  checkFunction(onSkip, 'onSkip');
  checkDuration(expiresIn);
  if (typeof threshold !== 'function') checkMinResemblance(threshold);
  const interval = checkDuration(lease, 'lease') / 3;
  // A lease that rounds to 0 ms would end before the confirmation.
  if (interval === 0) throw new ArgumentError('lease', 'at least a thousandth of a second', lease);
  const sketcher = new Sketcher({ scheme: store.scheme, key });
  const visit = async (context: Context): Promise<void> => {
    const { text, ...words } = checkPageText(await textOf(context));
    const id = await boundedId(idOf(context));
    const scope = checkScope(scopeOf(context), 'scope(context)');
    const version = { id, sketch: sketcher.sketch(text, { scope }) };
    if (version.sketch.isBlank) {
      if ((await store.get(id))?.isBlank === false) await onSkip(context, { id, status: 'empty', ...words });
      else await handler(context, { id, status: 'new', ...words });
      return;
    }
    const minResemblance = typeof threshold === 'function' ? threshold(context) : threshold;
    // Observing the page again returns the same decision and renews the lease.
    const observe = () => store.observe([version], { minResemblance, lease, expiresIn });
    const [decision] = await observe();
    if (decision.status === 'unchanged' || decision.status === 'duplicate') {
      await onSkip(context, { ...decision, ...words });
      return;
    }
    const endRenewal = repeat(observe, interval);
    try {
      await handler(context, { ...decision, ...words });
    } catch (error) {
      await endRenewal();
      // If this fails, the page stays provisional until its lease ends.
      await store.release([version]).catch(() => {});
      throw error;
    }
    await endRenewal();
    await store.confirm([version]);
  };
  const gone = async (url: string): Promise<boolean> => (await store.delete([await boundedId(url, 'url')])) > 0;
  return Object.assign(visit, { gone });
}
