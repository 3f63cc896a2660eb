#!/usr/bin/env node
// Writes src/normalize/tables.rs from tests/data/ucd.txt.gz, which tests/normalize.rs holds against Unicode's own library.
//
//     node scripts/unicode-tables.mjs            # writes src/normalize/tables.rs
//     node scripts/unicode-tables.mjs --check    # only says whether the file is up to date
//
// The tables belong to the scheme `v1`: another Unicode version gives other fingerprints, so it needs another scheme.
// The output depends on nothing but that file. What src/normalize/mod.rs takes for granted is asserted here.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const VERSION = '17.0.0';
const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const target = path('src/normalize/tables.rs');
const [header, ...ucd] = gunzipSync(readFileSync(path('tests/data/ucd.txt.gz')))
  .toString()
  .trimEnd()
  .split('\n');
assert(header.startsWith(`# Unicode ${VERSION}:`), header);

const hex = (text) => parseInt(text, 16);
const sequence = (text) => (text ? text.split(' ').map(hex) : []);
const string = (codes) => String.fromCodePoint(...codes);
const codes = (text) => Array.from(text, (character) => character.codePointAt(0));
const ascending = (a, b) => a - b;

// ---- What the UCD says ------------------------------------------------------------------------------------------

const ccc = new Map(); // Canonical_Combining_Class, where it is not 0
const canonical = new Map(); // canonical Decomposition_Mapping, one step
const excluded = new Set(); // Full_Composition_Exclusion
const casefold = new Map(); // NFKC_Casefold, where it is not the code point itself
for (const line of ucd.filter((line) => !line.startsWith('#'))) {
  const [point, combiningClass, parts, exclusion, mapping] = line.split(';');
  const code = hex(point);
  if (combiningClass !== '0') ccc.set(code, Number(combiningClass));
  if (parts !== '') canonical.set(code, sequence(parts));
  if (exclusion !== '') excluded.add(code);
  if (mapping !== '=') casefold.set(code, sequence(mapping));
}

const fold = (code) => casefold.get(code) ?? [code];

const isHangul = (code) => code >= 0xac00 && code <= 0xd7a3; // these compose by arithmetic, not by table

/** The full canonical decomposition, in no particular order of marks. */
function decompose(code) {
  if (isHangul(code)) return codes(String.fromCodePoint(code).normalize('NFD'));
  return canonical.get(code)?.flatMap(decompose) ?? [code];
}

// ---- Which of it a folded text can meet -------------------------------------------------------------------------

const isSurrogate = (code) => code >= 0xd800 && code <= 0xdfff;
const reachable = new Set(); // every code point of a folded text, composed or decomposed
for (let code = 0; code <= 0x10ffff; code++) {
  if (isSurrogate(code)) continue;
  for (const part of fold(code)) for (const piece of decompose(part)) reachable.add(piece);
}
const pairs = []; // the primary composites that canonical composition can make of those
for (let before = -1; before !== pairs.length; ) {
  before = pairs.length; // a composite may be the first half of a longer one
  for (const [composite, parts] of [...canonical].sort(([a], [b]) => a - b)) {
    if (excluded.has(composite) || parts.length !== 2 || pairs.some((pair) => pair.composite === composite)) continue;
    if (!parts.every((part) => reachable.has(part))) continue;
    pairs.push({ composite, first: parts[0], second: parts[1] });
    reachable.add(composite);
  }
}
pairs.sort((a, b) => a.composite - b.composite);

const seconds = new Set(pairs.map((pair) => pair.second));
for (let jamo = 0x1161; jamo <= 0x1175; jamo++) seconds.add(jamo);
for (let jamo = 0x11a8; jamo <= 0x11c2; jamo++) seconds.add(jamo);

/** Whether a starter may compose with what stands before it, itself or with the first part of it. */
const joins = (code) => seconds.has(decompose(code)[0]);

// A text is folded by code point and then decomposed through `pairs`: whatever decomposes in a folded text must be there.
const composites = new Set(pairs.map((pair) => pair.composite));
for (const code of reachable) {
  if (canonical.has(code)) assert(composites.has(code), `U+${code.toString(16)} decomposes and never composes`);
}
for (const [code, mapped] of casefold) {
  assert(
    mapped.every((part) => !casefold.has(part)),
    `U+${code.toString(16)} folds to what folds again`,
  );
}
for (let code = 0; code < 0x80; code++) {
  assert.deepEqual(fold(code), codes(String.fromCharCode(code).toLowerCase()), 'ASCII folds to its lower case');
  assert(!seconds.has(code), 'ASCII never joins what precedes it');
}
for (const { composite } of pairs)
  assert(!ccc.has(composite) && !ccc.has(decompose(composite)[0]), 'a composite starts');

