// The messages of the page: complete in both languages, and all in use.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { importSource } from '../source.mjs';
import { exhaustive as test } from '../tier.mjs';

const { en } = await importSource('www/locales/en.ts');
const { zh } = await importSource('www/locales/zh.ts');
const { choices } = await importSource('www/scheme/scheme.ts');

const www = new URL('../../www/', import.meta.url);
const read = (name) => readFileSync(new URL(name, www), 'utf8');

test('both languages have the same keys with values of the same type', () => {
  assert.deepEqual(Object.keys(zh), Object.keys(en));
  for (const key of Object.keys(en)) assert.equal(typeof zh[key], typeof en[key], key);
});

test('the texts in index.html equal the English messages', () => {
  const texts = [...read('index.html').matchAll(/data-t="([^"]+)"[^>]*>([^<]*)</g)];
  assert.ok(texts.length > 20);
  for (const [, key, text] of texts) assert.equal(text.replaceAll('&amp;', '&'), en[key], key);
});

test('every choice has a message, and every message is used', () => {
  for (const [name, values] of Object.entries(choices)) {
    assert.ok(en[name] && en[`${name}Hint`], name);
    for (const value of values) assert.ok(typeof value === 'boolean' || en[`${name}:${value}`], `${name}:${value}`);
  }
  const sources = readdirSync(www, { recursive: true })
    .filter((name) => /\.(ts|html)$/.test(name) && !/(en|zh)\.ts$/.test(name))
    .map(read)
    .join('\n');
  const composed = /Hint$|^(bits|features|hash|weights|normalize|units):|^clear-/; // Keys that the page puts together.
  for (const key of Object.keys(en)) {
    assert.ok(composed.test(key) || new RegExp(`['"]${key}['"]`).test(sources), `${key} is used`);
  }
});
