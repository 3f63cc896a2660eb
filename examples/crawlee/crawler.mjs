// Crawls sites and prints the pages whose text is new. Any number of processes share what they have seen in one Redis:
//
//     npm install
//     node crawler.mjs redis://localhost:6379 https://example.org/
//     node crawler.mjs redis://localhost:6379 https://example.org/news/   (in another process, or on another machine)
import { CheerioCrawler, Configuration } from '@crawlee/cheerio';
import { unlessNear } from 'nearprint/crawl';
import { redisStore } from 'nearprint/store/redis';
import { createClient } from 'redis';

const [url, ...starts] = process.argv.slice(2);
if (starts.length === 0) throw new Error('usage: node crawler.mjs <url of Redis> <urls to start from>');
const client = await createClient({ url }).on('error', console.error).connect();
const seen = redisStore(client);

/** The text that is compared: without navigation, which all pages of a site have in common. */
const textOf = ({ $ }) => $('article').text();

const crawler = new CheerioCrawler(
  {
    // A near-duplicate is skipped whole, so its links are not followed.
    requestHandler: unlessNear(seen, textOf, async ({ request, enqueueLinks }) => {
      console.log(`new ${request.url}`);
      await enqueueLinks();
    }),
  },
  // Each process has its own queue, in memory.
  new Configuration({ persistStorage: false }),
);

await crawler.run(starts);
await client.close();
