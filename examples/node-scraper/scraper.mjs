// Crawls a site and prints which pages are new and which are near-duplicates. After an interruption, it continues:
//
//     npm install
//     node scraper.mjs https://example.org/ crawl.json
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { Deduplicator } from 'nearprint';
import { Agent, interceptors } from 'undici';

const [start, file = 'crawl.json'] = process.argv.slice(2);
if (!URL.canParse(start)) throw new Error('usage: node scraper.mjs <url> [file]');
const SAVE_EVERY = 20; // pages

const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }), interceptors.retry({ maxRetries: 2 }));

let todo = [new URL(start).href];
let seen = new Set(todo);
let kept = new Deduplicator();
if (existsSync(file)) {
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  todo = saved.todo;
  seen = new Set(saved.seen);
  kept = Deduplicator.fromBytes(Buffer.from(saved.kept, 'base64'));
}

/** Writes the whole state into one file, atomically, so that its parts always fit together. */
function save() {
  const saved = { todo, seen: [...seen], kept: Buffer.from(kept.toBytes()).toString('base64') };
  writeFileSync(`${file}.new`, JSON.stringify(saved));
  renameSync(`${file}.new`, file);
}

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

for (let count = 1; todo.length > 0 && !stopped; count++) {
  const url = todo[0];
  const { text, links } = await read(url).catch((error) => {
    console.error(`${url}: ${error.message}`);
    return { text: '', links: [] };
  });
  if (text) {
    const { duplicateOf, resemblance } = kept.addIfNew(url, text);
    if (duplicateOf === null) console.log(`new ${url}`);
    else console.log(`duplicate ${url} of ${duplicateOf}, with ${Math.round(100 * resemblance)} % of its word pairs`);
  }
  todo.shift();
  for (const link of links) {
    if (seen.has(link)) continue;
    seen.add(link);
    todo.push(link);
  }
  if (count % SAVE_EVERY === 0) save();
}
save();
console.log(`${stopped ? 'stopped' : 'done'}: ${kept.size} different pages of ${seen.size - todo.length}`);
await agent.close();
