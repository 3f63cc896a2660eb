#!/usr/bin/env node
// Writes src/text/normalize/tables.rs and tables.bin from tests/data/ucd.txt.gz, which tests/it/normalize.rs compares with ICU4X.
//
//     node tests/data/unicode-tables.mjs            # writes both files
//     node tests/data/unicode-tables.mjs --check    # fails if one is not up to date
//
// The tables belong to the scheme `v1`: another Unicode version gives other fingerprints, so it needs another scheme.
// The output depends on nothing but its input. Assertions here check what src/text/normalize/mod.rs relies on.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const VERSION = '17.0.0';
const path = (relative) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const target = path('src/text/normalize/tables.rs');
const binaryTarget = path('src/text/normalize/tables.bin');
const [header, ...ucd] = gunzipSync(readFileSync(path('tests/data/ucd.txt.gz')))
  .toString()
  .trimEnd()
  .split('\n');
assert(header.startsWith(`# Unicode ${VERSION}:`), header);

const hex = (text) => parseInt(text, 16);
const sequence = (text) => (text ? text.split(' ').map(hex) : []);
const codes = (text) => Array.from(text, (character) => character.codePointAt(0));
const ascending = (a, b) => a - b;

// ---- The Unicode Character Database ------------------------------------------------------------------------------------------

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

// ---- The part that a folded text can contain -------------------------------------------------------------------------

const isSurrogate = (code) => code >= 0xd800 && code <= 0xdfff;
const reachable = new Set(); // every code point of a folded text, composed or decomposed
for (let code = 0; code <= 0x10ffff; code++) {
  if (isSurrogate(code)) continue;
  for (const part of fold(code)) for (const c of decompose(part)) reachable.add(c);
}
const pairs = []; // the primary composites of those
for (let before = -1; before !== pairs.length; ) {
  before = pairs.length; // a composite may be the first part of another one
  for (const [composite, parts] of [...canonical].sort(([a], [b]) => a - b)) {
    if (excluded.has(composite) || parts.length !== 2 || pairs.some((pair) => pair.composite === composite)) continue;
    if (!parts.every((part) => reachable.has(part))) continue;
    pairs.push({ composite, first: parts[0], second: parts[1] });
    reachable.add(composite);
  }
}
pairs.sort((a, b) => a.composite - b.composite);

const isSecondJamo = (code) => (code >= 0x1161 && code <= 0x1175) || (code >= 0x11a8 && code <= 0x11c2);
const seconds = new Set(pairs.map(({ second }) => second));
for (const code of reachable) if (isSecondJamo(code)) seconds.add(code);

/** Whether a character is its own fold and never interacts with the text before it. */
const isQuick = (code) => !casefold.has(code) && !ccc.has(code) && !seconds.has(decompose(code)[0]);

// A text is folded by code point, then decomposed by `pairs`: every character of a folded text that decomposes must be there.
const composites = new Set(pairs.map((pair) => pair.composite));
for (const code of reachable) {
  if (canonical.has(code)) assert(composites.has(code), `U+${code.toString(16)} decomposes but never composes`);
}
for (const [code, mapped] of casefold) {
  assert(
    mapped.every((part) => !casefold.has(part)),
    `U+${code.toString(16)} folds to a character that folds again`,
  );
}
for (let code = 0; code < 0x80; code++) {
  assert.deepEqual(fold(code), codes(String.fromCharCode(code).toLowerCase()), 'ASCII folds to lower case');
  assert(!seconds.has(code), 'ASCII never composes with the character before it');
}
for (const { composite, first } of pairs) {
  assert(!ccc.has(composite) && !ccc.has(decompose(composite)[0]), 'a composite starts a segment');
  assert(
    first < composite || !composites.has(first) || isQuick(first),
    'a first part that may join comes before its composite',
  );
}
for (let code = 0x4000; code < 0xa000; code++)
  assert(isQuick(code), 'characters whose UTF-8 starts with E4 to E9 are plain');
for (let code = 0xe0000; code <= 0xe0fff; code++) assert.deepEqual(fold(code), [], 'a match arm in unicode.rs');

// ---- The ranges of NFKC_CF --------------------------------------------------------------------------------------

const mapped = [...casefold.keys()].filter((code) => code >= 0x80 && code < 0xe0000).sort(ascending);

