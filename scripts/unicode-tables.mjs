#!/usr/bin/env node
// Writes src/text/normalize/tables.rs from tests/data/ucd.txt.gz, which tests/normalize.rs holds against Unicode's own library.
//
//     node scripts/unicode-tables.mjs            # writes src/text/normalize/tables.rs
//     node scripts/unicode-tables.mjs --check    # only says whether the file is up to date
//
// The tables belong to the scheme `v1`: another Unicode version gives other fingerprints, so it needs another scheme.
// The output depends on nothing but that file. What src/text/normalize/mod.rs takes for granted is asserted here.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const VERSION = '17.0.0';
const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const target = path('src/text/normalize/tables.rs');
const [header, ...ucd] = gunzipSync(readFileSync(path('tests/data/ucd.txt.gz')))
  .toString()
  .trimEnd()
  .split('\n');
assert(header.startsWith(`# Unicode ${VERSION}:`), header);

const hex = (text) => parseInt(text, 16);
const sequence = (text) => (text ? text.split(' ').map(hex) : []);
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

const isSecondJamo = (code) => (code >= 0x1161 && code <= 0x1175) || (code >= 0x11a8 && code <= 0x11c2);
const seconds = new Set(pairs.map(({ second }) => second));
for (const code of reachable) if (isSecondJamo(code)) seconds.add(code);

/** Whether a character is its own fold, and takes no part in what stands before it. */
const isQuick = (code) => !casefold.has(code) && !ccc.has(code) && !seconds.has(decompose(code)[0]);

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
for (const { composite, first } of pairs) {
  assert(!ccc.has(composite) && !ccc.has(decompose(composite)[0]), 'a composite starts');
  assert(first < composite || !composites.has(first) || isQuick(first), 'what joins comes before what is made of it');
}
for (let code = 0x4000; code < 0xa000; code++) assert(isQuick(code), 'UTF-8 that starts with E4 to E9 is copied');
for (let code = 0xe0000; code <= 0xe0fff; code++) assert.deepEqual(fold(code), [], 'is a line of code');

// ---- The ranges of NFKC_CF --------------------------------------------------------------------------------------

const mapped = [...casefold.keys()].filter((code) => code >= 0x80 && code < 0xe0000).sort(ascending);

// A range has strings of one length, which is its kind, or every code point of it folds to one character in some way.
const [SAME, ADD, EVERY_OTHER, HAN] = [32, 33, 34, 35];
const LEAST = 3; // a range that folds to one character after the other, of fewer code points, is no gain

/** Where Han characters are. Those that others fold to come in some dictionary's order, in each block by itself. */
const HAN_STARTS = [0x3400, 0x4e00, 0x20000];
const isHan = (code) => (code >= 0x3400 && code < 0xa000) || code >= 0x20000;
const hanBlock = (code) => HAN_STARTS.findLastIndex((start) => code >= start);

/** The longest range from a code point on that folds to one character, or to one after the other. */
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

// Every column has numbers of one sort, like each other, which is what Brotli makes small.

/** A number: seven bits a byte, the highest first; the eighth bit says that more follow. */
const bytes = (number) =>
  number < 0x80 ? [number] : [...bytes(number >> 7).map((byte) => byte | 0x80), number & 0x7f];
