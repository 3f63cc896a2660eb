// Opens every page in the README and in docs/ that is a code block of HTML, next to a copy of the package.
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveFolder } from '../../scripts/serve.mjs';
import { blocks, documents } from '../js/blocks.mjs';
import { root } from '../js/packed.mjs';
import { temporary } from '../js/temporary.mjs';
import { exhaustive as test } from '../tier.mjs';
import { eventually, open } from './harness.mjs';

const pages = documents.flatMap((document) => blocks(document).filter(({ language }) => language === 'html'));

for (const { name, code, output } of pages) {
  test(name, async () => {
    const folder = temporary();
    symlinkSync(join(root, 'pkg'), join(folder, 'nearprint'), 'junction');
    writeFileSync(join(folder, 'index.html'), code);
    const { page, errors, close } = await open('/', { server: await serveFolder(folder) });
    try {
      await eventually(async () => assert.equal(`${(await page.innerText('body')).trim()}\n`, output));
      assert.deepEqual(errors, []);
    } finally {
      await close();
    }
  });
}
