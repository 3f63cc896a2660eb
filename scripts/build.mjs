// Builds pkg/, the npm package, from the crate and js/. Does nothing if nothing has changed.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MASK } from '../js/boot/bytes.js';
import { root, run, say } from './run.mjs';
import { setup } from './setup.mjs';

const at = (...path) => join(root, ...path);
const sources = [
  'Cargo.toml',
  'Cargo.lock',
  '.cargo',
  'src',
  'wasm',
  'js',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'README.md',
  'CHANGELOG.md',
];
const stamp = at('build', 'stamp');

/** One hash of every file that the package is made of. */
function fingerprintOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    const isFolder = statSync(at(source)).isDirectory();
    const files = isFolder ? readdirSync(at(source), { recursive: true, withFileTypes: true }) : [];
    const paths = isFolder ? files.filter((f) => f.isFile()).map((f) => join(f.parentPath, f.name)) : [at(source)];
    for (const path of paths.sort()) hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** The WebAssembly modules: each is a feature of the crate. */
const modules = {
  nearprint: { feature: 'wasm', bindings: 'nearprint.js' },
  nearprint_compat: { feature: 'wasm-compat', bindings: 'compat.js' },
};

/** What is bundled: every entry for every way to come by its WebAssembly, which is a file in js/boot. */
const bundles = [
  { entry: 'index.js', wasm: 'nearprint', boot: 'inline.js', format: 'esm', to: 'index.js' },
  { entry: 'index.js', wasm: 'nearprint', boot: 'inline.js', format: 'cjs', to: 'cjs/index.cjs' },
  { entry: 'index.js', wasm: 'nearprint', boot: 'workerd.js', format: 'esm', to: 'index.workerd.js' },
  { entry: 'web.js', wasm: 'nearprint', boot: 'web.js', format: 'esm', to: 'web.js' },
  { entry: 'compat.js', wasm: 'nearprint_compat', boot: 'inline.js', format: 'esm', to: 'compat.js' },
  { entry: 'compat.js', wasm: 'nearprint_compat', boot: 'inline.js', format: 'cjs', to: 'cjs/compat.cjs' },
  { entry: 'compat.js', wasm: 'nearprint_compat', boot: 'workerd.js', format: 'esm', to: 'compat.workerd.js' },
];

function buildWasm(wasm, { feature }) {
  say(`compiling the crate to WebAssembly: ${wasm}`);
  // Where crates are on this machine says nothing to users of the module, and would make it another on every machine.
  const crates = process.env.CARGO_HOME || join(homedir(), '.cargo');
  const flags = JSON.stringify([`--remap-path-prefix=${crates}=`]);
  // wasm-pack takes wasm-bindgen and wasm-opt from the PATH, which setup has put there. RUSTFLAGS
  // would override .cargo/config.toml, and with it SIMD.
  run(
    'wasm-pack',
    [
      ...['--log-level', 'error', 'build', 'wasm', '--release', '--target', 'web', '--mode', 'no-install'],
      ...['--no-pack', '--no-typescript', '--out-dir', '../build/wasm', '--out-name', wasm],
      ...['--', '--locked', '--quiet', '--features', feature],
      ...['--config', `target.wasm32-unknown-unknown.rustflags=${flags}`],
    ],
    { env: { RUSTFLAGS: undefined } },
  );
  const module = at('build', 'wasm', `${wasm}_bg.wasm`);
  writeFileSync(module, withoutPlaces(readFileSync(module)));
  cpSync(module, at('pkg', `${wasm}.wasm`));
}

/**
 * A panic is a trap and says nothing (wasm/lib.rs), so nobody reads what its message would tell: names of source files, and
 * places in them, each the address of a name, its length, line and column. Zeros instead are 0.7 kB less
 * once compressed. Only a nightly compiler can leave them out.
 */
function withoutPlaces(bytes) {
  const names = /(\/rustc\/|src\/)[\w/]+\.rs/g;
  const nothing = new Proxy({}, { get: () => () => {} });
  const module = new WebAssembly.Module(bytes);
  const { memory } = new WebAssembly.Instance(module, new Proxy({}, { get: () => nothing })).exports;
  for (const { 0: name, index } of Buffer.from(memory.buffer).toString('latin1').matchAll(names)) {
    const place = Buffer.from(Uint32Array.of(index, name.length).buffer);
    for (let at = bytes.indexOf(place); at >= 0; at = bytes.indexOf(place, at)) bytes.fill(0, at, at + 16);
    const at = bytes.indexOf(name);
    bytes.fill(0, at, at + name.length);
  }
  return bytes;
}

const placeholder = 'the bytes of the WebAssembly';

/**
 * A string literal with a character for each byte, which js/boot/bytes.js reads: 3 % more than the bytes once compressed,
 * and base64 a third. esbuild would escape the control characters too.
 */
