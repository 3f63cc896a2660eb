// Prints how much of the main text of the pages in tests/data/pages mainText, Readability and trafilatura return (recall), and how much
// of what they return is main text (precision). The elements with main text have the attribute `data-main` in the pages.
//
//     npm run build && node benches/peers/main_text.mjs
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readArguments } from '../../scripts/arguments.mjs';
import { root } from '../../scripts/run.mjs';
import { installPackages } from '../../scripts/setup.mjs';
import { kindsOfPages, scoreOf } from '../../tests/page-kinds.mjs';
import { installPython, python } from './python.mjs';

readArguments('');
const folder = join(root, 'benches', 'peers');
installPackages(folder);
installPython();
const require = createRequire(join(folder, 'package.json'));
const { Readability } = require('@mozilla/readability');
const { parseHTML } = require('linkedom');
const { blockText, mainText } = await import('../../pkg/html.js');

function readability(html) {
  const article = new Readability(parseHTML(html).document).parse();
  return article === null ? '' : blockText(`<h1>${article.title}</h1>${article.content}`);
}

const extract = 'import sys, trafilatura; print(trafilatura.extract(sys.stdin.read()) or "")';
const trafilatura = (html) =>
  execFileSync(python, ['-X', 'utf8', '-c', extract], {
    input: html,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });

const extractors = { mainText, readability, trafilatura };
const cell = ({ recall, precision }) => `${recall.toFixed(2)} ${precision.toFixed(2)}`;
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
row('page', ...Object.keys(extractors));
row('---', ...Object.keys(extractors).map(() => '---:'));
const sums = Object.keys(extractors).map(() => ({ recall: 0, precision: 0 }));
for (const page of kindsOfPages) {
  const scores = Object.values(extractors).map((extractor) => scoreOf(page, extractor(page.html)));
  for (const [at, { recall, precision }] of scores.entries()) {
    sums[at].recall += recall / kindsOfPages.length;
    sums[at].precision += precision / kindsOfPages.length;
  }
  row(page.kind, ...scores.map(cell));
}
row('mean', ...sums.map(cell));
