// Bundles js/ into the scripts of the package and of the demo page, with their WebAssembly or imports of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { entries, toEntries } from './build-manifest.mjs';
import { glueFile, moduleFile } from './build-wasm.mjs';
import { adaptGlue } from './glue.mjs';
import { bundle, root } from './run.mjs';

const at = (...path) => join(root, ...path);

/** The source file of a module of js/. */
const source = (name) => at('js', `${name}.ts`);

/** Options for programs of Node. */
const forNode = { platform: 'node', external: ['better-sqlite3', 'pg', 'redis'] };

/**
 * How a bundle gets the WebAssembly, by the file of js/boot that compiles it. Maps the name of a module to the value that the
 * bundle has as its `wasm`: a string literal, a name, or the path of a file that the user's bundler imports. `wide` names the
 * module that is in place of another one and has its bindings too.
 */
const boots = {
  inline: { literal: (name) => toLiteral(readFileSync(moduleFile(name))) },
  // The form that wrangler documents, and the only one that Nitro builds for Cloudflare and Vercel.
  imported: { path: (name) => `./${name}.wasm?module` },
  web: { literal: (name) => JSON.stringify(name) },
  file: { literal: (name) => JSON.stringify(name), wide: { dedupe: 'cli' } },
};

/** The variants of a bundle with WebAssembly: ES module and CommonJS, both with the module inside, and for edge runtimes. */
const variants = [
  { boot: 'inline', extension: '.js' },
  { boot: 'inline', extension: '.cjs', folder: 'cjs/', format: 'cjs' },
  { boot: 'imported', extension: '.edge.js' },
];

/**
 * Files of the package that several entries import, so that a class exists once. Maps the name of each in pkg/ to its source, and to the
 * folders and modules of js/ that it contains. Another file that imports a module of a chunk imports the chunk, which must
 * therefore export what others use.
 */
const chunks = {
  common: { source: 'common/index', folders: ['common'], modules: [] },
  dedupe: { source: 'dedupe/chunk', folders: ['sketch', 'dedupe'], modules: ['boot/dedupe', 'index'] },
};

/** Returns the name of the chunk that contains a module, which is a path in js/ without its extension; undefined for none. */
const chunkOf = (module) =>
  Object.keys(chunks).find((name) => {
    const { folders, modules } = chunks[name];
    return folders.includes(module.split('/', 1)[0]) || modules.includes(module);
  });

/** The bundles that contain all that they need. */
const wholeBundles = [
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

const placeholderOf = (name) => `the WebAssembly of ${name}`;

const placeholder = /"the WebAssembly of (\w+)"/g;

/** Returns a plugin that leaves what a chunk has to this chunk. */
const importChunks =
  (entry, extension) =>
  ({ onResolve }) => {
    const external = (module) => {
      const name = chunkOf(module);
      if (name === undefined || name === entry) return undefined;
      return { path: `${toEntries(entry)}${name}${extension}`, external: true };
    };
    onResolve({ filter: /^#utf8$/ }, () => external('common/utf8'));
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) =>
      external(relative(at('js'), join(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '')),
    );
  };

/** Returns a plugin that bundles the bindings of modules, and what a bundle has of their WebAssembly. */
const bundleModules =
  (boot) =>
  ({ onResolve, onLoad }) => {
    const { literal, path: pathOf, wide = {} } = boots[boot];
    onResolve({ filter: /^#(dedupe|simhash|compat|page)$/ }, ({ path }) => {
      const name = path.slice(1);
      return { path: wide[name] ?? name, namespace: 'module' };
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
      const { transform } = await import('esbuild');
      const glue = adaptGlue(readFileSync(path, 'utf8'), basename(path, '.js'));
      const { code } = await transform(glue, { format: 'esm', minifyIdentifiers: true });
      return { contents: code };
    });
  };

/** Returns the options of a bundle that compiles its modules by a file of js/boot. */
const bootOptions = (boot) => ({
  alias: { '#boot': source(`boot/${boot}`), '#utf8': source('common/utf8') },
  define: { MASK: `${MASK}` },
});

/** Returns the text of a bundle with its modules as literals. */
function withLiterals(text, boot) {
  const { literal } = boots[boot];
  return literal ? text.replace(placeholder, (_, name) => literal(name)) : text;
}

/** Bundles files of the demo page, which import js/ and have its module inside. Resolves to the files. */
export async function bundlePage({ alias, define, ...options }) {
  const own = bootOptions('inline');
  const all = { alias: { ...own.alias, ...alias }, define: { ...own.define, ...define }, write: false, ...options };
  const { outputFiles } = await bundle(all, (build) => {
    // One module, so one object for it and one exchange.
    build.onResolve({ filter: /\/boot\/(dedupe|simhash)\.js$/ }, () => ({ path: source('boot/page') }));
    bundleModules('inline')(build);
  });
  return outputFiles.map(({ path, text }) => ({ path, text: withLiterals(text, 'inline') }));
}

/** Bundles an entry or a chunk with its file of js/boot and the modules that it uses, or with imports of chunks. */
async function bundleEntry({ entry, file = entry, chunked = false, boot, extension, folder = '', ...others }) {
  const own = bootOptions(boot);
  const options = {
    entryPoints: [source(file)],
    alias: chunked ? { '#boot': own.alias['#boot'] } : own.alias,
    define: own.define,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'ascii', // so the file with the literal is Latin-1, which V8 stores in a byte a character
    minifySyntax: true,
    minifyWhitespace: true,
    ...others,
  };
  const { outputFiles } = await bundle(options, (build) => {
    if (chunked) importChunks(entry, extension)(build);
    bundleModules(boot)(build);
  });
  const names = { isModule: options.format === 'esm', forEdge: boot === 'imported' };
  const shortened = await shortenNames(outputFiles[0].text, names);
  const to = at('pkg', `${folder}${entry}${extension}`);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, withLiterals(shortened, boot));
}

/** The names of variables that hold a class, or a class or an arrow function, which is named after its variable. */
const classVariable = /([\w$]+)=(?=class\b)/g;
const namedByVariable = /([\w$]+)=(?=class\b|(?:async)?(?:\([^()]*\)|[\w$]+)=>)/g;

/**
 * Shortens the names of variables, and of functions if `forEdge`: wrangler does not minify, so a Worker is uploaded with the names as
 * they are published. `console.log` and stack traces print the names that stay. esbuild would shorten private names too, and
 * Parcel's minifier then writes an invalid module.
 */
async function shortenNames(code, { isModule, forEdge }) {
  const { minify } = await import('terser');
  const { code: shortened } = await minify(code, {
    module: isModule,
    toplevel: true,
    keep_classnames: true,
    keep_fnames: !forEdge,
    mangle: { reserved: [...code.matchAll(forEdge ? classVariable : namedByVariable)].map(([, name]) => name) },
    format: { ascii_only: true, max_line_len: 400, preserve_annotations: true },
  });
  return shortened;
}

/** Bundles the entries of the package, and the chunks that they share. */
export async function bundlePackage() {
  const shared = Object.entries(chunks).map(([entry, { source }]) => [entry, source]);
  for (const [entry, file] of [...shared, ...Object.entries(entries)]) {
    for (const variant of variants) {
      await bundleEntry({ entry, file, chunked: true, external: ['parse5', 'node:*'], ...variant });
    }
  }
  for (const each of wholeBundles) await bundleEntry(each);
}
