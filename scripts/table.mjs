// Tables of documents that programs write, each between `<!-- NAME -->` and `<!-- end -->`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const matching = (name) => new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=<!-- end -->)`);

/** Returns a table in Markdown. The first row has the titles of the columns. */
export function formatTable([titles, ...rows]) {
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return lines.join('');
}

/** Returns the table of a document. */
export function readTable(document, name) {
  const [table] = matching(name).exec(readFileSync(join(root, document), 'utf8'));
  return table;
}

/** Writes the table of a document. */
export function writeTable(document, name, table) {
  const path = join(root, document);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(matching(name), () => table),
  );
}