function literal(bytes) {
  const string = Buffer.from(bytes.map((byte) => byte ^ MASK))
    .toString('latin1')
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/\0(?=\d)/g, '\\x00') // \0 and a digit would be an octal escape
    .replaceAll('\0', '\\0');
  return `'${string}'`;
}

/** Bundles an entry with its bindings and its way to come by the WebAssembly. */
async function bundle({ entry, wasm, boot, format, to }) {
  const { build } = await import('esbuild');
  const places = { '#boot': at('js', 'boot', boot), '#bindings': at('js', 'boot', modules[wasm].bindings) };
  const { outputFiles } = await build({
    entryPoints: [at('js', entry)],
    write: false,
    bundle: true,
    format,
    target: 'es2022',
    charset: 'utf8',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [
      {
        name: 'boot',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^#(boot|bindings)$/ }, ({ path }) => ({ path: places[path] }));
          // A file for the user's bundler, or a place in this one.
          onResolve({ filter: /^#wasm$/ }, () =>
            boot === 'workerd.js' ? { path: `./${wasm}.wasm`, external: true } : { path: wasm, namespace: 'wasm' },
          );
          onLoad({ filter: /./, namespace: 'wasm' }, () => ({ contents: placeholder, loader: 'text' }));
        },
      },
    ],
  });
  const inline = () => literal(readFileSync(at('build', 'wasm', `${wasm}_bg.wasm`)));
  writeFileSync(at('pkg', to), outputFiles[0].text.replace(`"${placeholder}"`, inline));
}

/** What runs in Node only, beside the entries and with their WebAssembly. */
const tools = ['cli', 'pool', 'worker'];

async function bundleTools() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: tools.map((name) => at('js', `${name}.js`)),
    outdir: at('pkg'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [
      {
        name: 'index',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\.?\/index\.js$/ }, () => ({ path: './index.js', external: true })),
      },
    ],
  });
  chmodSync(at('pkg', 'cli.js'), 0o755);
  cpSync(at('js', 'pool.d.ts'), at('pkg', 'pool.d.ts'));
}

/** The declarations are written by hand once; CommonJS has them under its own file name. */
function writeTypes() {
  for (const name of ['index', 'compat', 'web']) cpSync(at('js', `${name}.d.ts`), at('pkg', `${name}.d.ts`));
  for (const name of ['index', 'compat']) {
    const text = readFileSync(at('js', `${name}.d.ts`), 'utf8').replaceAll("'./index.js'", "'./index.cjs'");
    writeFileSync(at('pkg', `${name}.d.cts`), text);
  }
}

/** An entry that has no initialisation: Workers import the `.wasm` file, `require` has a twin, all else is one file. */
const everywhere = (name) => ({
  workerd: { types: `./${name}.d.ts`, default: `./${name}.workerd.js` },
  require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  default: { types: `./${name}.d.ts`, default: `./${name}.js` },
});

function writePackage() {
  const { devDependencies, scripts, private: _, ...shared } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const manifest = {
    ...shared,
    // All that does something when it is loaded; nothing else does.
    sideEffects: ['./index.cjs', './compat.cjs', './check-node.cjs', './cli.js', './worker.js'],
    exports: {
      '.': everywhere('index'),
      './compat': everywhere('compat'),
      './pool': { types: './pool.d.ts', default: './pool.js' },
      './web': { types: './web.d.ts', default: './web.js' },
      './nearprint.wasm': './nearprint.wasm',
      './nearprint_compat.wasm': './nearprint_compat.wasm',
      './package.json': './package.json',
    },
    // For tools that read no exports.
    main: './index.cjs',
    module: './index.js',
    types: './index.d.ts',
    bin: { nearprint: 'cli.js' },
    files: ['*.js', '*.cjs', 'cjs', '*.d.ts', '*.d.cts', '*.wasm', 'CHANGELOG.md', 'LICENSE-*'],
  };
  writeFileSync(at('pkg', 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['index.cjs', 'compat.cjs', 'check-node.cjs']) cpSync(at('js', name), at('pkg', name));
  const licenses = readdirSync(root).filter((name) => name.startsWith('LICENSE-'));
  for (const name of ['README.md', 'CHANGELOG.md', ...licenses]) cpSync(at(name), at('pkg', name));
}

export async function build() {
  setup();
  const sourcesNow = fingerprintOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesNow && existsSync(at('pkg', 'index.js'))) return;
  rmSync(at('pkg'), { recursive: true, force: true });
  mkdirSync(at('pkg', 'cjs'), { recursive: true });
  for (const [name, module] of Object.entries(modules)) buildWasm(name, module);
  for (const each of bundles) await bundle(each);
  await bundleTools();
  writeTypes();
  writePackage();
  writeFileSync(stamp, sourcesNow);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
