// Builds pkg/, the npm package, from the crate and js/. Does nothing if nothing has changed.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** The entries of the package: each has a WebAssembly module of its own, which is a feature of the crate. */
const entries = [
  { name: 'index', feature: 'wasm', wasm: 'nearprint', boot: 'inline.js' },
  { name: 'compat', feature: 'wasm-compat', wasm: 'nearprint_compat', boot: 'compat-inline.js' },
];

function buildWasm({ feature, wasm }) {
  say(`compiling the crate to WebAssembly: ${wasm}`);
  // wasm-pack takes wasm-bindgen and wasm-opt from the PATH, which setup has put there. RUSTFLAGS
  // would override .cargo/config.toml, and with it SIMD.
  run(
    'wasm-pack',
    [
      ...['--log-level', 'error', 'build', 'wasm', '--release', '--target', 'web', '--mode', 'no-install'],
      ...['--no-pack', '--no-typescript', '--out-dir', '../build/wasm', '--out-name', wasm],
      ...['--', '--locked', '--quiet', '--features', feature],
    ],
    { env: { RUSTFLAGS: undefined } },
  );
}

const placeholder = '#wasm';

/**
 * A string literal with a character for each byte: 8 % more than the bytes once compressed, and base64 a third. esbuild
 * would escape the control characters too, and then it is 10 %.
 */
function literal(bytes) {
  const string = bytes
    .toString('latin1')
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/\0(?=\d)/g, '\\x00') // \0 and a digit would be an octal escape
    .replaceAll('\0', '\\0');
  return `'${string}'`;
}

/** Bundles an entry with the bindings and the WebAssembly that its boot names. */
async function bundle({ name, wasm, boot }) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [at('js', `${name}.js`)],
    write: false,
    bundle: true,
    format: 'esm',
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
          onResolve({ filter: /^#boot$/ }, () => ({ path: at('js', 'boot', boot) }));
          onLoad({ filter: /\.wasm$/ }, () => ({ contents: placeholder, loader: 'text' }));
        },
      },
    ],
  });
  const inline = literal(readFileSync(at('build', 'wasm', `${wasm}_bg.wasm`)));
  writeFileSync(
    at('pkg', `${name}.js`),
    outputFiles[0].text.replace(`"${placeholder}"`, () => inline),
  );
  cpSync(at('js', `${name}.d.ts`), at('pkg', `${name}.d.ts`));
}

function writePackage() {
  const { devDependencies, scripts, private: _, ...shared } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const manifest = {
    ...shared,
    sideEffects: false,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './compat': { types: './compat.d.ts', default: './compat.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
  };
  writeFileSync(at('pkg', 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE']) cpSync(at(name), at('pkg', name));
}

export async function build() {
  setup();
  const sourcesNow = fingerprintOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesNow && existsSync(at('pkg', 'index.js'))) return;
  rmSync(at('pkg'), { recursive: true, force: true });
  mkdirSync(at('pkg'));
  for (const entry of entries) {
    buildWasm(entry);
    await bundle(entry);
  }
  writePackage();
  writeFileSync(stamp, sourcesNow);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
