// The declarations of the packed package, under every compiler and module resolution that is supported. npm test installs the
// compilers and the checkers (tests/types/package.json).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

const usualLibraries = ['ES2022', 'DOM'];

/** Compiles files of the project. The declarations are checked too. */
function compile(compiler, resolution, files, lib = usualLibraries) {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib,
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
    const runOne = resolution === 'nodenext' ? exhaustive : run;
    runOne(`TypeScript ${compiler}, ${resolution}: README's first example, every entry`, () => {
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

  run(`TypeScript ${compiler}: \`using\` frees objects`, () => {
    const code = `import { Deduplicator, Sketcher } from 'nearprint';
      import { Fingerprinter, NearIndex } from 'nearprint/simhash';
      using sketcher = new Sketcher(), sketches = sketcher.stream(), kept = new Deduplicator();
      using fingerprinter = new Fingerprinter(), fingerprints = fingerprinter.stream(), index = new NearIndex();
      export const used = [sketches, kept, fingerprints, index];\n`;
    const libraries = [...usualLibraries, 'ESNext.Disposable'];
    const { printed } = compile(compiler, 'nodenext', { 'used.ts': code }, libraries);
    assert.equal(printed, '');
  });

  run(`TypeScript ${compiler}: the type tests`, () => {
    const { status, printed } = runThere(compilers[compiler], '--project', join(root, 'tests', 'types'));
    assert.equal(printed, '');
    assert.equal(status, 0);
  });
}

/** Returns the members of the exported types, functions and classes that have no doc comment, which an editor would show. */
function undocumented() {
  const ts = createRequire(join(tools, 'tools.cjs'))('typescript-5.9');
  const folder = join(root, 'pkg', 'types');
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  const program = ts.createProgram(
    files.map((name) => join(folder, name)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] },
  );
  const checker = program.getTypeChecker();
  const [missing, seen] = [new Set(), new Set()];
  const isOurs = ({ declarations }) => declarations?.some((each) => each.getSourceFile().fileName.includes('/pkg/'));
  const check = (symbol, path) => {
    // `private` in a declaration stands for all private members.
    if (path.includes('#private')) return;
    if (ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() === '') missing.add(path);
  };
  const checkMembers = (type, path) => {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnionOrIntersection()) for (const part of type.types) checkMembers(part, path);
    else for (const member of type.getProperties().filter(isOurs)) check(member, `${path}.${member.name}`);
  };
  const visit = (symbol) => {
    if (seen.has(symbol) || !isOurs(symbol)) return;
    seen.add(symbol);
    check(symbol, symbol.name);
    if (symbol.flags & ts.SymbolFlags.Type) checkMembers(checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
    if (symbol.valueDeclaration === undefined) return;
    const type = checker.getTypeOfSymbol(symbol);
    if (symbol.flags & ts.SymbolFlags.Class) checkMembers(type, symbol.name);
    for (const signature of type.getCallSignatures()) {
      checkMembers(signature.getReturnType(), `${symbol.name}()`);
      for (const parameter of signature.getParameters()) {
        checkMembers(checker.getTypeOfSymbol(parameter), `${symbol.name}(${parameter.name})`);
      }
    }
  };
  for (const entry of Object.values(manifest.exports)) {
    const declarations = entry.types ?? entry.default?.types;
    if (declarations === undefined) continue;
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, 'pkg', declarations)));
    for (const symbol of checker.getExportsOfModule(module)) {
      visit(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    }
  }
  assert.ok(seen.size > 150);
  return [...missing];
}

test('every exported type, function and member has a doc comment', () => {
  assert.deepEqual(undocumented(), []);
});

/** Wrong calls, and what the message must say. */
const wrongCalls = [
  [
    'dedupe(docs, { minResemblence: 0.5 })',
    /'minResemblence' does not exist in .*\. Did you mean to write 'minResemblance'\?$/,
  ],
  ["dedupe(docs, { minResemblance: '0.5' })", /Type 'string' is not assignable to type 'number'\.$/],
  ["dedupe(docs, { keep: 'last' })", /Type '"last"' is not assignable to type '"first" \| "longest" \| /],
  ['dedupe(docs, { maxDistance: 3 })', /'maxDistance' does not exist in type 'DedupeOptions</],
  ["clusters(docs, { linkage: 'complete' })", /Type '"complete"' is not assignable to type '"s/],
  ['clusters(docs, { minResemblence: 0.5 })', /Did you mean to write 'minResemblance'\?$/],
  ['fingerprint("a", { bits: 63 })', /Type '63' is not assignable to type 'Bits/],
  ['fingerprint("a", { minResemblance: 0.5 })', /'minResemblance' does not exist in type 'SchemeOptions'\.$/],
  ["new Deduplicator().observe(1, 'a', { minResemblence: 0.5 })", /Did you mean to write 'minResemblance'\?$/],
];

for (const compiler of ['5.9', '7']) {
  const run = compiler === '7' ? test : exhaustive;
  run(`TypeScript ${compiler}: an error of types for an option is one line`, () => {
    const imports = `import { clusters, dedupe, Deduplicator } from 'nearprint';
      import { fingerprint } from 'nearprint/simhash';
      const docs = [{ id: 'a', text: 'b' }];
      export const used = [clusters, dedupe, Deduplicator, fingerprint, docs];\n`;
    // A file for each call: a compiler takes most of its time to read the declarations.
    const files = wrongCalls.map(([call], at) => [`wrong${at}.ts`, `${imports}${call};\n`]);
    const { printed } = compile(compiler, 'nodenext', Object.fromEntries(files));
    const lines = printed.trim().split('\n');
    assert.equal(lines.length, wrongCalls.length, printed);
    for (const [at, [, message]] of wrongCalls.entries()) {
      const line = lines.find((line) => line.includes(`wrong${at}.ts`));
      assert.match(line, message);
      assert.ok(line.length < 300, line);
    }
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
