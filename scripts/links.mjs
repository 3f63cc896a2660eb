// Checks the links of a site that is a folder of HTML files: each link within it leads to a file, and to an id of that file.
// Links to other sites are not followed, but must begin with https: programs that detect addresses in text turn names of
// files into links such as http://README.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'parse5';

/** The ids of a page and the addresses in it. */
function read(file) {
  const ids = new Set();
  const links = [];
  const visit = (node) => {
    for (const { name, value } of node.attrs ?? []) {
      if (name === 'id' || (name === 'name' && node.tagName === 'a')) ids.add(value);
      if (name === 'href' || name === 'src') links.push({ value, isLoaded: node.tagName !== 'a' });
    }
    for (const child of node.childNodes ?? []) visit(child);
  };
  visit(parse(readFileSync(file, 'utf8')));
  return { ids, links };
}

/**
 * Returns a message for each broken link in `folder`. Pages below `checked` are only targets: another program has checked
 * them.
 */
export function brokenLinks(folder, checked) {
  const pages = new Map();
  const page = (file) => {
    if (!pages.has(file)) pages.set(file, read(file));
    return pages.get(file);
  };
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html'));
  return files
    .filter((name) => !name.startsWith(checked))
    .flatMap((name) => {
      const file = join(folder, name);
      const problem = ({ value, isLoaded }) => {
        if (/^(mailto|data):/.test(value)) return null;
        if (/^(\w+:)?\/\//.test(value)) {
          if (isLoaded) return `${name} loads ${value}, of another site`;
          return value.startsWith('https://') ? null : `${name} links to ${value}, which does not begin with https://`;
        }
        const [path, id] = value.split('#').map(decodeURIComponent);
        const target = path === '' ? file : join(dirname(file), path.replace(/\?.*/, ''));
        if (relative(folder, target).startsWith('..')) return `${name} links to ${value}, outside the site`;
        if (!existsSync(target)) return `${name} links to ${value}, which does not exist`;
        if (id && target.endsWith('.html') && !page(target).ids.has(id)) return `${name} links to ${value}: no such id`;
        return null;
      };
      return page(file).links.map(problem).filter(Boolean);
    });
}
