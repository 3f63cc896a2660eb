// npm run docs: writes the API pages into build/docs: the TypeScript declarations by TypeDoc, the crate by rustdoc.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root, run, say } from './run.mjs';
import { installPackages } from './setup.mjs';

await build();
const tool = join(root, 'docs', 'typedoc');
installPackages(tool, 'TypeDoc');

const to = join(root, 'build', 'docs');
rmSync(to, { recursive: true, force: true });
say('TypeDoc');
run(process.execPath, [
  join(tool, 'node_modules', 'typedoc', 'bin', 'typedoc'),
  '--options',
  join(tool, 'typedoc.json'),
]);
say('rustdoc');
run('cargo', ['doc', '--locked', '--no-deps', '--quiet', '--package', 'nearprint', '--features', 'compat'], {
  env: { RUSTDOCFLAGS: '--deny warnings' },
});
cpSync(join(root, 'target', 'doc'), join(to, 'rust'), { recursive: true });
say('the pages are build/docs/index.html and build/docs/rust/nearprint/index.html');
