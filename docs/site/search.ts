// The search of the site. TypeDoc's dialog stays; guides come before names of the API, and each result shows the passage
// that was found. The data is a classic script, since a page that is opened as a file may not fetch.
import MiniSearch, { type SearchResult } from 'minisearch';

/** A section of a page, as docs/site/sections.mjs writes it. */
interface Section {
  url: string;
  title: string;
  /** The title of the page; empty if the section is its beginning. */
  page: string;
  kind: 'Guides' | 'API' | 'Project';
  text: string;
}

declare global {
  var siteSections: Section[] | undefined;
}

/** The largest number of results of each kind, in the order of the list. */
const shown = [
  ['Guides', 6],
  ['API', 6],
  ['Project', 3],
] as const;

const names = { Guides: 'Guides and reference', API: 'API', Project: 'About the project' };

/** The characters of an excerpt, and of the part before the first match. */
const [EXCERPT, BEFORE] = [150, 40];

/** The words of a text, also the parts of names such as `expiresIn` and `next.js`. */
const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

class SiteSearch {
  #sections: Section[];
  #index = new MiniSearch<Section & { id: number }>({
    fields: ['title', 'page', 'text'],
    tokenize: words,
    searchOptions: {
      boost: { title: 6, page: 2 },
      // A query can end within a word. Words of five letters or more may have one wrong letter.
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 1 : 0),
      weights: { prefix: 0.5, fuzzy: 0.1 },
    },
  });

  constructor(sections: Section[]) {
    this.#sections = sections;
    this.#index.addAll(sections.map((section, id) => ({ ...section, id })));
  }

  /** Returns the best sections of each kind, with the words that were found in each. */
  find(query: string): { section: Section; found: string[] }[] {
    const all = this.#index.search(query, { combineWith: 'AND' });
    const hits = all.length > 0 ? all : this.#index.search(query, { combineWith: 'OR' });
    const results = hits.map(({ id, match }: SearchResult) => ({
      section: this.#sections[id],
      found: Object.keys(match),
    }));
    return shown.flatMap(([kind, limit]) => results.filter(({ section }) => section.kind === kind).slice(0, limit));
  }
}

/** Returns a text whose words of a list are marked. The words are in lower case. */
function marked(text: string, found: readonly string[]): (string | HTMLElement)[] {
  return text.split(/([\p{L}\p{N}]+)/u).map((part) => {
    if (!found.includes(part.toLowerCase())) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/** Returns how well a passage shows a query: the query itself counts most, then its words, then words that begin like them. */
function relevance(passage: string, query: string): number {
  const present = new Set(words(passage));
  const beginnings = [...present].map((word) => words(query).some((term) => word.startsWith(term)));
  const whole = words(query).filter((term) => present.has(term)).length;
  return (passage.startsWith(query) ? 100 : 0) + 10 * whole + Number(beginnings.includes(true));
}

/** Returns the passage that shows a query best. It begins and ends between words. */
function excerpt(text: string, query: string, found: readonly string[]): string {
  const lower = text.toLowerCase();
  let [start, most] = [0, -1];
  for (const { 0: word, index } of lower.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!found.includes(word)) continue;
    const value = relevance(lower.slice(index, index + EXCERPT - BEFORE), query.toLowerCase());
    if (value > most) [start, most] = [index, value];
  }
  const from = start <= BEFORE ? 0 : text.indexOf(' ', start - BEFORE) + 1;
  const rest = text.slice(from, from + EXCERPT);
  const isWhole = from + EXCERPT >= text.length;
  const end = isWhole ? rest.length : rest.lastIndexOf(' ');
  return `${from > 0 ? '… ' : ''}${rest.slice(0, end)}${isWhole ? '' : ' …'}`;
}

function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const created = document.createElement(tag);
  created.className = className;
  created.append(...children);
  return created;
}

/**
 * Returns a result. TypeDoc's script moves among the results by keyboard: it needs these roles and ids, and clicks on the
 * element `a`. That has no address, since an option of a list must not have a control in it.
 */
function resultOf(
  { section, found }: ReturnType<SiteSearch['find']>[number],
  at: number,
  query: string,
  base: string,
): HTMLElement {
  const link = document.createElement('a');
  const path = section.page === '' ? '' : `${section.page} › `;
  link.append(
    element('span', 'found-title', element('span', 'found-page', path), ...marked(section.title, found)),
    element('span', 'found-text', ...marked(excerpt(section.text, query, found), found)),
  );
  const item = element('li', '', link);
  item.id = `found-${at}`;
  item.role = 'option';
  item.ariaSelected = 'false';
  item.addEventListener('click', ({ ctrlKey, metaKey }) => {
    const url = base + section.url;
    if (ctrlKey || metaKey) {
      open(url);
      return;
    }
    location.assign(url);
    // The result may be on this page.
    document.getElementById('tsd-search')?.dispatchEvent(new Event('cancel', { cancelable: true }));
  });
  item.dataset.url = section.url;
  return item;
}

export function startSearch(): void {
  const field = document.getElementById('tsd-search-input');
  const results = document.getElementById('tsd-search-results');
  const status = document.getElementById('tsd-search-status');
  if (!(field instanceof HTMLInputElement) || results === null || status === null) return;
  const { base = '' } = document.documentElement.dataset;
  let search: SiteSearch | undefined;
  const show = () => {
    if (globalThis.siteSections === undefined) return; // The data is loading, and shows what was typed then.
    search ??= new SiteSearch(globalThis.siteSections);
    const query = field.value.trim();
    const found = query === '' ? [] : search.find(query);
    const items = found.map((each, at) => resultOf(each, at, query, base));
    items.forEach((item, at) => {
      const { kind } = found[at].section;
      if (found[at - 1]?.section.kind !== kind) item.dataset.kind = names[kind];
    });
    results.replaceChildren(...items);
    field.removeAttribute('aria-activedescendant');
    status.textContent = query !== '' && items.length === 0 ? `Nothing was found for “${query}”.` : '';
  };
  field.addEventListener('input', show);
  document.getElementById('tsd-search-script')?.addEventListener('load', show);
  show();
}
