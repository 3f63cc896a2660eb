// Runs the code blocks of the documents that need a database.
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { blocks, documents, makeFolder, runBlock } from '../js/blocks.mjs';
import { postgres, servers } from './engines.mjs';

const started = servers({ postgres: () => postgres(['fsync=off']) });

for (const document of documents) {
  const selected = blocks(document).filter(({ runner }) => runner === 'stores');
  if (selected.length === 0) continue;
  test(document, async (t) => {
    const folder = makeFolder(fileURLToPath(new URL('node_modules', import.meta.url)));
    try {
      for (const block of selected) {
        const skip =
          block.code.includes('DATABASE_URL') && started.postgres === null ? 'PostgreSQL is not installed' : false;
        await t.test(block.name, { skip }, () => runBlock(block, folder, { DATABASE_URL: started.postgres?.url }));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
