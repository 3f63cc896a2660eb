// The declarations of the packed package, under every compiler and module resolution that is supported. npm test installs the
// compilers and the checkers (tests/types/package.json).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before } from 'node:test';
import { exhaustive, test } from '../tier.mjs';
import { blocks } from './blocks.mjs';
import { installPackage, pack, root } from './packed.mjs';

const tools = join(root, 'tests', 'types', 'node_modules');

/** The oldest supported compiler, the last one in JavaScript, and the present one. */
const compilers = {
  5.4: join(tools, 'typescript-5.4', 'bin', 'tsc'),
  5.9: join(tools, 'typescript-5.9', 'bin', 'tsc'),
  7: join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
};

const resolutions = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

let project;
before(() => {
  assert.ok(existsSync(tools), 'the compilers are not installed: npm test installs them');
  project = installPackage();
});

/** Runs a program in the project, and returns what it prints and its exit code. */
function runThere(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.equal(error, undefined);
  return { status, printed: stdout + stderr };
}

/** Compiles files of the project. The declarations are checked too. */
function compile(compiler, resolution, files) {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['ES2022', 'DOM'],
    types: [],
    ...resolutions[resolution],
  };
  for (const [name, code] of Object.entries(files)) writeFileSync(join(project, name), code);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  return runThere(compilers[compiler], '--project', 'tsconfig.json', '--pretty', 'false');
}

const [{ code: example }] = blocks('README.md').filter(({ language }) => language === 'js');
const manifest = JSON.parse(readFileSync(join(root, 'pkg', 'package.json'), 'utf8'));
const entries = Object.keys(manifest.exports).filter((name) => !/\.(wasm|json)$/.test(name));
/** The entries that are ES modules and CommonJS. */
const twins = entries.filter((name) => 'require' in manifest.exports[name]);

/** README's first example; every entry, without the types of Node and of newer libraries; and `require`. */
const programs = {
  'example.ts': example,
  'entries.ts': entries.map((name, at) => `export * as entry${at} from 'nearprint${name.slice(1)}';\n`).join(''),
  'required.cts': `import nearprint = require('nearprint');
    import simhash = require('nearprint/simhash');
    import compat = require('nearprint/compat');
    import memory = require('nearprint/store/memory');
    export const one: bigint = simhash.fingerprint('a');
    export const two: bigint = compat.fingerprint('a', { scheme: '1e0ng' });
    export const three = memory.memoryStore().observe([{ id: 'a', sketch: nearprint.sketch('a') }]);
    ${twins.map((name, at) => `export import entry${at} = require('nearprint${name.slice(1)}');\n`).join('')}`,
};

for (const compiler of Object.keys(compilers)) {
  const run = compiler === '7' ? test : exhaustive;
  for (const resolution of Object.keys(resolutions)) {
    run(`TypeScript ${compiler}, ${resolution}: README's first example, every entry`, () => {
      const { 'required.cts': required, ...modules } = programs;
      // With `module: esnext`, a compiler writes no `require`.
      const files = resolution === 'bundler' ? modules : { ...modules, 'required.cts': required };
      const { status, printed } = compile(compiler, resolution, files);
      assert.equal(printed, '');
      assert.equal(status, 0);
    });
  }

  run(`TypeScript ${compiler}: the example needs the check of the status`, () => {
    const unchecked = example.replace("decision.status === 'duplicate'", 'decision.id');
    const { printed } = compile(compiler, 'nodenext', { 'example.ts': unchecked });
    assert.match(printed, /^example\.ts\(\d+,\d+\): error TS2339: Property 'duplicateOf' does not exist/m);
  });

  run(`TypeScript ${compiler}: the type tests`, () => {
    const { status, printed } = runThere(compilers[compiler], '--project', join(root, 'tests', 'types'));
    assert.equal(printed, '');
    assert.equal(status, 0);
  });
}

test('publint has nothing to say about the tarball', () => {
  const { status, printed } = runThere(join(tools, 'publint', 'src', 'cli.js'), pack(project), '--strict');
  assert.equal(status, 0, printed);
  assert.match(printed, /All good!/);
});

exhaustive('attw finds no wrong types in the tarball', () => {
  const attw = join(tools, '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const tarball = pack(project);
  const common = [tarball, '--no-emoji', '--no-color', '--format', 'ascii'];
  assert.deepEqual(
    entries.filter((name) => !twins.includes(name)),
    ['./web'],
  );
  const strict = runThere(attw, ...common, '--entrypoints', ...twins);
  assert.equal(strict.status, 0, strict.printed);
  // The other cannot be required in older versions of Node. A `.wasm` file has no declarations.
  const all = runThere(attw, ...common, '--ignore-rules', 'cjs-resolves-to-esm', '--entrypoints', ...entries);
  assert.equal(all.status, 0, all.printed);
});
