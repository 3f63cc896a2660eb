// The crawler of docs/guides/crawler.md on three days, with processes that are killed while they handle a page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sketch } from 'nearprint';
import { mainText } from 'nearprint/html';
import { blocks } from '../js/blocks.mjs';
import { Model } from '../js/model.mjs';
import { valuesOf } from '../js/values.mjs';
import { pageOf, shapes } from '../page-parts.mjs';
import { temporary } from './engines.mjs';
import { familyOf, page, pathsOf, serve } from './site.mjs';
import { servers } from './table.mjs';

/** In place of save.mjs of the example: it writes what it does to a log, and kills its process where the test wants it. */
const save = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const { LOG, KILL_BEFORE, KILL_AFTER, FAIL } = process.env;
let count = 0;
export async function save(url) {
  const number = String(++count);
  const { pathname } = new URL(url);
  appendFileSync(LOG, \`begin \${pathname}\\n\`);
  if (number === KILL_BEFORE) process.kill(process.pid, 'SIGKILL');
  if (pathname === FAIL) {
    await sleep(500);
    throw new Error('it fails for good');
  }
  await sleep(5);
  appendFileSync(LOG, \`end \${pathname}\\n\`);
  if (number === KILL_AFTER) process.kill(process.pid, 'SIGKILL');
}
`;

/** Makes a folder with the files of the guide, which are those of examples/crawlee. */
function example() {
  const folder = temporary();
  for (const { file, code } of blocks('docs/guides/crawler.md')) {
    const [, name] = /^examples\/crawlee\/(.*)$/.exec(file) ?? [];
    // Other blocks are the commands that run it.
    if (name !== undefined && (name === 'package.json' || code.startsWith('import')))
      writeFileSync(join(folder, name), code);
  }
  symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'save.mjs'), save);
  return folder;
}

/**
 * Runs the crawler until a run ends that is not killed, with one of the environments after the other. Returns what this run
 * prints, and the number of the others.
 */
