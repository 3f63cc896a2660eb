// The package as npm publishes it: packed, installed into an empty project, and used there.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { test } from '../tier.mjs';
import { installPackage } from './packed.mjs';

const project = installPackage();
const manifest = JSON.parse(readFileSync(new URL('../../pkg/package.json', import.meta.url), 'utf8'));
/** The entries that are ES modules and CommonJS. */
const twins = Object.keys(manifest.exports).filter((name) => manifest.exports[name].require);

/** Runs a module in the project and returns its output. */
function runThere(code, name = 'run.mjs') {
  writeFileSync(join(project, name), code);
  return execFileSync(process.execPath, [name], { cwd: project, encoding: 'utf8' });
}

test('an uncaught error prints a short line of source', () => {
  for (const [name, code] of [
    ['run.mjs', `import { fingerprint } from 'nearprint/simhash'; fingerprint(7);`],
    ['run.mjs', `import { sketch } from 'nearprint'; sketch(7);`],
    ['run.cjs', `require('nearprint').sketch(7);`],
    ['run.cjs', `require('nearprint/simhash').fingerprint(7);`],
    ['run.mjs', `import { fingerprint } from 'nearprint/compat'; fingerprint(7, {});`],
    ['run.mjs', `import { NearIndex } from 'nearprint/simhash'; NearIndex.fromBytes(new Uint8Array(3));`],
  ]) {
    writeFileSync(join(project, name), code);
    const { status, stderr } = spawnSync(process.execPath, [name], { cwd: project, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /Error: nearprint: /);
    assert.ok(stderr.length < 3000, `${stderr.length} characters`);
  }
});

test('import and require have the same exports and fingerprints, and share no state', () => {
  const printed = runThere(`
    import { createRequire } from 'node:module';
    import * as imported from 'nearprint/simhash';
    import { sketch } from 'nearprint';
    const require = createRequire(import.meta.url);
    const required = require('nearprint/simhash');
    const { exports } = require('nearprint/package.json');
    const names = (module) => Object.keys(module).filter((name) => name !== 'default').sort().join();
    const twins = Object.keys(exports).filter((name) => exports[name].require).map((name) => 'nearprint' + name.slice(1));
    const differs = async (name) => names(await import(name)) !== names(require(name));
    const checks = twins.filter((name) => name !== 'nearprint/html').map(differs); // needs parse5
    console.log(checks.length > 9, (await Promise.all(checks)).includes(true));
    console.log(imported.fingerprint('one text') === required.fingerprint('one text'));
    console.log(required.NearIndex.fromBytes(new imported.NearIndex().add('a', 1n).toBytes()).query(3n).length);
    console.log(sketch('one text').toHex() === require('nearprint').sketch('one text').toHex());
    console.log(imported.NearIndex === required.NearIndex);
  `);
  assert.equal(printed, 'true false\ntrue\n1\ntrue\nfalse\n');
});

test('every required entry has the classes of the required main entry', () => {
  const printed = runThere(
    `const nearprint = require('nearprint');
    const { memoryStore } = require('nearprint/store/memory');
    const { whenNew } = require('nearprint/crawl');
    const { fingerprint } = require('nearprint/simhash');
    const compat = require('nearprint/compat');
    const store = memoryStore();
    const isOwn = (error) => console.log(error instanceof nearprint.ArgumentError);
    for (const call of [whenNew, fingerprint, compat.fingerprint]) {
      try { call(7, { scheme: '1e0ng' }); } catch (error) { isOwn(error); }
    }
    (async () => {
      await store.observe([{ id: 'a', sketch: 7 }]).catch(isOwn);
      const [{ status }] = await store.observe([{ id: 'a', sketch: nearprint.sketch('one text') }]);
      console.log(status);
    })();`,
    'run.cjs',
  );
  assert.equal(printed, 'true\ntrue\ntrue\ntrue\nnew\n');
});

test('no required entry needs TextEncoder or TextDecoder while it is loaded', () => {
  const printed = runThere(
    `const { TextEncoder, TextDecoder } = globalThis;
    delete globalThis.TextEncoder;
    delete globalThis.TextDecoder;
    const entries = Object.entries(require('nearprint/package.json').exports);
    const names = entries.filter(([name, { require }]) => require && name !== './html').map(([name]) => name); // needs parse5
    const loaded = Object.fromEntries(names.map((name) => [name, require('nearprint' + name.slice(1))]));
    const call = () => [
      loaded['./simhash'].fingerprint(Buffer.from('té')) === loaded['./simhash'].fingerprint('té'),
      loaded['.'].compare('té', Buffer.from('té')).exactResemblance,
      loaded['./compat'].fingerprint(Buffer.from('té'), { scheme: '1e0ng' }) > 0n,
    ];
    try { call(); } catch (error) { console.log(error.message); }
    Object.assign(globalThis, { TextEncoder, TextDecoder });
    console.log(...call());`,
    'run.cjs',
  );
  assert.match(printed, /^Text(En|De)coder is not defined\ntrue 1 true\n$/);
});

test('classes print by their names', () => {
  const printed = runThere(`
    import * as nearprint from 'nearprint';
    import * as simhash from 'nearprint/simhash';
    import * as compat from 'nearprint/compat';
    const isClass = (value) => typeof value === 'function' && /^class\\b/.test(value);
    for (const [name, value] of Object.entries({ ...nearprint, ...simhash, ...compat })) {
      if (isClass(value)) console.log(name === value.name ? name : [name, value.name]);
    }
  `);
  for (const name of ['Deduplicator', 'Sketch', 'Sketcher', 'Fingerprinter', 'NearIndex', 'ArgumentError']) {
    assert.match(printed, new RegExp(`^${name}$`, 'm'));
  }
  assert.doesNotMatch(printed, /\[/);
});

test('nearprint/web resolves to the exports whose module is loaded', () => {
  const printed = runThere(`
    import { readFileSync } from 'node:fs';
    import * as nearprint from 'nearprint';
    import * as simhash from 'nearprint/simhash';
    import { load } from 'nearprint/web';
    const html = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    const wrong = await load({ simhash: html, dedupe: false }).catch((e) => e);
    console.log(wrong.message);
    const fileOf = (name) => readFileSync(new URL(import.meta.resolve('nearprint/' + name + '.wasm')));
    const loaded = await load({ simhash: fileOf('simhash'), dedupe: false });
    console.log(loaded.fingerprint('one text') === simhash.fingerprint('one text'));
    const namesOf = (...exports) => Object.keys(Object.assign({}, ...exports)).sort().join();
    console.log(namesOf(loaded) === namesOf(simhash));
    const other = await load({ dedupe: fileOf('dedupe'), simhash: false });
    console.log(namesOf(other) === namesOf(nearprint));
    console.log(other.sketch('one text').toHex() === nearprint.sketch('one text').toHex());
    const both = await load({ dedupe: fileOf('dedupe'), simhash: fileOf('simhash') });
    console.log(new both.Deduplicator().size, new both.NearIndex().size);
    console.log(namesOf(both) === namesOf(nearprint, simhash));
  `);
  const lines = printed.trimEnd().split('\n');
  assert.match(lines[0], /is not simhash\.wasm .*put that file of the package there, or pass its URL to load\(\)$/);
  const others = ['true', 'true', 'true', 'true', '0 0', 'true'];
  assert.deepEqual(lines.slice(1), others);
});

test('a bundle for Workers imports the modules that it needs, and no others', async () => {
  const modulesOf = async (contents) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      ...{ bundle: true, write: false, format: 'esm', conditions: ['workerd'], external: ['*.wasm?module'] },
    });
    return [...outputFiles[0].text.matchAll(/(\w+)\.wasm\?module/g)].map(([, name]) => name).sort();
  };
  const exportsOf = async (entry) => modulesOf(`export * from 'nearprint${entry}';`);
  assert.deepEqual(await exportsOf(''), ['dedupe']);
  assert.deepEqual(await exportsOf('/simhash'), ['simhash']);
  assert.deepEqual(await exportsOf('/compat'), ['compat']);
  for (const entry of twins.filter((name) => /^\.\/(store|crawl|calibrate)/.test(name))) {
    assert.deepEqual(await exportsOf(entry.slice(1)), ['dedupe'], entry);
  }
});
