// The examples without a crawler framework: the scraper on three days with kills, and the Worker.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { sketch } from 'nearprint';
import { mainText } from 'nearprint/html';
import { memoryStore } from 'nearprint/store/memory';
import { Model, stored } from '../js/model.mjs';
import { random } from '../js/random.mjs';
import { temporary } from './engines.mjs';
import { familyOf, page, pathsOf, serve } from './site.mjs';
import { start } from './workers.mjs';

const folderOf = (name) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** Runs the scraper. Returns the decisions that it prints, as `[status, path]`, and its exit code and signal. */
async function scrape(folder, origin, env = {}) {
  const child = spawn(process.execPath, ['scraper.mjs', `${origin}/`, 'crawl.db'], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let printed = '';
  let errors = '';
  child.stdout.on('data', (data) => (printed += data));
  child.stderr.on('data', (data) => (errors += data));
  const [code, signal] = await once(child, 'close');
  const lines = printed.trim().split('\n').filter(Boolean);
  const decisions = lines.map((line) => line.split(' ')).map(([status, url]) => [status, url.slice(origin.length)]);
  return { decisions, errors, code, signal };
}

/** Makes the process kill itself with its request of this number, or when it prints this number of lines. */
const killer = `data:text/javascript,${encodeURIComponent(`
  let requests = 0;
  let lines = 0;
  const kill = () => process.kill(process.pid, 'SIGKILL');
  const { fetch, console } = globalThis;
  globalThis.fetch = (...args) => {
    if (++requests === Number(process.env.KILL_AT_REQUEST)) kill();
    return fetch(...args);
  };
  const { log } = console;
  console.log = (...args) => {
    log(...args);
    if (++lines === Number(process.env.KILL_AT_LINE)) kill();
  };
`)}`;

test('the scraper: pages in windows-1251, as the header or the page declares', async () => {
  const folder = temporary();
  cpSync(folderOf('node-scraper'), folder, { recursive: true });
  symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(folder, 'node_modules'));
  const texts = { '/': 'Не шли вечер', '/meta': 'Река вышла из берегов', '/wrong': 'Дорога закрыта' };
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', url === '/' ? 'text/html; charset=windows-1251' : 'text/html');
    const meta = url === '/meta' ? '<meta charset="windows-1251">' : '';
    const text = `${meta}<p>${texts[url]}</p><a href="/meta"></a><a href="/wrong"></a>`;
    // The letters from А to я are the bytes from C0 to FF.
    const bytes = [...text].map((letter) => letter.charCodeAt(0)).map((code) => (code < 128 ? code : code - 0x350));
    response.end(Buffer.from(bytes));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const { decisions, errors } = await scrape(folder, origin);
  server.close();
  assert.deepEqual(decisions, [
    ['new', '/'],
    ['new', '/meta'],
  ]);
  assert.match(errors, /^http:[^ ]*\/wrong: .* not valid for encoding utf-8$/m);
  const database = new Database(join(folder, 'crawl.db'), { readonly: true });
  const saved = database.prepare('SELECT text FROM texts ORDER BY url').pluck().all();
  database.close();
  assert.deepEqual(saved, [texts['/'], texts['/meta']]);
});

test('the scraper: three days with kills, and links of any length', async (context) => {
  const folder = temporary();
  cpSync(folderOf('node-scraper'), folder, { recursive: true });
  symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(folder, 'node_modules'));
  const site = await serve();
  // A link of more bytes than an id has, one of more than a server takes, and some that lead nowhere.
  const long = `/article?${'x'.repeat(5000)}`;
  const links = [
    long,
    `/?${'x'.repeat(50_000)}`,
    'https://a.invalid/',
    'mailto:a@b.example',
    'http://[',
    '#top',
    '/broken',
  ];
  const anchors = links.map((link) => `<a href="${link}">more</a>`).join(' ');
  site.extra[long] = page('/article/0', 1).replaceAll('<p>', '<p>different ');
  const model = new Model();
  try {
    for (const [at, day] of [1, 2, 2].entries()) {
      site.day = day;
      site.extra['/'] = page('/', day).replace('</main>', `<p>${anchors}</p></main>`);
      const paths = [...pathsOf(day), long];
      const expected = paths.filter((path) => {
        const text = mainText(site.extra[path] ?? page(path, day));
        return ['new', 'changed'].includes(model.observe(path, sketch(text)).status);
      });
      site.requested.length = 0;
      const kills = [
        [{ KILL_AT_REQUEST: '2' }, { KILL_AT_LINE: '1' }, { KILL_AT_REQUEST: '40' }, { KILL_AT_LINE: '71' }],
        [{ KILL_AT_LINE: '3' }, { KILL_AT_REQUEST: '25' }],
        [],
      ][at];
      const decisions = [];
      for (const env of kills) {
        const run = await scrape(folder, site.origin, { ...env, NODE_OPTIONS: `--import ${killer}` });
        assert.equal(run.signal, 'SIGKILL', run.errors);
        decisions.push(...run.decisions);
      }
      const { code, errors, decisions: last } = await scrape(folder, site.origin);
      assert.equal(code, 0, errors);
      decisions.push(...last);
      // Only the pages that a kill interrupted are visited again.
      const visited = site.requested.filter((path) => paths.includes(path));
      assert.ok(visited.length >= paths.length && visited.length <= paths.length + kills.length, `${visited.length}`);
      assert.deepEqual([...new Set(visited)].sort(), paths.sort());
      const handled = decisions.filter(([status]) => status === 'new' || status === 'changed').map(([, path]) => path);
      const familiesOf = (paths) => [...new Set(paths.map(familyOf))].sort();
      assert.deepEqual(familiesOf(handled), familiesOf(expected));
      // The saved texts are those of this day.
      const database = new Database(join(folder, 'crawl.db'), { readonly: true });
      for (const path of handled) {
        const saved = database
          .prepare('SELECT text FROM texts WHERE url = ?')
          .pluck()
          .get(site.origin + path);
        assert.equal(saved, mainText(site.extra[path] ?? page(path, day)));
      }
      database.close();
      context.diagnostic(`day ${at + 1}: ${visited.length} visits, ${handled.length} handled, ${kills.length} kills`);
    }
  } finally {
    site.close();
  }
});

