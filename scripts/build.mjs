// Builds pkg/, the npm package, from the crate and js/. A part whose sources are unchanged is not rebuilt.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeTypes } from './build-types.mjs';
import { buildWasm, glueFile, moduleFile, modules } from './build-wasm.mjs';
import { bundle, rebuild, root } from './run.mjs';
import { setup } from './setup.mjs';

const at = (...path) => join(root, ...path);

/** The source file of a module of js/. */
const source = (name) => at('js', `${name}.ts`);

/** The sources of everything in pkg/ except the documents. */
const sources = [
  'js',
  'build/wasm',
  'package.json',
  'package-lock.json',
  'scripts',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Options for programs of Node. */
const forNode = { platform: 'node', external: ['better-sqlite3', 'pg', 'redis'] };

/**
 * How a bundle gets the WebAssembly, by the file of js/boot that compiles it. Maps the name of a module to the value that the
 * bundle has as its `wasm`: a string literal, a name, or the path of a file that the user's bundler imports.
 */
const boots = {
  inline: { literal: (name) => toLiteral(readFileSync(moduleFile(name))) },
  // The form that wrangler documents, and the only one that Nitro builds for Cloudflare and Vercel.
  imported: { path: (name) => `./${name}.wasm?module` },
  web: { literal: (name) => JSON.stringify(name) },
  file: { literal: (name) => JSON.stringify(name) },
};

const inline = [
  { boot: 'inline', extension: '.js' },
  { boot: 'inline', extension: '.cjs', folder: 'cjs/', format: 'cjs' },
];
const edge = { boot: 'imported', extension: '.edge.js' };

/**
 * The bundles with WebAssembly. `text` and `sets` are chunks of the main entry: bindings and WebAssembly, and nothing that runs
 * when they are loaded. `chunks` states that a bundle imports them; without it they are part of the bundle.
 */
const bundles = [
  ...['text', 'sets', 'index', 'compat'].flatMap((entry) =>
    [...inline, edge].map((each) => ({ entry, chunks: entry === 'index', ...each })),
  ),
  { entry: 'web', boot: 'web', extension: '.js' },
  { entry: 'cli', boot: 'file', extension: '.js', ...forNode },
  { entry: 'cli-worker', boot: 'file', extension: '.js', ...forNode },
];

/**
 * Each character of the module's string is a byte XOR this mask. The most frequent bytes of WebAssembly then become letters
 * instead of characters that need a backslash, which makes the file 3 % smaller after Brotli.
 */
const MASK = 118;

/**
 * A string literal with one character for each byte, which js/boot/inline.ts decodes. Compressed, it is 2 % larger than the
 * bytes, and base64 27 % larger. The literal has a line of its own:
 * Node prints the source line of an uncaught error.
 */
function toLiteral(bytes) {
  const string = Buffer.from(bytes.map((byte) => byte ^ MASK))
    .toString('latin1')
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/\0(?=\d)/g, '\\x00') // \0 and a digit would be an octal escape
    .replaceAll('\0', '\\0');
  return `\n'${string}'\n`;
}

/**
 * Returns the glue without the encoder and decoder that it creates when loaded, and without compiling bytes: it receives
 * compiled modules, and for those of another realm its `instanceof` is false.
 */
const removeEffects = (glue) =>
  `import { decoder, encoder } from '#utf8';\n${glue}`
    .replaceAll(/new TextDecoder\([^)]*\)/g, 'decoder')
    .replaceAll(/^ *cachedTextDecoder\.decode\(\);$/gm, '')
    .replace('new TextEncoder()', 'encoder')
    .replace(/if \(!\(module instanceof WebAssembly\.Module\)\) \{[^}]*\}/, '');

/** Bundles an entry with its file of js/boot, and with the modules that it uses, or with imports of their chunks. */
async function bundleEntry({ entry, chunks, boot, extension, folder = '', ...others }) {
  const { transform } = await import('esbuild');
  const { literal, path: pathOf } = boots[boot];
  const isChunk = modules.includes(entry) && entry !== 'compat';
  const options = {
    ...(isChunk
      ? { stdin: { contents: `export * from '#${entry}';`, resolveDir: root } }
      : { entryPoints: [source(entry)] }),
    alias: { '#boot': source(`boot/${boot}`), '#utf8': source('core/utf8') },
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { MASK: `${MASK}` },
    charset: 'ascii', // so the file with the literal is Latin-1, which V8 stores in a byte a character
    minifySyntax: true,
    minifyWhitespace: true,
    // Without `minifyIdentifiers`: Parcel's minifier writes an invalid module if esbuild has shortened private names.
    lineLimit: 400,
    ...others,
  };
  const { outputFiles } = await bundle(options, ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#(text|sets|compat)$/ }, ({ path }) => {
      const name = path.slice(1);
      if (chunks) return { path: `./${name}${extension}`, external: true };
      return { path: boot === 'file' && name === 'text' ? 'lines' : name, namespace: 'module' };
    });
    onLoad({ filter: /./, namespace: 'module' }, ({ path: name }) => {
      const contents = `export * from ${JSON.stringify(glueFile(name))}; export { default as wasm } from '#wasm/${name}';`;
      return { contents, resolveDir: root };
    });
    onResolve({ filter: /^#wasm\// }, ({ path }) => {
      const name = path.slice('#wasm/'.length);
      return literal ? { path: name, namespace: 'wasm' } : { path: pathOf(name), external: true };
    });
    // A placeholder: esbuild would escape the characters of the literal.
    onLoad({ filter: /./, namespace: 'wasm' }, ({ path }) => ({ contents: placeholderOf(path), loader: 'text' }));
    // The bindings have classes with the same names as the package. esbuild would rename the package's classes, whose names
    // `console.log` prints.
    onLoad({ filter: /[\\/]build[\\/]wasm[\\/].*\.js$/ }, async ({ path }) => {
      const glue = removeEffects(readFileSync(path, 'utf8'));
      const { code } = await transform(glue, { format: 'esm', minifyIdentifiers: true });
      return { contents: code };
    });
  });
  let { text } = outputFiles[0];
  if (literal) for (const name of modules) text = text.replace(`"${placeholderOf(name)}"`, () => literal(name));
  writeFileSync(at('pkg', `${folder}${entry}${extension}`), text);
}

