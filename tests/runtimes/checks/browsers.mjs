// Browsers with a bare static server, and no other rights than a policy of 'wasm-unsafe-eval' gives.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse, chromium, emptyFolder, firefox, servePackage, writePage } from '../tools.mjs';

/** The package's files and a page beside them, with paths in place of names, for want of a bundler. */
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

const row = (what, find, how, check) => ({
  what,
  how,
  unlisted: how.includes('told'),
  async run(context) {
    const browser = find();
    await check(browser, context);
    return browser.version();
  },
});

const answers = (script) => async (browser, context) => {
  assert.equal(await browse(browser, site(context, script)), context.expected);
};

const refusal = (script, options, wanted) => async (browser, context) => {
  const folder = site(context, script);
  if (options.drop) writeFileSync(join(folder, 'nearprint', 'web.js'), dropped(folder));
  assert.match(await browse(browser, folder, options), wanted);
};

/** The loader as it is after a bundler that left the file behind. */
const dropped = (folder) =>
  readFileSync(join(folder, 'nearprint', 'web.js'), 'utf8').replace('"nearprint.wasm"', '"assets/nearprint.wasm"');

const forbidden = /Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src/;

export default Object.entries({ Chromium: chromium, Firefox: firefox }).flatMap(([what, find]) => [
  row(what, find, 'module script', answers('page.mjs')),
  row(what, find, '`nearprint/web`', answers('page-web.mjs')),
  row(what, find, 'told of a policy that forbids wasm', refusal('page.mjs', { csp: "script-src 'self'" }, forbidden)),
  row(what, find, '`nearprint/web` told of it too', refusal('page-web.mjs', { csp: "script-src 'self'" }, forbidden)),
  row(
    what,
    find,
    'told of a bundler that dropped the `.wasm`',
    refusal(
      'page-web.mjs',
      { drop: true },
      /nearprint.wasm \(HTTP 404.*put that file of the package there, or pass its URL/,
    ),
  ),
]);