async function crawl(folder, args, environments) {
  for (let kills = 0; ; kills++) {
    const child = spawn(process.execPath, ['crawler.mjs', ...args], {
      cwd: folder,
      env: { ...process.env, CRAWLEE_LOG_LEVEL: 'ERROR', LOG: join(folder, 'log'), ...environments[kills] },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
    const [code, signal] = await once(child, 'close');
    if (signal === 'SIGKILL' && kills < environments.length) continue;
    assert.equal(code, 0, printed);
    return { printed, kills };
  }
}

/** The day of the site on the first, second and third day of the test: the third one brings nothing. */
const dayOf = (day) => Math.min(day, 1) + 1;

/** The families that are handled on each day, by the model: in which order the pages are visited makes no difference. */
function expectedFamilies() {
  const model = new Model();
  return [0, 1, 2].map(dayOf).map((day) => {
    const handled = pathsOf(day).filter((path) => {
      const { status } = model.observe(path, sketch(mainText(page(path, day))));
      return status === 'new' || status === 'changed';
    });
    return [...new Set(handled.map(familyOf))].sort();
  });
}

const expected = expectedFamilies();
test('the site: the model handles all articles on the first day, and the new and edited ones on the second', () => {
  assert.deepEqual(valuesOf(expected, 'length'), [66, 24, 0]);
});

const sqliteIn = (folder) => join(folder, 'seen.db');

/** When a process is killed on each day: before or after it saves the page of this number. */
const kills = [[{ KILL_BEFORE: '4' }, { KILL_AFTER: '12' }], [{ KILL_AFTER: '3' }, { KILL_BEFORE: '2' }], []];

/** The paths of the pages that the handlers began and ended to save. */
function readLog(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const pathsOf = (what) => lines.filter((line) => line.startsWith(what)).map((line) => line.slice(what.length));
  return { begun: pathsOf('begin '), ended: pathsOf('end ') };
}

/** Runs one or two processes on one day, and checks what they have handled. */
async function crawlDay(folder, location, { origin }, processes, day) {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const starts = ['/', '/list/5'].slice(0, processes);
  const start = performance.now();
  const runs = await Promise.all(
    starts.map((path, at) =>
      crawl(folder, [location, origin + path], processes === 1 ? kills[day] : kills[day].slice(at, at + 1)),
    ),
  );
  const seconds = (performance.now() - start) / 1000;
  const { begun, ended } = readLog(log);
  const killed = runs.reduce((sum, { kills }) => sum + kills, 0);
  // Exactly the families of the model, each at least once, and pages whose handling was interrupted again.
  assert.deepEqual([...new Set(ended.map(familyOf))].sort(), expected[day]);
  assert.deepEqual(
    begun.filter((path) => !ended.includes(path)),
    [],
  );
  // One of two processes may have handled all pages before the other one gets to its number.
  assert.ok(killed >= Math.min(kills[day].length, 3 - processes), `${killed} kills`);
  const count = pathsOf(dayOf(day)).length;
  for (const { printed } of runs) {
    const visited = printed.match(/^(?:new|changed|unchanged|duplicate) /gm).length;
    assert.equal(visited, count, printed.slice(-2000));
  }
  const families = `${ended.length} times saved for ${expected[day].length} new and changed ones`;
  return `day ${day + 1}: ${count} pages, ${families}, ${killed} kills, ${seconds.toFixed(1)} s`;
}

/** Runs a test with a site and a folder of the example. `crawlSite` crawls the site once and returns what the crawler prints. */
function testSite(what, run) {
  test(what, async () => {
    const folder = example();
    const site = await serve();
    const crawlSite = async (environments = []) =>
      (await crawl(folder, [sqliteIn(folder), `${site.origin}/`], environments)).printed;
    try {
      await run({ folder, site, crawlSite });
    } finally {
      site.close();
    }
  });
}

testSite('an error page does not replace the page that it stands for', async ({ folder, site, crawlSite }) => {
  site.extra['/'] = `${page('/print/1', 1)}<a href="/gone">More</a>`;
  site.extra['/gone'] = page('/print/2', 1);
  await crawlSite();
  assert.deepEqual(readLog(join(folder, 'log')).ended, ['/', '/gone']);
  delete site.extra['/gone'];
  assert.equal(await crawlSite(), `unchanged ${site.origin}/\n`);
  assert.equal(site.requested.filter((path) => path === '/gone').length, 2);
});

testSite(
  'an article that is empty for a day is handled once, and every edit of one that moves is',
  async ({ site, crawlSite }) => {
    const link = (path) => `<a href="${path}">More</a>`;
    const [failing, moving] = ['/print/3', '/print/4'].map((path) => page(path, 1));
    const days = [
      { '/': link('/failing') + link('/old/a'), '/failing': failing, '/old/a': moving },
      { '/': link('/failing') + link('/old/a') + link('/new/a'), '/failing': '<main></main>', '/new/a': moving },
      { '/': link('/failing') + link('/new/a'), '/failing': failing, '/new/a': moving.replace(/<p>\w+/, '<p>edited') },
      { '/': link('/new/a'), '/new/a': moving.replace(/<p>\w+/, '<p>again') },
    ];
    const printed = [];
    for (const pages of days) {
      for (const path of Object.keys(site.extra)) delete site.extra[path];
      Object.assign(site.extra, pages);
      const lines = (await crawlSite()).matchAll(/^(\w+) http:\/\/[^/]+(.*)$/gm);
      printed.push(Object.fromEntries(Array.from(lines, ([, status, path]) => [path, status])));
    }
    const statuses = (path) => printed.map((day) => day[path]);
    assert.deepEqual(statuses('/failing'), ['new', 'empty', 'unchanged', undefined]);
    assert.deepEqual(statuses('/old/a'), ['new', undefined, undefined, undefined]);
    // On the second day, the new address may be visited before the old one.
    const [, second, ...edits] = statuses('/new/a');
    assert.match(second, /^(?:new|duplicate)$/);
    assert.deepEqual(edits, [second === 'new' ? 'changed' : 'new', 'changed']);
  },
);

testSite('each edit of a part of a page is handled, and no change around the content', async ({ site, crawlSite }) => {
  const names = Object.keys(shapes);
  const pathOf = (at) => `/shape/${at}`;
  site.extra['/'] = names.map((_, at) => `<a href="${pathOf(at)}">${at}</a>`).join(' ');
  // Every second page is edited on the second day, in one of its passages, and the others on the third day.
  const editsOf = (at, day) => (day === 1 || (day === 2 && at % 2 === 0) ? [] : [Math.floor(at / 2) % 3]);
  for (const day of [1, 2, 3]) {
    names.forEach((name, at) => {
      site.extra[pathOf(at)] = pageOf(name, day, editsOf(at, day));
    });
    const printed = await crawlSite();
    for (const [at, name] of names.entries()) {
      const isEdited = at % 2 === (day === 2 ? 1 : 0);
      const status = day === 1 ? 'new' : isEdited ? 'changed' : 'unchanged';
      assert.ok(printed.includes(`${status} ${site.origin}${pathOf(at)}\n`), `${name}, day ${day}: ${printed}`);
    }
  }
});

testSite('little text of a page is reported', async ({ site, crawlSite }) => {
  const article = page('/print/1', 1);
  site.extra['/'] = `<nav>${'one two three '.repeat(300)}</nav>${article}`;
  const [, line] = (await crawlSite()).split('\n');
  assert.match(line, /^http:\S+: \d+ of \d+ words are compared$/);
});

testSite(
  'products of a template are separated by scope, and the copy of a page that cannot be saved is saved',
  async ({ folder, site, crawlSite }) => {
    const file = join(folder, 'crawler.mjs');
    const scope = "scope: ({ request }) => new URL(request.url).searchParams.get('sku') ?? undefined,";
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('textOf:', (textOf) => `${scope}\n    ${textOf}`),
    );
    const product = (color) => page('/print/5', 1).replace(/<p>\w+/, `<p>${color}`);
    const failing = page('/print/6', 1);
    const pages = {
      '/shop?sku=1': product('red'),
      '/shop?sku=2': product('blue'),
      '/shop?sku=2&from=list': product('blue'),
      '/failing': failing,
      '/copy': failing,
    };
    site.extra['/'] = Object.keys(pages)
      .map((path) => `<a href="${path.replace('&', '&amp;')}">More</a>`)
      .join(' ');
    Object.assign(site.extra, pages);
    // The copy may be visited while the handler of the original runs. The crawler then comes back to it.
    const printed = (await crawlSite([{ FAIL: '/failing' }])).replaceAll(site.origin, '').split('\n');
    const saved = readLog(join(folder, 'log')).ended;
    assert.equal(saved.filter((path) => path === '/copy').length, 1);
    assert.equal(saved.filter((path) => path === '/shop').length, 2, saved.join(' '));
    assert.ok(printed.includes('new /shop?sku=1'), printed.join(' '));
    assert.ok(!saved.includes('/failing'));
  },
);

describe('three days', { concurrency: true }, () => {
  for (const [what, processes, locationIn] of [
    ['sqlite, a process', 1, sqliteIn],
    ['redis, 2 processes', 2, async () => (await servers.redis())?.url],
  ]) {
    test(what, async (context) => {
      const folder = example();
      const location = await locationIn(folder);
      if (location === undefined) return context.skip('not installed');
      const site = await serve();
      try {
        for (const day of expected.keys()) {
          site.day = dayOf(day);
          context.diagnostic(await crawlDay(folder, location, site, processes, day));
        }
      } finally {
        site.close();
      }
    });
  }
});
