// Extracts the main text of an HTML page with Mozilla's Readability, which is Firefox's reader view.
import { UserError } from './user-error.js';

/**
 * Elements that start and end a line. Otherwise the last word of one item and the first of the next would be joined.
 */
const blocks = new Set(
  'address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form'
    .concat(' h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td th tr ul')
    .split(' '),
);
const hidden = new Set(['head', 'noscript', 'script', 'style', 'svg', 'template', 'title']);

function collect(node, pieces) {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) pieces.push(child.data);
    if (child.nodeType !== 1) continue;
    const name = child.localName.toLowerCase();
    if (hidden.has(name)) continue;
    const border = blocks.has(name) ? '\n' : '';
    pieces.push(border);
    collect(child, pieces);
    pieces.push(border);
  }
}

/** The text of a node, with line breaks around block elements. */
export function textOf(node) {
  const pieces = [];
  collect(node, pieces);
  return pieces.join('');
}

/** Returns a function from HTML to its main text, or to all its text if it has none. */
export async function htmlReader() {
  const load = (name) =>
    import(name).catch((error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new UserError('--html takes two more packages: npm install @mozilla/readability linkedom');
    });
  const [{ Readability }, { parseHTML }] = await Promise.all([load('@mozilla/readability'), load('linkedom')]);
  return (html) => {
    // A fragment needs a document around it.
    const whole = /<body[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
    const article = new Readability(parseHTML(whole).document, { serializer: (element) => element }).parse();
    // Readability has modified the document: parse again.
    return textOf(article?.content ?? parseHTML(whole).document.body ?? parseHTML(whole).document);
  };
}
