// The check of the site's links.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brokenLinks } from './links.mjs';

/** Returns the broken links of a site with these files. */
function check(files) {
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-links-'));
  try {
    mkdirSync(join(folder, 'sub'));
    mkdirSync(join(folder, 'rust'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return brokenLinks(folder, 'rust');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const whole = {
  'index.html':
    '<h1 id="top">A</h1><a href="sub/b.html#here">b</a><a href="#top">up</a><a href="https://example.org">c</a>',
  'sub/b.html':
    '<p id="here"><a href="../index.html?q=1#top">a</a><img src="../x%20y.svg"><a href="mailto:a@b.example">m</a>',
  'x y.svg': '<svg/>',
  'rust/index.html': '<a href="nowhere.html">checked by rustdoc</a>',
};

test('a whole site has no broken links', () => assert.deepEqual(check(whole), []));

for (const [what, link, message] of [
  ['a file that does not exist', '<a href="b.html">', 'index.html links to b.html, which does not exist'],
  ['an id that does not exist', '<a href="sub/b.html#there">', 'index.html links to sub/b.html#there: no such id'],
  ['an id of the same page', '<a href="#there">', 'index.html links to #there: no such id'],
  ['a picture', '<img src="x.svg">', 'index.html links to x.svg, which does not exist'],
  ['a folder above', '<a href="../a.html">', 'index.html links to ../a.html, outside the site'],
  ['a script of another site', '<script src="//a.example/x.js">', 'index.html loads //a.example/x.js, of another site'],
  [
    'a name of a file that became a link',
    '<a href="http://README.md">',
    'index.html links to http://README.md, which does not begin with https://',
  ],
]) {
  test(what, () => {
    assert.deepEqual(check({ ...whole, 'index.html': `${whole['index.html']}${link}` }), [message]);
  });
}