const placeholderOf = (name) => `the WebAssembly of ${name}`;

/** Matches imports that the main entry has. They stay imports of it in the other entries, so that a class exists once. */
const mainEntry = /^(\.\.?\/)+(index|(core\/)?(argument-error|decide)|decisions\/versions)\.js$/;

/** Bundles entries that import the main entry from `path`. */
const bundleOthers = (entryPoints, path, format, options) =>
  bundle(
    {
      entryPoints,
      outdir: at('pkg'),
      format,
      outExtension: { '.js': format === 'cjs' ? '.cjs' : '.js' },
      target: 'es2022',
      ...options,
    },
    ({ onResolve }) => onResolve({ filter: mainEntry }, () => ({ path, external: true })),
  );

const engines = ['d1', 'durable-object', 'memory', 'postgres', 'redis', 'sqlite'];
/** The entries that import the package by name, so that each runtime gets its main entry. Maps names to files of js/. */
const importers = {
  calibrate: 'calibrate',
  crawl: 'crawl',
  html: 'html',
  sql: 'sql',
  ...Object.fromEntries(engines.map((name) => [`store/${name}`, `stores/${name}`])),
};

/** The entries that are ES modules and CommonJS, except the main entry: the names in the package, and the files of js/. */
const twins = { compat: 'compat', ...importers };
/** The entries whose module edge runtimes import. */
const withModule = ['index', 'compat'];

/** The export conditions of an entry: `require` gets CommonJS, and edge runtimes import the `.wasm` file. */
function conditions(name, module) {
  const file = (types, extension) => ({ types: `./types/${module}.${types}`, default: `./${name}.${extension}` });
  const edges = withModule.includes(name) ? ['workerd', 'edge-light'] : [];
  return {
    ...Object.fromEntries(edges.map((condition) => [condition, file('d.ts', 'edge.js')])),
    require: file('d.cts', 'cjs'),
    default: file('d.ts', 'js'),
  };
}

/** Returns the CommonJS of an entry. An old Node cannot parse the bundle, which is therefore in another file. */
const checkedEntryOf = (name) =>
  `'use strict';\nrequire('./check-node.cjs');\nmodule.exports = require('./cjs/${name}.cjs');\n`;

function writeManifest() {
  const { devDependencies, scripts, private: _, ...shared } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const entries = Object.entries(twins);
  const web = './types/web.d.ts';
  const manifest = {
    ...shared,
    // The only files with an effect when they are loaded.
    sideEffects: ['./index.cjs', './compat.cjs', './check-node.cjs', './cli.js', './cli-worker.js'],
    exports: {
      '.': conditions('index', 'index'),
      ...Object.fromEntries(entries.map(([name, module]) => [`./${name}`, conditions(name, module)])),
      './web': { types: web, default: './web.js' },
      ...Object.fromEntries(['text', 'sets', 'compat'].map((name) => [`./${name}.wasm`, `./${name}.wasm`])),
      './package.json': './package.json',
    },
    // For tools that do not read `exports`.
    main: './index.cjs',
    module: './index.js',
    types: './types/index.d.ts',
    typesVersions: {
      '*': { ...Object.fromEntries(entries.map(([name, module]) => [name, [`./types/${module}.d.ts`]])), web: [web] },
    },
    bin: { nearprint: 'cli.js' },
    files: ['*.js', '*.cjs', 'cjs', 'store', 'types', '*.wasm', 'CHANGELOG.md', 'LICENSE-*'],
  };
  writeFileSync(at('pkg', 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the README without pictures and links to files, which a registry cannot resolve. */
const removeLocalLinks = (readme) =>
  readme
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replace(/\[([^\]]*)\]\((?!https:|#)([^)]*)\)/g, (_, text, path) =>
      text === path ? path : `${text} (\`${path}\`)`,
    );

/** Copies the documents, which need no build. */
function copyDocuments() {
  const licenses = readdirSync(root).filter((name) => name.startsWith('LICENSE-'));
  for (const name of ['CHANGELOG.md', ...licenses]) cpSync(at(name), at('pkg', name));
  writeFileSync(at('pkg', 'README.md'), removeLocalLinks(readFileSync(at('README.md'), 'utf8')));
}

async function writePackage() {
  mkdirSync(at('pkg', 'cjs'));
  for (const name of modules) cpSync(moduleFile(name), at('pkg', `${name}.wasm`));
  for (const each of bundles) await bundleEntry(each);
  chmodSync(at('pkg', 'cli.js'), 0o755);
  const entries = Object.entries(importers).map(([out, name]) => ({ in: source(name), out }));
  for (const format of ['esm', 'cjs']) await bundleOthers(entries, 'nearprint', format, { external: ['parse5'] });
  writeTypes(at('pkg', 'types'), ['web'], ['index', ...Object.values(twins)]);
  cpSync(at('js', 'check-node.cjs'), at('pkg', 'check-node.cjs'));
  for (const name of withModule) writeFileSync(at('pkg', `${name}.cjs`), checkedEntryOf(name));
  writeManifest();
}

export async function build() {
  setup();
  await buildWasm();
  await rebuild(at('pkg'), sources, '', writePackage);
  copyDocuments();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