// ---- The tables -------------------------------------------------------------------------------------------------

const COUNT_LIMIT = 256; // a count less one is kept in a byte
const ANCHORED = 16; // ranges to an anchor
const JOINS = 255; // no Canonical_Combining_Class has this number

/** Combining classes by range: `{ start, count, value }`. */
const classes = [];
for (const code of [...reachable].sort(ascending)) {
  const value = ccc.get(code) ?? (joins(code) ? JOINS : 0);
  if (value === 0) continue;
  assert(value !== JOINS || !ccc.has(code));
  const last = classes.at(-1);
  if (last?.value === value && last.start + last.count === code && last.count < COUNT_LIMIT) last.count++;
  else classes.push({ start: code, count: 1, value });
}

/**
 * NFKC_CF by range, ASCII and U+E0000..U+E0FFF left out. A range either adds one number to all of its code points, or to every other one of
 * them, and has the string of the first; or has a string of the same UTF-8 length for each. The cheapest cover of every run, by dynamic programming.
 */
const utf8 = (text) => Buffer.byteLength(text);
const isTag = (code) => code >= 0xe0000 && code <= 0xe0fff; // all default ignorable: a line of code
for (let code = 0xe0000; code <= 0xe0fff; code++) assert.deepEqual(fold(code), []);
const mapped = [...casefold.keys()].filter((code) => code >= 0x80 && !isTag(code)).sort(ascending);
// How the code points of a range fold, beside the length of its string (or of each of its strings).
const EACH = 0;
const ADD = 64;
const ADD_EVERY_OTHER = 128;
const RANGE_COST = 3;
const BYTE_COST = 0.7; // what a range and a byte of a string come to after Brotli, about
const best = Array(mapped.length + 1);
best[mapped.length] = { cost: 0 };
for (let at = mapped.length - 1; at >= 0; at--) {
  const start = mapped[at];
  const delta = casefold.get(start)[0] - start;
  const length = utf8(string(casefold.get(start)));
  let choice = { cost: Infinity };
  const consider = (kind, count, cost) => {
    const total = cost + RANGE_COST + best[at + count].cost;
    if (total < choice.cost) choice = { kind, count, cost: total };
  };
  for (const step of [1, 2]) {
    for (let count = 1; count <= COUNT_LIMIT; count++) {
      const code = mapped[at + count - 1];
      if (code !== start + (count - 1) * step || casefold.get(code).length !== 1) break;
      if (casefold.get(code)[0] - code !== delta) break;
      if ((count - 1) * step < COUNT_LIMIT) consider(step === 1 ? ADD : ADD_EVERY_OTHER, count, length * BYTE_COST);
    }
  }
  for (let count = 1; count <= COUNT_LIMIT; count++) {
    const code = mapped[at + count - 1];
    if (code !== start + count - 1 || utf8(string(casefold.get(code))) !== length) break;
    consider(EACH, count, count * length * BYTE_COST);
  }
  best[at] = choice;
}
const folds = []; // { start, count, kind, length }
const texts = []; // the strings of each range
for (let at = 0; at < mapped.length; at += best[at].count) {
  const { kind, count } = best[at];
  const start = mapped[at];
  const taken = kind === EACH ? count : 1;
  const text = mapped
    .slice(at, at + taken)
    .map((code) => string(casefold.get(code)))
    .join('');
  const length = utf8(text) / taken;
  assert(length < ADD);
  texts.push(text);
  folds.push({ start, count: kind === ADD_EVERY_OTHER ? count * 2 - 1 : count, kind, length });
}
const strings = texts.join('');
const anchorStrings = texts.flatMap((_, index) =>
  index % ANCHORED === 0 ? [utf8(texts.slice(0, index).join(''))] : [],
);

/** One bit for every code point below QUICK_END that stands for itself and starts a segment. */
const QUICK_END = 0x10000;
const isQuick = (code) => !isSurrogate(code) && !casefold.has(code) && !ccc.has(code) && !joins(code);
const blocks = [];
const blockIndex = [];
for (let start = 0; start < QUICK_END; start += 64) {
  let bits = 0n;
  for (let bit = 0; bit < 64; bit++) if (isQuick(start + bit)) bits |= 1n << BigInt(bit);
  let found = blocks.indexOf(bits);
  if (found < 0) found = blocks.push(bits) - 1;
  blockIndex.push(found);
}
assert(blocks.length <= 256);

const byParts = pairs
  .map((pair, index) => ({ ...pair, index }))
  .sort((a, b) => a.first - b.first || a.second - b.second)
  .map(({ index }) => index);

// ---- Their Rust -------------------------------------------------------------------------------------------------

