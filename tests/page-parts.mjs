// Pages whose content is in several parts, so that the best of them is not the page; with surroundings that change on each day.
import { random } from './js/random.mjs';

const syllables = 'ba de fi go ku la me no pi ru sa te vi wo zu'.split(' ');

/** Returns a function that returns a passage of random words. */
function passages(seed) {
  const next = random(seed);
  const word = () => syllables[next(15)] + syllables[next(15)] + syllables[next(15)];
  return (count = 24) => `${Array.from({ length: count }, word).join(' ')}.`;
}

const rows = (count, row) => Array.from({ length: count }, (_, at) => row(at)).join('');
const figures = (count) => `<table>${rows(count, (at) => `<tr><td>measure ${at}<td>${at * 37} tonnes`)}</table>`;
const listing = `<pre>${rows(40, (at) => `let value${at} = read(${at});\n`)}</pre>`;
const method = (at, text) =>
  `<div class=memitem><table><tr><td>int value${at}(int x)</table><div class=memdoc><p>${text}</div></div>`;
const comments = (says) => `<div class=comments>${rows(12, () => `<div class=comment><p>${says(30)}</div>`)}</div>`;
const panel = (text) => `<div role=tabpanel hidden><p>${text}</div>`;
const half = (text) => `<div class=col><p>${text}</div>`;
const answer = (text) => `<section><h2>How does it work?</h2><p>${text}</section>`;
const note = (text) => `<aside class=admonition><p class=title>Note</p><p>${text}</aside>`;

/** Makes the content of a page from three passages. `says` returns a passage that is different on each day. */
export const shapes = {
  'prose around a long table': (a, b, c) => `<p>${a}</p>${figures(60)}<p>${b}</p><h2>Sources</h2><p>${c}</p>`,
  'prose around a listing': (a, b, c) => `<p>${a}</p>${listing}<div>${b}</div>${listing}${c}`,
  'cells of a table': (a, b, c) =>
    `<table><tr><th>Term<th>Meaning${rows(3, (at) => `<tr><td>t${at}<td>${[a, b, c][at]}`)}</table>`,
  'admonitions in the main element': (a, b, c) => `<main><p>${a}</p>${note(b)}<p>text</p>${note(c)}</main>`,
  'items of lists': (a, b, c) => `<p>${a}</p><ul><li>one<li>${b}</ul><dl><dt>two<dd>${c}</dl>`,
  'questions and answers': (a, b, c) => answer(a) + answer(b) + answer(c),
  'sibling containers': (a, b, c) => `<div class=row>${half(a)}${half(b)}</div><div class=row>${half(c)}</div>`,
  'an article in sections': (a, b, c) =>
    `<article><p>${a}</p></article><section><p>${b}</p></section><article><p>${c}</p></article>`,
  'prose around the main element': (a, b, c) => `<p>${a}</p><main><p>${b}</p></main><div><p>${c}</p></div>`,
  'a class reference': (a, b, c) => method(1, a) + method(2, b) + method(3, c),
  'panels of tabs': (a, b, c) => `<p>${a}</p><button role=tab>Two</button>${panel(b)}${panel(c)}`,
  'comments longer than the text': (a, b, c, says) => `<h1>News</h1><p>${a}</p><p>${b}</p><p>${c}</p>${comments(says)}`,
  'the page behind a dialog': (a, b, c, says) =>
    `<main aria-hidden=true><p>${a}</p><div>${b}</div><p>${c}</p></main><div class=modal><p>${says()}</div>`,
};

/** Returns what is around the content: it is different on each day. */
function surroundings(day, says) {
  const links = rows(10 + (day % 5), (at) => `<li><a href="#${day}-${at}">${says(3)}</a>`);
  return [
    `<nav><ul>${links}</ul></nav><div class="cookie-consent"><p>${says()}</p><button>Accept</button></div>`,
    `<div class=ad><p>${says(12)}</p></div><div class=social-share>${says(4)}</div><div style="display: none">${says()}</div>` +
      `<form><input name=q><select><option>${says(2)}</select></form><footer><p>${says(12)} Day ${day}</p></footer>`,
  ];
}

/** Returns the page of a shape on a day. `edits` has the passages, 0 to 2, in which a word is edited. */
export function pageOf(name, day, edits = []) {
  const seed = 1 + Object.keys(shapes).indexOf(name);
  const says = passages(1000 * seed + day);
  const own = passages(seed);
  const content = Array.from({ length: 3 }, () => own()).map((text, at) =>
    edits.includes(at) ? text.replace(/(?<=^(?:\w+ ){9})\w+/, 'edited') : text,
  );
  const [before, after] = surroundings(day, says);
  return `<!doctype html><title>${says(3)}</title><body>${before}${shapes[name](...content, says)}${after}</body>`;
}
