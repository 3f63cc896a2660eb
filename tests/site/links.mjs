// Checks the links of a site that is a folder of HTML files: each link within it leads to a file, and to an id of that file.
// Links to other sites are not followed, but must begin with https: programs that detect addresses in text turn names of
// files into links such as http://README.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'parse5';

/** Returns the ids of a page and the addresses in it. */
function read(file) {
  const page = { ids: new Set(), links: [] };
  const visit = (node) => {
    for (const { name, value } of node.attrs ?? []) {
      if (name === 'id' || (name === 'name' && node.tagName === 'a')) page.ids.add(value);
      if (name === 'href' || name === 'src') page.links.push({ value, isLoaded: node.tagName !== 'a' });
    }
    node.childNodes?.forEach(visit);
  };
  visit(parse(readFileSync(file, 'utf8')));
  return page;
}

/**
 * Returns a message for each broken link in `folder`. Pages below `checked` are only targets: another program has checked
 * them.
 */
export function brokenLinks(folder, checked) {
  const pages = new Map();
  const page = (file) => pages.get(file) ?? pages.set(file, read(file)).get(file);
  /** Returns what is wrong with a link in a file, if anything. */
  const problem = (file, { value, isLoaded }) => {
    if (/^(mailto|data):/.test(value)) return undefined;
    if (/^(\w+:)?\/\//.test(value)) {
      if (isLoaded) return `loads ${value}, of another site`;
      return value.startsWith('https://') ? undefined : `links to ${value}, which does not begin with https://`;
    }
    const [path, id] = value.split('#').map(decodeURIComponent);
    const target = path === '' ? file : join(dirname(file), path.replace(/\?.*/, ''));
    if (relative(folder, target).startsWith('..')) return `links to ${value}, outside the site`;
    if (!existsSync(target)) return `links to ${value}, which does not exist`;
    const isFound = !id || !target.endsWith('.html') || page(target).ids.has(id);
    return isFound ? undefined : `links to ${value}: no such id`;
  };
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html'));
  return files
    .filter((name) => !name.startsWith(checked))
    .flatMap((name) => page(join(folder, name)).links.map((link) => [name, problem(join(folder, name), link)]))
    .filter(([, problem]) => problem !== undefined)
    .map((words) => words.join(' '));
}
