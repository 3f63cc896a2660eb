// The picture of the page in the README has the figures of the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from '../tier.mjs';
import { figuresOf, openPicture } from './picture.mjs';

test('docs/page.json, the figures of docs/page.png, are the figures of the page', async () => {
  const pictured = JSON.parse(readFileSync(new URL('../../docs/page.json', import.meta.url), 'utf8'));
  const { page, errors, close } = await openPicture();
  try {
    assert.deepEqual(await figuresOf(page), pictured, 'npm run picture makes docs/page.png and docs/page.json anew');
    assert.deepEqual(errors, []);
  } finally {
    await close();
  }
});
