// A local site of about 200 pages on several days: articles with a print view and a mirror each, and lists of them. Every page has
// a menu, a number of visitors that changes with each request, and a footer.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { random } from '../js/random.mjs';

const ARTICLES = 60;
const NEW_ON_DAY_2 = 8;
const LISTED = 10;

const syllables = 'ba de fi go ku la me no pi ru sa te vi wo zu'.split(' ');

/** Returns a function that returns sentences of random words. */
function sentences(seed) {
  const next = random(seed);
  const word = () => syllables[next(15)] + syllables[next(15)] + syllables[next(15)];
  return () => `${Array.from({ length: 12 }, word).join(' ')}, ${word()} ${word()}.`;
}

/** How the articles have changed on the second day. */
function editOf(number, day) {
  if (day === 1) return 'none';
  if (number % 10 === 1) return 'corrected';
  if (number % 10 === 2) return 'updated';
  if (number % 25 === 8) return 'rewritten';
  return 'none';
}

/** The title and the paragraphs of an article. */
function article(number, day) {
  const edit = editOf(number, day);
  const sentence = sentences(edit === 'rewritten' ? 1000 + number : number);
  const title = sentences(number)().split(' ').slice(0, 6).join(' ');
  const paragraphs = Array.from({ length: 4 }, () => Array.from({ length: 3 }, sentence).join(' '));
  if (edit === 'corrected') paragraphs[1] = paragraphs[1].replace(/\w+/, 'corrected');
  if (edit === 'updated') paragraphs.push(`Update: ${sentences(2000 + number)()}`);
  return { title, paragraphs };
}

const countOf = (day) => ARTICLES + (day === 1 ? 0 : NEW_ON_DAY_2);

/** Returns the HTML of a page on a day, or undefined. */
export function page(path, day, visitors = 0) {
  const [, kind = 'list', number = 0] = /^\/(?:(article|print|mirror|list)\/(\d+))?$/.exec(path) ?? [null, null];
  const count = countOf(day);
  const lists = Math.ceil(count / LISTED);
  const at = Number(number);
  if (kind === null || at >= (kind === 'list' ? lists : count)) return undefined;

  const menu = Array.from({ length: lists }, (_, list) => `<li><a href="/list/${list}">Page ${list + 1}</a></li>`);
  const nav = `<nav><p>Day ${day}, ${visitors} visitors</p><ul><li><a href="/">Home</a></li>${menu.join('')}</ul></nav>`;
  const link = (other) => `<li><a href="/article/${other}">${article(other, 1).title}</a></li>`;
  let main;
  let title = 'News';
  if (kind === 'list') {
    const first = at * LISTED;
    const length = Math.min(LISTED, count - first);
    main = `<ul>${Array.from({ length }, (_, other) => link(first + other)).join('')}</ul>`;
  } else {
    const { title: heading, paragraphs } = article(at, day);
    title = heading;
    if (kind === 'mirror') paragraphs[0] = paragraphs[0].replace(/\w+$/, 'mirrored');
    const variants = `<p><a href="/print/${at}">Print</a> <a href="/mirror/${at}">Mirror</a></p>`;
    const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(kind === 'print' ? '' : '\n');
    main = `<article><h1>${heading}</h1>${kind === 'article' ? variants : ''}${body}</article>`;
  }
  const around = kind === 'print' ? '' : nav;
  const footer = `<footer><p>All rights reserved, ${kind}, served on day ${day}.</p></footer>`;
  return `<!doctype html><html><head><title>${title}</title></head><body>${around}<main>${main}</main>${footer}</body></html>`;
}

/** All paths of a day. The variants of one article have one number. */
export function pathsOf(day) {
  const lists = Array.from({ length: Math.ceil(countOf(day) / LISTED) }, (_, at) => `/list/${at}`);
  const kinds = ['article', 'print', 'mirror'];
  const articles = Array.from({ length: countOf(day) }, (_, at) => kinds.map((kind) => `/${kind}/${at}`)).flat();
  return ['/', ...lists, ...articles];
}

/** Returns the article that the variants of a page share, or its path. `/` is the first list. */
export const familyOf = (path) =>
  /\/(?:article|print|mirror)\/(\d+)$/.exec(path)?.[1] ?? (path === '/' ? '/list/0' : path);

/** Serves the site. `day` can be set; `requested` has the paths of all requests. */
export async function serve() {
  const site = { day: 1, requested: [], extra: {} };
  const server = createServer((request, response) => {
    site.requested.push(request.url);
    const html = site.extra[request.url] ?? page(request.url, site.day, site.requested.length);
    response.statusCode = html === undefined ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html ?? 'not found');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  site.origin = `http://127.0.0.1:${server.address().port}`;
  site.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return site;
}