// The kind of a range is the length of its strings, or one of these, if every code point folds to one character by a rule.
const [SAME, ADD, EVERY_OTHER, HAN] = [32, 33, 34, 35];
const LEAST = 3; // shorter ranges of these kinds take more space than single characters

/** The ranges of Han characters. Compatibility characters fold to them in the order of a dictionary, in each range. */
const HAN_STARTS = [0x3400, 0x4e00, 0x20000];
const isHan = (code) => (code >= 0x3400 && code < 0xa000) || code >= 0x20000;
const hanRange = (code) => HAN_STARTS.findLastIndex((start) => code >= start);

/** The longest range from a code point on that folds to one character, or to consecutive characters. */
function regular(start) {
  const first = casefold.get(start);
  let best = { count: 0 };
  for (const kind of [SAME, ADD, EVERY_OTHER]) {
    const step = kind === EVERY_OTHER ? 2 : 1;
    let count = 1;
    for (let code = start + step; first.length === 1; code += step, count++) {
      const next = casefold.get(code);
      if (next?.length !== 1 || next[0] !== first[0] + count * (kind - SAME)) break;
      if (kind === EVERY_OTHER && casefold.has(code - 1)) break;
    }
    if (count >= LEAST && count > best.count) best = { kind, step, count };
  }
  return best;
}

const folds = []; // { start, kind, step, count, end }
for (let at = 0; at < mapped.length; ) {
  const start = mapped[at];
  const { kind, step, count } = regular(start);
  const last = folds.at(-1);
  if (count > 0) {
    folds.push({ start, kind, step, count, end: start + (count - 1) * step + 1 });
    at += count;
    continue;
  }
  const string = casefold.get(start);
  const irregular = string.length === 1 && isHan(string[0]) ? HAN : string.length;
  if (last?.kind === irregular && last.end === start) {
    last.count++;
    last.end++;
  } else folds.push({ start, kind: irregular, step: 1, count: 1, end: start + 1 });
  at++;
}

// ---- The columns ------------------------------------------------------------------------------------------------

// A column has numbers of one sort: they are similar, so Brotli compresses them well.

/** A number: seven bits a byte, the most significant first; bit 7 means that more bytes follow. */
const bytes = (number) =>
  number < 0x80 ? [number] : [...bytes(number >> 7).map((byte) => byte | 0x80), number & 0x7f];
/** A signed number. */
const signed = (number) => bytes(number < 0 ? -2 * number - 1 : 2 * number);
/** The difference of each number from the one before. */
const steps = (numbers) => numbers.flatMap((number, index) => signed(number - (numbers[index - 1] ?? 0)));
/** The number of code points between each range and the one before. */
const gaps = (ranges) => ranges.flatMap(({ start }, index) => bytes(start - (ranges[index - 1]?.end ?? 0)));

const classes = []; // { start, end, value }
for (const code of [...reachable].sort(ascending)) {
  if (!ccc.has(code) && !isSecondJamo(code)) continue;
  const value = ccc.get(code) ?? 0;
  const last = classes.at(-1);
  if (last?.value === value && last.end === code) last.end++;
  else classes.push({ start: code, end: code + 1, value });
}

const han = [];
const singles = [];
const strings = [];
const lastHan = [...HAN_STARTS];
const lastString = [];
let ahead = 0;
for (const { start, kind, step, count } of folds) {
  for (let nth = 0; nth < count; nth++) {
    const code = start + nth * step;
    const string = casefold.get(code);
    if (kind === HAN) {
      const range = hanRange(string[0]);
      han.push({ range, step: signed(string[0] - lastHan[range]) });
      lastHan[range] = string[0];
    } else if (kind === 1 || kind >= SAME) {
      if (kind === 1 || nth === 0) singles.push(signed(string[0] - code - ahead));
      ahead = string[0] - code;
    } else {
      strings.push(string.map((part, place) => signed(part - (lastString[place] ?? 0))));
      Object.assign(lastString, string);
    }
  }
}

