// Crawls a site, and saves the pages that are new or have changed since the last crawl. Run it every day. If a run is interrupted,
// the next run continues it. nearprint is not published yet: the README says how to install it from a clone.
//
//     npm install
//     node scraper.mjs https://example.org/ crawl.db
import Database from 'better-sqlite3';
import { load } from 'cheerio';
import { whenNew } from 'nearprint/crawl';
import { mainText } from 'nearprint/html';
import { sqliteStore } from 'nearprint/store/sqlite';

const [start, file = 'crawl.db'] = process.argv.slice(2);
if (!URL.canParse(start)) throw new Error('usage: node scraper.mjs <URL> [file]');
const { origin } = new URL(start);

const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE IF NOT EXISTS pages (number INTEGER PRIMARY KEY, url TEXT UNIQUE, visited INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS texts (url TEXT PRIMARY KEY, text TEXT);
  -- If the last run has visited all pages, this one visits them again.
  UPDATE pages SET visited = 0 WHERE NOT EXISTS (SELECT 1 FROM pages WHERE visited = 0);
`);
const add = database.prepare('INSERT OR IGNORE INTO pages (url) VALUES (?)');
const next = database.prepare('SELECT url FROM pages WHERE visited = 0 ORDER BY number LIMIT 1').pluck();
const end = database.prepare('UPDATE pages SET visited = 1 WHERE url = ?');
const save = database.prepare('INSERT OR REPLACE INTO texts (url, text) VALUES (?, ?)');
const finish = database.transaction((url, links) => {
  for (const link of links) add.run(link);
  end.run(url);
});

const handle = whenNew(
  sqliteStore(database),
  ({ request, text }, { status }) => {
    save.run(request.url, text);
    console.log(`${status} ${request.url}`);
  },
  {
    textOf: ({ text }) => text,
    onSkip: ({ request }, { status, duplicateOf = '' }) =>
      console.log(`${status} ${request.url} ${duplicateOf}`.trim()),
  },
);

/** Returns a page in the charset that its header or its first bytes declare. `text()` would read each page as UTF-8. */
async function decode(response) {
  const bytes = await response.arrayBuffer();
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 1024));
  const declared = /charset\s*=\s*["']?([^\s"'/>;]+)/i;
  const [, charset = 'utf-8'] = declared.exec(response.headers.get('content-type')) ?? declared.exec(start) ?? [];
  // Without `fatal`, a page in another charset would lose its words, and what is left of two pages may be alike.
  return new TextDecoder(charset, { fatal: true }).decode(bytes);
}

/** Returns the main text of a page, and its links to the same site. */
async function read(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html');
  if (!isPage || new URL(response.url).origin !== origin) {
    await response.body?.cancel();
    // Copies of a page that is gone are handled again, for example after the site has moved.
    if (response.status === 404 || response.status === 410) await handle.gone(url);
    return { text: '', links: [] };
  }
  const html = await decode(response);
  const $ = load(html);
  const links = $('a[href]')
    .toArray()
    .map(({ attribs }) => attribs.href)
    .filter((href) => URL.canParse(href, response.url))
    .map((href) => new URL(href, response.url))
    .filter((link) => link.origin === origin)
    .map((link) => link.href.replace(/#.*$/s, ''));
  return { text: mainText(html), links };
}

add.run(new URL(start).href);
for (let url = next.get(); url !== undefined; url = next.get()) {
  let links = [];
  try {
    const page = await read(url);
    links = page.links;
    if (page.text) await handle({ request: { url }, text: page.text });
  } catch (error) {
    // The next run visits the page again.
    console.error(`${url}: ${error.message}`);
  }
  finish(url, links);
}
database.close();
