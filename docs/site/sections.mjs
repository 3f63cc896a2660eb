// The sections of the site's pages, which the search finds: the text below each heading that has an id.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'parse5';

/** The folders of API pages. */
const api = /^(classes|functions|interfaces|types|variables)\//;
/** The pages that are found last: they are for people who change nearprint. */
const project = /^(design|measurements|benchmarks|reliability|contributing|changelog)\.html$/;

/** The classes of elements without prose: lists of links, signatures, and what a page repeats for each of its exports. */
const skipped = new Set(
  'breadcrumb index-panel signature is-inherited hierarchy parameters-title returns-title tag'
    .split(' ')
    .map((name) => `tsd-${name}`),
);
const blocks = new Set(['p', 'li', 'ul', 'ol', 'tr', 'td', 'th', 'table', 'pre', 'br', 'div', 'section', 'dd', 'dt']);

const attribute = (node, name) => node.attrs?.find((each) => each.name === name)?.value;

const isSkipped = (node) =>
  ['svg', 'button', 'script', 'style'].includes(node.tagName) ||
  attribute(node, 'aria-label') === 'Permalink' ||
  (attribute(node, 'class') ?? '').split(' ').some((name) => skipped.has(name));

function textOf(node) {
  if (node.nodeName === '#text') return node.value;
  if (isSkipped(node)) return '';
  const text = (node.childNodes ?? []).map(textOf).join('');
  return blocks.has(node.tagName) ? ` ${text} ` : text;
}

const clean = (text) => text.replace(/\s+/g, ' ').trim();

function find(node, isWanted) {
  if (isWanted(node)) return node;
  for (const child of node.childNodes ?? []) {
    const found = find(child, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the sections of a page: its title and its text above the first heading, then each heading. */
function sectionsOf(path, html) {
  const kind = api.test(path) ? 'API' : project.test(path) ? 'Project' : 'Guides';
  const content = find(parse(html), (node) => attribute(node, 'class') === 'col-content');
  const sections = [];
  const visit = (node) => {
    if (node.nodeName === '#text') {
      sections.at(-1)?.texts.push(node.value);
      return;
    }
    if (isSkipped(node)) return;
    const id = attribute(node, 'id');
    if (node.tagName === 'h1' || (/^h[23]$/.test(node.tagName) && id !== undefined)) {
      const heading = clean(textOf(node));
      const isFirst = sections.length === 0;
      sections.push({
        url: isFirst ? path : `${path}#${id}`,
        title: heading,
        page: sections[0]?.title ?? '',
        texts: [],
      });
      return;
    }
    for (const child of node.childNodes ?? []) visit(child);
    if (blocks.has(node.tagName)) sections.at(-1)?.texts.push(' ');
  };
  if (content !== undefined) visit(content);
  // "Class Deduplicator<I>" is found as "Deduplicator".
  const short = (title) =>
    kind === 'API' ? title.replace(/^(Class|Function|Interface|Type Alias|Variable) |<.*>$/g, '') : title;
  return sections
    .map(({ url, title, page, texts }) => ({
      url,
      title: short(title),
      page: short(page),
      kind,
      text: clean(texts.join('')),
    }))
    .filter(({ text }) => text !== '');
}

/** Returns the sections of all pages of a site. `title`, `page` and `text` are searched. */
export const siteSections = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((path) => !/^(rust|modules|media)\//.test(path) && !/^(modules|hierarchy)\.html$/.test(path))
    .sort()
    .flatMap((path) => sectionsOf(path, readFileSync(join(folder, path), 'utf8')));
