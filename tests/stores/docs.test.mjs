// Runs the code blocks of the documents that need a database.
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { blocks, documents, makeFolder, runBlock } from '../js/blocks.mjs';
import { postgres } from './engines.mjs';

let server;
before(async () => {
  server = await postgres(['fsync=off']);
});
after(() => server?.stop());

for (const document of documents) {
  const selected = blocks(document).filter(({ runner }) => runner === 'stores');
  if (selected.length === 0) continue;
  test(document, async (t) => {
    const folder = makeFolder(fileURLToPath(new URL('node_modules', import.meta.url)));
    try {
      for (const block of selected) {
        const skip = block.code.includes('DATABASE_URL') && server === null ? 'PostgreSQL is not installed' : false;
        await t.test(block.name, { skip }, () => runBlock(block, folder, { DATABASE_URL: server?.url }));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
