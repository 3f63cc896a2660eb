// The page's words: complete in both languages, and all of them used.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { choices } from '../../www/scheme.js';
import { en } from '../../www/words-en.js';
import { zh } from '../../www/words-zh.js';

const www = new URL('../../www/', import.meta.url);
const read = (name) => readFileSync(new URL(name, www), 'utf8');

test('both languages have the same words, of the same kind', () => {
  assert.deepEqual(Object.keys(zh), Object.keys(en));
  for (const key of Object.keys(en)) assert.equal(typeof zh[key], typeof en[key], key);
});

test('what index.html says before the script runs is what the script says', () => {
  const said = [...read('index.html').matchAll(/data-t="([^"]+)"[^>]*>([^<]*)</g)];
  assert.ok(said.length > 20);
  for (const [, key, text] of said) assert.equal(text.replaceAll('&amp;', '&'), en[key], key);
});

test('every choice has its words, and no words are left over', () => {
  for (const [name, values] of Object.entries(choices)) {
    assert.ok(en[name] && en[`${name}Hint`], name);
    for (const value of values) assert.ok(typeof value === 'boolean' || en[`${name}:${value}`], `${name}:${value}`);
  }
  const sources = readdirSync(www)
    .filter((name) => /\.(js|html)$/.test(name) && !name.startsWith('words-'))
    .map(read)
    .join('\n');
  const made = /Hint$|^(bits|features|hash|weights|normalize):|^choose-/; // put together from a name
  for (const key of Object.keys(en)) {
    assert.ok(made.test(key) || new RegExp(`['"]${key}['"]`).test(sources), `${key} is used`);
  }
});
