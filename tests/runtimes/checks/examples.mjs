// The examples, unchanged, in the empty project.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../../../scripts/run.mjs';
import { browse, bundleWorker, chromium, emptyFolder, servePackage, tool, versionOf } from '../tools.mjs';

/** Copies an example into the project, where the package and the tools resolve. */
function copy({ project }, name) {
  const folder = emptyFolder({ project }, name);
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  return folder;
}

/** Synthetic prose: eight paragraphs of random words, different for every seed. */
function article(seed) {
  let state = seed * 7919;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 16;
  };
  const word = () => 'ba de fi go ku la me no pi ru sa te vi wo zu'.split(' ')[next() % 15];
  const sentence = () => Array.from({ length: 12 }, () => word() + word() + word()).join(' ');
  const paragraph = () => `<p>${Array.from({ length: 5 }, sentence).join('. ')}.</p>`;
  return Array.from({ length: 8 }, paragraph).join('\n');
}

/** A site of a front page and 60 articles. Each has a second address with another menu and one more word. */
function page(path) {
  const [, number, print] = /^\/(\d+)(\?print)?$/.exec(path) ?? [];
  const links = number ? [`/${number}?print`, '/'] : Array.from({ length: 60 }, (_, at) => `/${at + 1}`);
  const menu = links.map((link) => `<li><a href="${link}">${print ? 'Print' : 'Page'} ${link}</a>`).join('');
  const body = number
    ? `<article><h1>Article ${number}</h1>${article(Number(number))}${print ? '<p>Printed.</p>' : ''}</article>`
    : '';
  return `<!doctype html><html><head><title>Article ${number ?? ''}</title></head><body><nav><ul>${menu}</ul></nav>${body}</body></html>`;
}

async function scrape(context) {
  const folder = copy(context, 'node-scraper');
  const requested = [];
  let child;
  const server = createServer((request, response) => {
    requested.push(request.url);
    if (requested.length === 50) child.kill('SIGKILL');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page(request.url));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  /** Runs the scraper to its end. Resolves to the decisions that it prints. */
  const crawl = async () => {
    child = spawn(process.execPath, ['scraper.mjs', url, 'crawl.db'], { cwd: folder });
    let [printed, errors] = ['', ''];
    child.stdout.on('data', (chunk) => (printed += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    await once(child, 'close');
    assert.equal(errors, '');
    return printed
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
  };
  const countOf = (decisions, status) => decisions.filter(([found]) => found === status).length;
  try {
    const killed = await crawl();
    const continued = await crawl();
    // The page whose request was the last one of the first run is requested again.
    assert.equal(requested.length, new Set(requested).size + 1);
    const first = [...killed, ...continued];
    assert.deepEqual([countOf(first, 'new'), countOf(first, 'duplicate'), first.length], [61, 60, 121]);
    for (const [status, copy, original] of first) if (status === 'duplicate') assert.equal(copy, `${original}?print`);
    const second = await crawl();
    assert.deepEqual([countOf(second, 'unchanged'), countOf(second, 'duplicate'), second.length], [61, 60, 121]);
  } finally {
    server.close();
  }
}

async function askWorker(context) {
  const folder = copy(context, 'worker');
  const { Miniflare } = await tool('miniflare');
  const modules = await bundleWorker(join(folder, 'worker.mjs'), emptyFolder(context, 'worker-bundle'), ['workerd']);
  const miniflare = new Miniflare({
    modules,
    compatibilityDate: '2026-01-01',
    kvNamespaces: ['PAGES'],
    durableObjects: { SEEN: { className: 'Seen', useSQLite: true } },
  });
  try {
    const post = async (id, body) => {
      const url = `http://localhost/site/${id}`;
      const { resemblance, ...rest } = await (await miniflare.dispatchFetch(url, { method: 'POST', body })).json();
      if (rest.status === 'duplicate') assert.ok(resemblance >= 0.67);
      return rest;
    };
    const text = article(5);
    const duplicateOf = 'site/first';
    assert.deepEqual(await post('first', text), { id: 'site/first', status: 'new' });
    assert.deepEqual(await post('same', text.toUpperCase()), { id: 'site/same', status: 'duplicate', duplicateOf });
    assert.deepEqual(await post('edited', `${text} More.`), { id: 'site/edited', status: 'duplicate', duplicateOf });
    assert.deepEqual(await post('first', text), { id: 'site/first', status: 'unchanged' });
    assert.deepEqual(await post('first', `${text} More.`), { id: 'site/first', status: 'changed' });
    assert.deepEqual(await post('other', article(6)), { id: 'site/other', status: 'new' });
    assert.deepEqual(await post('short', 'two words'), { id: 'site/short', status: 'new' });
    assert.equal((await miniflare.dispatchFetch('http://localhost/')).status, 405);
  } finally {
    await miniflare.dispose();
  }
}

async function openPage(context) {
  const folder = copy(context, 'browser');
  servePackage(context, folder);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  writeFileSync(join(folder, 'index.html'), `${html}<script type="module" src="drive.js"></script>`);
  writeFileSync(
    join(folder, 'drive.js'),
    `const [a, b] = document.querySelectorAll('textarea');
    const type = (field, text) => { field.value = text; field.dispatchEvent(new Event('input')); };
    const wait = async () => { while (!document.querySelector('output').value) await new Promise((r) => setTimeout(r, 10)); };
    await wait();
    type(a, 'One text'); type(b, 'ONE TEXT!');
    const same = document.querySelector('output').value;
    type(b, 'something else entirely');
    fetch('/report', { method: 'POST', body: same + ' | ' + document.querySelector('output').value });`,
  );
  assert.match(
    await browse(chromium(), folder),
    /^100 % of the word pairs in common: near-duplicates \| 0 % of the word pairs in common: different$/,
  );
}

const row = (how, check, version) => ({
  what: 'example',
  unlisted: true,
  how,
  async run(context) {
    await check(context);
    return version();
  },
});

export default [
  row('`node-scraper`', scrape, () => `cheerio ${versionOf('cheerio')}`),
  row('`worker`', askWorker, () => `miniflare ${versionOf('miniflare')}`),
  row('`browser`', openPage, async () => `Chromium ${await chromium().version()}`),
];
