// TypeScript with both of its modern resolutions, and tools that check packages.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder, programOf, run, tool, versionOf } from '../tools.mjs';

const usage = `
import { dedupe } from 'nearprint';
import { type Bits, distance, Fingerprinter, fingerprint, NearIndex } from 'nearprint/simhash';
import { fingerprint as theirs, schemes } from 'nearprint/compat';

const bits: Bits = 64;
const print: bigint = fingerprint('text', { bits });
const index: NearIndex<string> = new NearIndex<string>({ maxDistance: 3 }).add('a', print);
const apart: number | undefined = index.query(print)[0]?.distance ?? distance(print, 0n);
using stream = new Fingerprinter().stream();
stream.update('a');
void dedupe([{ id: 1, text: 'a' }]);
export const all: [bigint, number | undefined, string] = [theirs('a', { scheme: '1e0ng' }), apart, schemes[0]!.name];
`;
const web = `import { load } from 'nearprint/web';\nexport const print: Promise<bigint> = load().then((nearprint) => nearprint.fingerprint('a'));\n`;

const strict = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022', '--types', ''];

const row = (how, files, args) => ({
  what: 'TypeScript',
  how,
  async run({ project }) {
    const folder = emptyFolder({ project }, 'types');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const lib = ['--lib', 'es2024,esnext.disposable,dom'];
    await run(process.execPath, [programOf('typescript', 'tsc'), ...strict, ...lib, ...args, ...Object.keys(files)], {
      cwd: folder,
    });
    return versionOf('typescript');
  },
});

export default [
  row('`nodenext` with `import`', { 'a.mts': usage, 'b.mts': web }, ['--module', 'nodenext']),
  row('`nodenext` with `require`', { 'a.cts': usage }, ['--module', 'nodenext']),
  row('`bundler`', { 'a.ts': usage, 'b.ts': web }, ['--module', 'esnext', '--moduleResolution', 'bundler']),
  {
    what: 'publint',
    how: '`--strict`',
    async run({ project }) {
      const { publint } = await tool('publint');
      const { formatMessage } = await tool('publint/utils');
      const pkgDir = join(project, 'node_modules', 'nearprint');
      const { messages, pkg } = await publint({ pkgDir, strict: true });
      if (messages.length > 0) throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'));
      return versionOf('publint');
    },
  },
  {
    what: 'Are the types wrong?',
    how: '`attw`',
    async run({ tarball, project }) {
      const packed = join(project, 'nearprint.tgz');
      copyFileSync(tarball, packed);
      const exceptions = [
        // nearprint/web is for browsers.
        ...['--ignore-rules', 'cjs-resolves-to-esm'],
        // WebAssembly modules have no types.
        ...['--exclude-entrypoints', './dedupe.wasm', './simhash.wasm', './compat.wasm'],
      ];
      await run(process.execPath, [programOf('@arethetypeswrong/cli', 'attw'), packed, ...exceptions], {
        cwd: project,
      });
      return versionOf('@arethetypeswrong/cli');
    },
  },
];
