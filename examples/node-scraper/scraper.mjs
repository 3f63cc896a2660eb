// Crawls a site and prints which pages are new and which are near-duplicates. After an interruption, it continues:
//
//     npm install
//     node scraper.mjs https://example.org/ crawl.db
import { Readability } from '@mozilla/readability';
import Database from 'better-sqlite3';
import { parseHTML } from 'linkedom';
import { sketch } from 'nearprint';
import { sqliteStore } from 'nearprint/store/sqlite';
import { Agent, interceptors } from 'undici';

const [start, file = 'crawl.db'] = process.argv.slice(2);
if (!URL.canParse(start)) throw new Error('usage: node scraper.mjs <url> [file]');

const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }), interceptors.retry({ maxRetries: 2 }));

// One database has the pages and the store of their texts, so that they always fit together.
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.exec('CREATE TABLE IF NOT EXISTS pages (number INTEGER PRIMARY KEY, url TEXT UNIQUE, done INTEGER DEFAULT 0)');
const add = database.prepare('INSERT OR IGNORE INTO pages (url) VALUES (?)');
const first = database.prepare('SELECT url FROM pages WHERE done = 0 ORDER BY number LIMIT 1').pluck();
const end = database.prepare('UPDATE pages SET done = 1 WHERE url = ?');
const finish = database.transaction((url, links) => {
  end.run(url);
  for (const link of links) add.run(link);
});
const seen = sqliteStore(database);
add.run(new URL(start).href);

/** The text of a page's article, without navigation and advertisements, and the links of the page. */
async function read(url) {
  const { origin, pathname, search } = new URL(url);
  const { statusCode, headers, body } = await agent.request({ origin, path: pathname + search, method: 'GET' });
  if (statusCode !== 200 || !headers['content-type']?.startsWith('text/html')) {
    await body.dump();
    return { text: '', links: [] };
  }
  const { document } = parseHTML(await body.text());
  const links = [...document.querySelectorAll('a[href]')]
    .filter((a) => URL.canParse(a.getAttribute('href'), url))
    .map((a) => new URL(a.getAttribute('href'), url))
    .filter((link) => link.origin === origin)
    .map((link) => link.origin + link.pathname + link.search); // no fragment
  return { text: new Readability(document).parse()?.textContent ?? '', links };
}

let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
});

for (let url = first.get(); url !== undefined && !stopped; url = first.get()) {
  const { text, links } = await read(url).catch((error) => {
    console.error(`${url}: ${error.message}`);
    return { text: '', links: [] };
  });
  if (text) {
    // After a kill before `finish`, this call is repeated and gives the same answer.
    const [{ duplicateOf, resemblance }] = await seen.addIfNew([{ id: url, sketch: sketch(text) }]);
    if (duplicateOf === null) console.log(`new ${url}`);
    else console.log(`duplicate ${url} of ${duplicateOf}, with ${Math.round(100 * resemblance)} % of its word pairs`);
  }
  finish(url, links);
}
const done = database.prepare('SELECT count(*) FROM pages WHERE done = 1').pluck().get();
console.log(`${stopped ? 'stopped' : 'done'}: ${await seen.count()} different pages of ${done}`);
database.close();
await agent.close();
