// The documents agree with package.json on whether the package is published.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPublished, NOT_PUBLISHED, readDocuments, wrongDocuments } from '../../scripts/publication.mjs';
import { test } from '../tier.mjs';
import { root } from './packed.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('before the release, each document with a command that needs the published package says so; after it, none does', () => {
  const documents = readDocuments();
  assert.ok('README.md' in documents && 'docs/guides/node.md' in documents);
  assert.deepEqual(wrongDocuments(documents, isPublished(manifest)), []);
});

test('a private package.json is not published', () => {
  assert.equal(isPublished({ private: true }), false);
  assert.equal(isPublished({}), true);
});

test('documents are wrong without the sentence before the release, and with it after the release', () => {
  const documents = {
    before: `${NOT_PUBLISHED}.\n\nnpm install nearprint`,
    after: `npm install nearprint\n\n${NOT_PUBLISHED}.`,
    missing: 'a\n\nnpx nearprint dedupe',
    crate: '`cargo add nearprint`',
    dependency: '{ "nearprint": "^0.1.0" }',
    other: 'npm install parse5, cargo add --path nearprint, npm run build',
  };
  assert.deepEqual(wrongDocuments(documents, false), ['after', 'missing', 'crate', 'dependency']);
  assert.deepEqual(wrongDocuments(documents, true), ['before', 'after']);
});
