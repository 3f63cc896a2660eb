// The check of the site's links, on a site of two pages.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brokenLinks } from '../../scripts/links.mjs';

const site = (t, index) => {
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-links-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, 'other.html'), '<h2 id="here">Here</h2>');
  return brokenLinks(folder, 'rust');
};

test('links that lead somewhere pass', (t) => {
  const links = ['other.html', 'other.html#here', '#top', 'https://nodejs.org', 'mailto:a@example.com'];
  assert.deepEqual(site(t, `<p id="top">${links.map((link) => `<a href="${link}">x</a>`).join('')}`), []);
});

for (const [link, reason] of [
  ['http://DESIGN.md', /does not begin with https/],
  ['//README.md', /does not begin with https/],
  ['DESIGN.md', /does not exist/],
  ['other.html#there', /no such id/],
  ['../outside.html', /outside the site/],
]) {
  test(`a link to ${link} is reported`, (t) => {
    const problems = site(t, `<a href="${link}">x</a>`);
    assert.equal(problems.length, 1);
    assert.match(problems[0], reason);
  });
}

test('a script of another site is reported', (t) => {
  assert.match(site(t, '<script src="https://example.com/a.js"></script>')[0], /loads .* of another site/);
});