const bindings = {
  'a Durable Object': { durableObjects: { SEEN: { className: 'Seen', useSQLite: true } } },
  D1: { d1Databases: { DB: 'seen' } },
};

for (const [name, settings] of Object.entries(bindings)) {
  test(`the Worker saves pages that are new or have changed: ${name}`, async () => {
    const runtime = await start(join(folderOf('worker'), 'worker.mjs'), { ...settings, kvNamespaces: ['PAGES'] });
    const pages = await runtime.getKVNamespace('PAGES');
    const request = (path, body, method = 'POST') =>
      runtime.dispatchFetch(`http://localhost/${path}`, { method, body });
    const post = async (path, body) => {
      const response = await request(path, body);
      assert.equal(response.status, 200);
      return response.json();
    };
    const next = random(5);
    const words = () => Array.from({ length: 80 }, () => `w${next(30000)}`);
    try {
      // A second visit: an unchanged page, a changed one, one with another text, and one of another site.
      const first = words();
      const text = first.join(' ');
      const edited = text.replace(first[7], 'edited');
      const other = words().join(' ');
      assert.deepEqual(await post('site/a', text), { id: 'site/a', status: 'new' });
      assert.deepEqual(await post('site/a', text.toUpperCase()), { id: 'site/a', status: 'unchanged' });
      assert.equal(await pages.get('site/a'), text);
      const { status, resemblance } = await post('site/a', edited);
      assert.equal(status, 'changed');
      assert.equal(resemblance, stored(sketch(text)).resemblance(sketch(edited)));
      assert.equal(await pages.get('site/a'), edited);
      assert.equal((await post('site/a', other)).status, 'changed');
      assert.equal((await post('site/b', edited)).status, 'new');
      const duplicate = await post('site/c', text);
      assert.deepEqual([duplicate.status, duplicate.duplicateOf], ['duplicate', 'site/b']);
      assert.equal(await pages.get('site/c'), null);
      if (name === 'a Durable Object') assert.equal((await post('elsewhere/c', text)).status, 'new');

      // Eight near-duplicates at once.
      for (let round = 0; round < 5; round++) {
        const all = words();
        const posts = Array.from({ length: 8 }, (_, at) =>
          post(
            `site/${round}/${at}`,
            all.map((word, position) => (position === at * 7 ? `edit${at}` : word)).join(' '),
          ),
        );
        const decisions = await Promise.all(posts);
        const [one, ...rest] = decisions.filter(({ status }) => status === 'new');
        assert.deepEqual(rest, []);
        for (const each of decisions) if (each !== one) assert.equal(each.duplicateOf, one.id);
        assert.notEqual(await pages.get(one.id), null);
      }

      assert.equal((await request('site/a', undefined, 'GET')).status, 405);
      assert.equal((await request('', text)).status, 400);
      assert.equal((await request(`site/${'x'.repeat(600)}`, text)).status, 400);
      assert.equal((await request('site/large', 'x '.repeat(600_000))).status, 413);
      assert.equal((await post('site/%00%ED%A0%80', words().join(' '))).status, 'new');
      assert.deepEqual(await post('site/empty', ''), { id: 'site/empty', status: 'new' });
    } finally {
      await runtime.dispose();
    }
  });
}

test('the Worker: a page that could not be saved gets the same decision again', async () => {
  const pages = {
    isFailing: true,
    saved: [],
    async put(id, text) {
      if (pages.isFailing) throw new Error('KV fails');
      pages.saved.push([id, text]);
    },
  };
  const keep = keepOfExample();
  const store = memoryStore();
  await assert.rejects(keep(store, pages, 'a', 'one text'), /KV fails/);
  pages.isFailing = false;
  assert.deepEqual(await keep(store, pages, 'a', 'one text'), { id: 'a', status: 'new' });
  assert.deepEqual(await keep(store, pages, 'a', 'one text'), { id: 'a', status: 'unchanged' });
  assert.deepEqual(pages.saved, [['a', 'one text']]);
});

/** The function `keep` of the example. */
function keepOfExample() {
  const source = readFileSync(join(folderOf('worker'), 'worker.mjs'), 'utf8');
  const [keep] = /^async function keep\([\s\S]*?^}$/m.exec(source);
  return new Function('sketch', `return ${keep}`)(sketch);
}
