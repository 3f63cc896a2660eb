// The main text of a thousand forms of pages, compared with the document that a browser makes of them.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { pages, wordsOf } from '../page-forms.mjs';
import { importSource } from '../source.mjs';
import { exhaustive as test } from '../tier.mjs';
import { open } from './harness.mjs';

const { textReader } = await importSource('js/node/html.ts');

const opened = await open();
after(opened.close);

test('every word of the main text is in the browser document, and no text is lost', async () => {
  const read = await textReader({ isHtml: true });
  const texts = [];
  // A frame for each page, so that the browser reads it as a page with scripts. The frames load together.
  for (let at = 0; at < pages.length; at += 60) {
    texts.push(...(await opened.page.evaluate(readAll, pages.slice(at, at + 60))));
  }
  const unlike = [];
  for (const [at, html] of pages.entries()) {
    // textContent joins the last word of one element and the first of the next.
    const theirs = wordsOf(texts[at]).join('');
    const ours = wordsOf(read(html).text);
    if (ours.length === 0 || ours.some((word) => !theirs.includes(word))) unlike.push(html);
  }
  assert.deepEqual(unlike, []);
});

/** Runs in the browser. */
function readAll(pages) {
  const read = async (html) => {
    const frame = document.createElement('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    frame.srcdoc = html;
    document.body.append(frame);
    await loaded;
    for (const element of frame.contentDocument.querySelectorAll('script, style, title, noscript')) element.remove();
    const text = frame.contentDocument.documentElement.textContent;
    frame.remove();
    return text;
  };
  return Promise.all(pages.map(read));
}
