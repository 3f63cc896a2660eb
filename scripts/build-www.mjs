// npm run build:www: the page in build/www, for any static host.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { pageFiles, policy, serviceWorker } from './page.mjs';
import { root, say } from './run.mjs';

const target = join(root, 'build', 'www');

export function buildPage() {
  rmSync(target, { recursive: true, force: true });
  for (const [name, path] of pageFiles()) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    cpSync(path, join(target, name));
  }
  writeFileSync(join(target, 'sw.js'), serviceWorker());
  // Several hosts read headers from this file; the others serve the page with the policy that is in it.
  writeFileSync(
    join(target, '_headers'),
    `/*\n  Content-Security-Policy: ${policy()}\n  X-Content-Type-Options: nosniff\n`,
  );
  return target;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build();
  say(`the page is in ${buildPage()}`);
}
