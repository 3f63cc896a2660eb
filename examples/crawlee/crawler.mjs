// Crawls sites, and saves the pages that are new or have changed since the last crawl. Run it every day. Any number of processes
// may run at once. They share a store: a file on one machine, or Redis on several.
// nearprint is not published yet: the README says how to install it from a clone.
//
//     npm install
//     node crawler.mjs seen.db https://example.org/
//     node crawler.mjs redis://localhost:6379 https://example.org/
import { setTimeout } from 'node:timers/promises';
import { CheerioCrawler, Configuration } from '@crawlee/cheerio';
import { whenNew } from 'nearprint/crawl';
import { pageText } from 'nearprint/html';
import { save } from './save.mjs';
import { openStore } from './store.mjs';

const [url, ...starts] = process.argv.slice(2);
if (starts.length === 0) throw new Error('usage: node crawler.mjs <file or URL of the store> <URLs to start from>');
const { store, close } = await openStore(url);

/** Prints a decision, and a warning if only a small part of the page is compared. */
function print({ request }, { status, words: { used, all } }) {
  console.log(`${status} ${request.url}`);
  if (used < all / 3) console.warn(`${request.url}: ${used} of ${all} words are compared`);
}

/** Copies of pages that are still being handled. They are visited again, in case the handler of the original fails. */
const again = [];

const handle = whenNew(
  store,
  async (context, decision) => {
    await save(context.request.url, context.body.toString());
    print(context, decision);
  },
  {
    // Without navigation, which all pages of a site have in common.
    textOf: ({ body }) => pageText(body.toString()),
    onSkip: (context, decision) => {
      if (decision.isProvisional) again.push({ url: context.request.url, userData: { isAgain: true } });
      else print(context, decision);
    },
    // A page that no crawl has visited for 90 days is forgotten.
    expiresIn: 90 * 86_400,
  },
);

const crawler = new CheerioCrawler(
  {
    async requestHandler(context) {
      // Crawlee passes some error pages to the handler, 404 and 410 for example.
      const { statusCode } = context.response;
      if (statusCode === 404 || statusCode === 410) await handle.gone(context.request.url);
      if (statusCode >= 400) return;
      // In every case: a page that is skipped may have new links.
      if (!context.request.userData.isAgain) await context.enqueueLinks();
      await handle(context);
    },
  },
  // The queue is in memory: each run visits all pages.
  new Configuration({ persistStorage: false }),
);

await crawler.run(starts);
for (let left = again.splice(0); left.length > 0; left = again.splice(0)) {
  await setTimeout(5000);
  await crawler.run(left);
}
await close();
