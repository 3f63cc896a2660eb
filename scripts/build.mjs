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

function buildWasm() {
  say('compiling the crate to WebAssembly');
  // wasm-pack takes wasm-bindgen and wasm-opt from the PATH, which setup has put there. RUSTFLAGS
  // would override .cargo/config.toml, and with it SIMD.
  run(
    'wasm-pack',
    [
      ...['--log-level', 'warn', 'build', '--release', '--target', 'web', '--mode', 'no-install'],
      ...['--no-pack', '--no-typescript', '--out-dir', 'build/wasm', '--out-name', 'nearprint'],
      ...['--', '--locked', '--features', 'wasm'],
    ],
    { env: { RUSTFLAGS: undefined } },
  );
}

async function bundle() {
  say('bundling js/ into pkg/');
  const { build } = await import('esbuild');
  const boots = { inline: 'index.js' };
  for (const [boot, outfile] of Object.entries(boots)) {
    await build({
      entryPoints: [at('js', 'index.js')],
      outfile: at('pkg', outfile),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      loader: { '.wasm': 'base64' },
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [
        {
          name: 'boot',
          setup: ({ onResolve }) => onResolve({ filter: /^#boot$/ }, () => ({ path: at('js', 'boot', `${boot}.js`) })),
        },
      ],
    });
  }
}

function writePackage() {
  const { devDependencies, scripts, private: _, ...shared } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const manifest = {
    ...shared,
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
  };
  writeFileSync(at('pkg', 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE']) cpSync(at(name), at('pkg', name));
  cpSync(at('js', 'index.d.ts'), at('pkg', 'index.d.ts'));
}

export async function build() {
  setup();
  const sourcesNow = fingerprintOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesNow && existsSync(at('pkg', 'index.js'))) return;
  rmSync(at('pkg'), { recursive: true, force: true });
  mkdirSync(at('pkg'));
  buildWasm();
  await bundle();
  writePackage();
  writeFileSync(stamp, sourcesNow);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