const character = (code) => `'\\u{${code.toString(16)}}'`;
const literal = (text) =>
  `"${Array.from(text, (c) => (/[\p{L}\p{N}]/u.test(c) ? c : `\\u{${c.codePointAt(0).toString(16)}}`)).join('')}"`;
const table = (doc, name, type, values) =>
  `${doc
    .split('\n')
    .map((line) => `/// ${line}\n`)
    .join('')}#[rustfmt::skip]\n` + `pub(super) static ${name}: [${type}; ${values.length}] = [\n${lines(values)}];\n`;
function ranges(name, list) {
  const gaps = list.map(({ start }, index) =>
    index % ANCHORED === 0 ? 0 : start - list[index - 1].start - list[index - 1].count,
  );
  assert(Math.max(...gaps) < 0x10000);
  const anchors = list.filter((_, index) => index % ANCHORED === 0).map(({ start }) => `0x${start.toString(16)}`);
  return (
    `#[rustfmt::skip]\npub(super) static ${name}: Ranges = Ranges {\n    anchors: &[\n${lines(anchors)}    ],\n` +
    `    gaps: &[\n${lines(gaps)}    ],\n    counts: &[\n${lines(list.map(({ count }) => count - 1))}    ],\n};\n`
  );
}
function lines(values) {
  let out = '';
  let line = '   ';
  for (const value of values) {
    if (line.length + value.toString().length + 2 > 120) {
      out += `${line}\n`;
      line = '   ';
    }
    line += ` ${value},`;
  }
  return `${out}${line}\n`;
}

const output = `// Made by scripts/unicode-tables.mjs from tests/data/ucd.txt.gz, Unicode ${VERSION}: do not edit.
// Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).

use super::Ranges;

/// The version of Unicode these tables are of.
pub(super) const UNICODE_VERSION: (u8, u8, u8) = (${VERSION.split('.').join(', ')});

/// In [\`FOLD_KINDS\`]: the first code point folds to the string, a character, and each after it to the next character.
pub(super) const ADD: u8 = ${ADD};
/// In [\`FOLD_KINDS\`]: so for every other code point, from the first on, and those between are their own.
pub(super) const ADD_EVERY_OTHER: u8 = ${ADD_EVERY_OTHER};
/// As a class in [\`CLASSES\`]: a starter that may compose with the character before it.
pub(super) const JOINS: u8 = ${JOINS};

/// The code points that are not their own NFKC_Casefold, without ASCII and U+E0000..U+E0FFF.
${ranges('FOLDED', folds)}
${table(
  'The bytes of the string of a range, plus [`ADD`] or [`ADD_EVERY_OTHER`], or of the string of each of its code points.',
  'FOLD_KINDS',
  'u8',
  folds.map(({ kind, length }) => kind + length),
)}
${table('Where in [`STRINGS`] those of range 0, range 16, range 32 and so on start.', 'FOLD_ANCHORS', 'u16', anchorStrings)}
/// The strings of [\`FOLDED\`], in its order.
#[rustfmt::skip]
pub(super) static STRINGS: &str = ${literal(strings)};

/// The characters of a folded text that are no starters, or join what precedes them.
${ranges('CLASSED', classes)}
${table(
  'The Canonical_Combining_Class of each range, or [`JOINS`].',
  'CLASSES',
  'u8',
  classes.map(({ value }) => value),
)}
${table(
  'The composites a folded text can have, Hangul left out, ascending.',
  'COMPOSITES',
  'char',
  pairs.map(({ composite }) => character(composite)),
)}
${table(
  'The two characters that each of [`COMPOSITES`] is made of.',
  'PARTS',
  '(char, char)',
  pairs.map(({ first, second }) => `(${character(first)}, ${character(second)})`),
)}
${table('The places of [`COMPOSITES`] in ascending order of their [`PARTS`].', 'BY_PARTS', 'u16', byParts)}
${table(
  'One bit for each of 64 code points that stands for itself and never touches what precedes it.',
  'QUICK_BLOCKS',
  'u64',
  blocks.map((bits) => `0x${bits.toString(16)}`),
)}
${table('The place in [`QUICK_BLOCKS`] of every 64 code points.', 'QUICK_INDEX', 'u8', blockIndex)}`.replace(
  /\n+$/,
  '\n',
);

console.log({
  mapped: mapped.length,
  folds: folds.length,
  strings: utf8(strings),
  classes: classes.length,
  pairs: pairs.length,
  blocks: blocks.length,
});
if (process.argv.includes('--check')) {
  assert.equal(readFileSync(target, 'utf8'), output, `${target} is not up to date`);
} else {
  writeFileSync(target, output);
}
