// Browsers with a plain static server and a Content-Security-Policy that allows only 'wasm-unsafe-eval'.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse, chromium, emptyFolder, firefox, servePackage, writePage } from '../tools.mjs';

/** A folder with the package's files and a page. Without a bundler, the page imports by path instead of by name. */
function site({ project }, script) {
  const folder = emptyFolder({ project }, 'site');
  servePackage({ project }, folder);
  for (const name of ['answers.mjs', 'report.mjs', 'vectors.mjs']) cpSync(join(project, name), join(folder, name));
  const paths = readFileSync(join(project, script), 'utf8')
    .replace("'nearprint'", "'./nearprint/index.js'")
    .replace(/'nearprint\/(\w+)'/g, "'./nearprint/$1.js'");
  writeFileSync(join(folder, script), paths);
  writePage(folder, script);
  return folder;
}

const row = (what, find, how, check, unlisted = false) => ({
  what,
  how,
  unlisted,
  async run(context) {
    const browser = find();
    await check(browser, context);
    return browser.version();
  },
});

const answers = (script) => async (browser, context) => {
  assert.equal(await browse(browser, site(context, script)), context.expected);
};

const failure = (script, options, wanted) => async (browser, context) => {
  const folder = site(context, script);
  if (options.drop) writeFileSync(join(folder, 'nearprint', 'web.js'), dropped(folder));
  assert.match(await browse(browser, folder, options), wanted);
};

/** The loader as a bundler leaves it that does not copy the `.wasm` file. */
const dropped = (folder) =>
  readFileSync(join(folder, 'nearprint', 'web.js'), 'utf8').replace('"dedupe.wasm"', '"assets/dedupe.wasm"');

const forbidden = /Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src/;

export default Object.entries({ Chromium: chromium, Firefox: firefox }).flatMap(([what, find]) => [
  row(what, find, 'module script', answers('page.mjs')),
  row(what, find, '`nearprint/web`', answers('page-web.mjs')),
  row(what, find, 'error for a forbidding policy', failure('page.mjs', { csp: "script-src 'self'" }, forbidden), true),
  row(
    what,
    find,
    '`nearprint/web`, error for a forbidding policy',
    failure('page-web.mjs', { csp: "script-src 'self'" }, forbidden),
    true,
  ),
  row(
    what,
    find,
    'error for a bundler that dropped the `.wasm` file',
    failure(
      'page-web.mjs',
      { drop: true },
      /dedupe.wasm \(HTTP 404.*put that file of the package there, or pass its URL/,
    ),
    true,
  ),
]);