/** A number up or down. */
const signed = (number) => bytes(number < 0 ? -2 * number - 1 : 2 * number);
/** Numbers of which each is told by how far it is from the one before. */
const steps = (numbers) => numbers.flatMap((number, index) => signed(number - (numbers[index - 1] ?? 0)));
/** The code points between each range and the one before. */
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
      const block = hanBlock(string[0]);
      han.push({ block, step: signed(string[0] - lastHan[block]) });
      lastHan[block] = string[0];
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
    'CLASS_GAPS',
    'Marks, and the Hangul letters that join what precedes them: the code points between a range and the one before.',
    gaps(classes),
  ],
  ['CLASS_SPANS', 'The code points of each of those ranges.', classes.map(({ start, end }) => bytes(end - start))],
  ['CLASSES', 'Their Canonical_Combining_Class.', classes.map(({ value }) => value)],
  [
    'COMPOSITES',
    'The composites a folded text can have, Hangul left out: how far each is from the one before.',
    pairs.map(({ composite }, index) => bytes(composite - (pairs[index - 1]?.composite ?? 0))),
  ],
  [
    'FIRSTS',
    'How far before a composite the first of its two parts is; of that, the step from the one before.',
    steps(pairs.map(({ composite, first }) => composite - first)),
  ],
  ['SECONDS', 'The second part: the step from the one before.', steps(pairs.map(({ second }) => second))],
  [
    'FOLD_GAPS',
    'What is not its own NFKC_CF, without ASCII and U+E0000..U+E0FFF: the code points between a range and the one before.',
    gaps(folds),
  ],
  ['FOLD_COUNTS', 'How many code points of a range fold.', folds.map(({ count }) => bytes(count))],
  [
    'FOLD_KINDS',
    'The length of the strings that those of a range fold to, or one of the constants above.',
    folds.map(({ kind }) => kind),
  ],
  [
    'SINGLES',
    'How far ahead of a code point is the character it folds to, in ranges of single characters; of that, the step from\nthe one before. Only the first code point has one in a range of [`SAME`], [`ADD`] or [`EVERY_OTHER`].',
    singles,
  ],
  [
    'HAN_BLOCKS',
    'For a Han character that a code point folds to, which of [`HAN_STARTS`].',
    han.map(({ block }) => block),
  ],
  ['HAN_STEPS', 'The step to it from the one before in that block.', han.map(({ step }) => step)],
  [
    'STRINGS',
    'The characters of all other strings: the step from that in the same place of the last string that has one.',
    strings,
  ],
];

// What src/text/normalize/unicode.rs has room for.
const told = [...classes.flatMap(({ start, end }) => [start, end - 1]), ...mapped, ...composites, ...seconds];
const blocks = new Set(told.map((code) => code >> 6)).size + 1;
assert(Math.max(...told) < 0x30000);
assert(pairs.length < 1024);
assert(Math.max(...mapped.map((code) => casefold.get(code).length)) < SAME);

// ---- Their Rust -------------------------------------------------------------------------------------------------

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

function table([name, doc, numbers]) {
  const values = numbers.flat(2);
  const docs = doc.split('\n').map((line) => `/// ${line}\n`);
  return `\n${docs.join('')}#[rustfmt::skip]\npub(super) static ${name}: [u8; ${values.length}] = [\n${lines(values)}];\n`;
}

const output = `// Made by scripts/unicode-tables.mjs from tests/data/ucd.txt.gz, Unicode ${VERSION}: do not edit.
// Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).

/// The version of Unicode these tables are of.
pub(super) const UNICODE_VERSION: (u8, u8, u8) = (${VERSION.split('.').join(', ')});

/// How many 64 code points there are with something to say, and one.
pub(super) const BLOCKS: usize = ${blocks};

/// In [\`FOLD_KINDS\`]: all fold to one character.
pub(super) const SAME: u8 = ${SAME};
/// In [\`FOLD_KINDS\`]: each folds to the character after that of the one before.
pub(super) const ADD: u8 = ${ADD};
/// In [\`FOLD_KINDS\`]: every other code point folds, likewise.
pub(super) const EVERY_OTHER: u8 = ${EVERY_OTHER};
/// In [\`FOLD_KINDS\`]: each folds to a Han character.
pub(super) const HAN: u8 = ${HAN};
/// The blocks of Han characters.
pub(super) const HAN_STARTS: [u32; ${HAN_STARTS.length}] = [${HAN_STARTS.map((code) => `0x${code.toString(16)}`).join(', ')}];
${columns.map(table).join('')}`;

console.log(Object.fromEntries(columns.map(([name, , numbers]) => [name, numbers.flat(2).length])));
if (process.argv.includes('--check')) {
  assert.equal(readFileSync(target, 'utf8'), output, `${target} is not up to date`);
} else {
  writeFileSync(target, output);
}