const columns = [
  [
    'class_gaps',
    'ranges of marks, and of the Hangul letters that join the letter before them: the number of code points\nbetween a range and the one before',
    gaps(classes),
  ],
  ['class_spans', 'the length of each of those ranges', classes.map(({ start, end }) => bytes(end - start))],
  ['classes', 'their Canonical_Combining_Class', classes.map(({ value }) => value)],
  [
    'composites',
    'the composites of a folded text, without Hangul: the difference of each from the one before',
    pairs.map(({ composite }, index) => bytes(composite - (pairs[index - 1]?.composite ?? 0))),
  ],
  [
    'firsts',
    'the distance from the first part of a composite to it: the difference from the composite before',
    steps(pairs.map(({ composite, first }) => composite - first)),
  ],
  ['seconds', 'the second part: the difference from the one before', steps(pairs.map(({ second }) => second))],
  [
    'fold_gaps',
    'ranges of code points that are not their own NFKC_CF, without ASCII and U+E0000..U+E0FFF: the number of\ncode points between a range and the one before',
    gaps(folds),
  ],
  ['fold_counts', 'the number of code points of a range that fold', folds.map(({ count }) => bytes(count))],
  [
    'fold_kinds',
    'the length of the strings that a range folds to, or one of the constants above',
    folds.map(({ kind }) => kind),
  ],
  [
    'singles',
    'the distance from a code point to the character that it folds to, in ranges of single characters: the\ndifference from the one before. In a range of [`SAME`], [`ADD`] or [`EVERY_OTHER`], only the first code point has one',
    singles,
  ],
  [
    'han_ranges',
    'the range of a Han character that a code point folds to: an index into [`HAN_STARTS`]',
    han.map(({ range }) => range),
  ],
  ['han_steps', 'its difference from the one before in that range', han.map(({ step }) => step)],
  [
    'strings',
    'the characters of all other strings: the difference from the character at the same position of the last\nstring that has one',
    strings,
  ],
];

// The limits of src/text/normalize/unicode.rs.
const described = [...classes.flatMap(({ start, end }) => [start, end - 1]), ...mapped, ...composites, ...seconds];
const rows = new Set(described.map((code) => code >> 8)).size + 1;
assert(Math.max(...described) < 0x30000);
assert(pairs.length < 1024);
assert(Math.max(...mapped.map((code) => casefold.get(code).length)) < SAME);

// ---- The files --------------------------------------------------------------------------------------------------

const values = columns.map(([, , numbers]) => numbers.flat(2));
const binary = Buffer.from(values.flatMap((column) => [...bytes(column.length), ...column]));
const docs = columns.map(([name, doc]) => `/// - \`${name}\`: ${doc.replaceAll('\n', '\n///   ')}\n`);

const output = `// Made by tests/data/unicode-tables.mjs from tests/data/ucd.txt.gz, Unicode ${VERSION}: do not edit.
// Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).

use core::array;

use crate::text::columns::Column;

/// The Unicode version of these tables.
pub(super) const UNICODE_VERSION: (u8, u8, u8) = (${VERSION.split('.').join(', ')});

/// The number of rows of 256 code points that have data, and one for all others.
pub(super) const ROWS: usize = ${rows};

/// In \`fold_kinds\`: all code points fold to one character.
pub(super) const SAME: u8 = ${SAME};
/// In \`fold_kinds\`: consecutive code points fold to consecutive characters.
pub(super) const ADD: u8 = ${ADD};
/// In \`fold_kinds\`: the same for every other code point.
pub(super) const EVERY_OTHER: u8 = ${EVERY_OTHER};
/// In \`fold_kinds\`: each code point folds to a Han character.
pub(super) const HAN: u8 = ${HAN};
/// The first code points of the ranges of Han characters.
pub(super) const HAN_STARTS: [u32; ${HAN_STARTS.length}] = [${HAN_STARTS.map((code) => `0x${code.toString(16)}`).join(', ')}];

/// Returns the columns. Each is in the file after its length.
///
${docs.join('')}pub(super) fn columns() -> [Column; ${columns.length}] {
    let mut rest = Column(include_bytes!("tables.bin"));
    array::from_fn(|_| rest.column())
}
`;

console.log(Object.fromEntries(columns.map(([name], index) => [name, values[index].length])));
for (const [file, content] of [
  [target, Buffer.from(output)],
  [binaryTarget, binary],
]) {
  if (process.argv.includes('--check')) assert(readFileSync(file).equals(content), `${file} is not up to date`);
  else writeFileSync(file, content);
}
