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

const isSecondJamo = (code) => (code >= 0x1161 && code <= 0x1175) || (code >= 0x11a8 && code <= 0x11c2);
const seconds = new Set(pairs.map((pair) => pair.second));
for (const code of reachable) if (isSecondJamo(code)) seconds.add(code);

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

// ---- The columns ------------------------------------------------------------------------------------------------

// Numbers of one sort in each, so that they are like each other, which is what Brotli lives on.

/** A number of 7 bits a byte, the highest first; the eighth bit says that more follow. */
const bytes = (number) => (number < 0x80 ? [number] : [...bytes(number >> 7).map((byte) => byte | 0x80), number & 0x7f]);
/** Of either sign, the small ones being small. */
const signed = (number) => bytes(number < 0 ? -2 * number - 1 : 2 * number);

/** Each number as the step from the one before. */
const steps = (numbers) => numbers.flatMap((number, index) => signed(number - (numbers[index - 1] ?? 0)));
/** Where ranges `{ start, span }` are: the code points between each and the one before. */
const gaps = (ranges) =>
  ranges.flatMap(({ start }, index) => bytes(start - (index && ranges[index - 1].start + ranges[index - 1].span)));

const columns = [];
const column = (name, doc, numbers) => columns.push({ name, doc, numbers: numbers.flat() });

const classes = []; // { start, span, value }
for (const code of [...reachable].sort(ascending)) {
  const value = ccc.get(code) ?? (isSecondJamo(code) ? 0 : undefined);
  const last = classes.at(-1);
  if (value === undefined) continue;
  if (last?.value === value && last.start + last.span === code) last.span++;
  else classes.push({ start: code, span: 1, value });
}
column('CLASS_GAPS', 'Marks, in ranges of one Canonical_Combining_Class: the gap before each.', gaps(classes));
column('CLASS_SPANS', 'How many code points it has.', classes.map(({ span }) => bytes(span)));
column('CLASSES', 'Its class.', classes.map(({ value }) => value));

const gapsOf = (list) => list.flatMap((code, index) => bytes(code - (list[index - 1] ?? 0)));
column('COMPOSITES', 'The composites, Hangul left out: the step from the one before.', gapsOf(pairs.map(({ composite }) => composite)));
column(
  'FIRSTS',
  'How far before it is the first of the two characters it is made of: the step from the one before.',
  steps(pairs.map(({ composite, first }) => composite - first)),
);
column('SECONDS', 'The second, likewise.', steps(pairs.map(({ second }) => second)));

/**
 * NFKC_CF in ranges, ASCII and U+E0000..U+E0FFF left out. A kind below SAME is the length of the strings of a range;
 * the others fold each code point to one character: SAME, ADD and EVERY_OTHER by adding 0, 1 or 2 to the one before.
 */
const [SAME, ADD, EVERY_OTHER, HAN] = [32, 33, 34, 35];
const SHORTEST = 3; // a range that adds, of fewer code points, is no gain
const isTag = (code) => code >= 0xe0000 && code <= 0xe0fff; // all default ignorable: a line of code
for (let code = 0xe0000; code <= 0xe0fff; code++) assert.deepEqual(fold(code), []);
const mapped = [...casefold.keys()].filter((code) => code >= 0x80 && !isTag(code)).sort(ascending);

/** Where Han characters are. What folds to them is in the order of a dictionary, for each of these by itself. */
const HAN_STARTS = [0x3400, 0x4e00, 0x20000];
function hanBlock(code) {
  const isHan = (code >= 0x3400 && code < 0xa000) || code >= 0x20000;
  return isHan ? HAN_STARTS.findLastIndex((start) => code >= start) : -1;
}

/** The longest range that starts with a code point and adds a number. */
function adding(start) {
  const first = casefold.get(start);
  let best = { count: 0 };
  for (const step of [0, 1, 2]) {
    const gap = Math.max(step, 1);
    let count = 1;
    for (; first.length === 1; count++) {
      const next = casefold.get(start + count * gap);
      if (next?.length !== 1 || next[0] !== first[0] + count * step) break;
      if (step === 2 && casefold.has(start + count * gap - 1)) break;
    }
    if (count >= SHORTEST && count > best.count) best = { kind: SAME + step, count, span: (count - 1) * gap + 1 };
  }
  return best;
}

const folds = []; // { start, span, count, kind }
for (let at = 0; at < mapped.length; ) {
  const start = mapped[at];
  const strings = casefold.get(start);
  const found = adding(start);
  if (found.count > 0) {
    folds.push({ start, ...found });
    at += found.count;
    continue;
  }
  const kind = strings.length === 1 && hanBlock(strings[0]) >= 0 ? HAN : strings.length;
  const last = folds.at(-1);
  if (last?.kind === kind && last.start + last.span === start) {
    last.count++;
    last.span++;
  } else folds.push({ start, span: 1, count: 1, kind });
  at++;
}
const strings = folds.flatMap(({ start, kind, count }) =>
  kind < SAME && kind !== 1 ? Array.from({ length: count }, (_, index) => casefold.get(start + index)) : [],
);
const before = []; // the character of each place in the string before
const stringSteps = strings.flatMap((string) =>
  string.flatMap((code, place) => {
    const step = signed(code - (before[place] ?? 0));
    before[place] = code;
    return step;
  }),
);
const targets = ({ start, kind, count }) =>
  Array.from({ length: count }, (_, index) => start + index * (kind === EVERY_OTHER ? 2 : 1)).map((code) => ({
    code,
    target: casefold.get(code)[0],
  }));
const han = folds.filter(({ kind }) => kind === HAN).flatMap(targets).map(({ target }) => target);
const singles = [];
let ahead = 0;
for (const fold of folds.filter(({ kind }) => kind === 1 || (kind >= SAME && kind < HAN))) {
  for (const [index, { code, target }] of targets(fold).entries()) {
    if (fold.kind === 1 || index === 0) singles.push(signed(target - code - ahead));
    ahead = target - code;
  }
}
const hanBefore = [...HAN_STARTS];
const hanSteps = han.flatMap((code) => {
  const block = hanBlock(code);
  const step = signed(code - hanBefore[block]);
  hanBefore[block] = code;
  return step;
});
column('FOLD_GAPS', 'What is folded, in ranges, ASCII and U+E0000..U+E0FFF left out: the gap before each.', gaps(folds));
column('FOLD_COUNTS', 'How many code points of it are folded.', folds.map(({ count }) => bytes(count)));
column('FOLD_KINDS', '', folds.map(({ kind }) => kind));
column('SINGLES', '', singles);
column('HAN_BLOCKS', '', han.map(hanBlock));
column('HAN_STEPS', '', hanSteps);
column('STRINGS', '', stringSteps);

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

const output = `// Made by scripts/unicode-tables.mjs from tests/data/ucd.txt.gz, Unicode ${VERSION}: do not edit.
// Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).

/// The version of Unicode these tables are of.
pub(super) const UNICODE_VERSION: (u8, u8, u8) = (${VERSION.split('.').join(', ')});

/// In [\`FOLD_KINDS\`]: all fold to one character.
pub(super) const SAME: u8 = ${SAME};
/// In [\`FOLD_KINDS\`]: each folds to the character after that of the one before.
pub(super) const ADD: u8 = ${ADD};
/// In [\`FOLD_KINDS\`]: every other code point folds, to every other character.
pub(super) const EVERY_OTHER: u8 = ${EVERY_OTHER};
/// In [\`FOLD_KINDS\`]: each folds to a Han character.
pub(super) const HAN: u8 = ${HAN};
/// Where the first step of [\`HAN_STEPS\`] for each of [\`HAN_BLOCKS\`] starts.
pub(super) const HAN_STARTS: [u32; ${HAN_STARTS.length}] = [${HAN_STARTS.map((code) => `0x${code.toString(16)}`).join(', ')}];
${columns
  .map(
    ({ name, doc, numbers }) =>
      `\n/// ${doc}\n#[rustfmt::skip]\npub(super) static ${name}: [u8; ${numbers.length}] = [\n${lines(numbers)}];\n`,
  )
  .join('')}`;

console.log(Object.fromEntries(columns.map(({ name, numbers }) => [name, numbers.length])));
if (process.argv.includes('--check')) {
  assert.equal(readFileSync(target, 'utf8'), output, `${target} is not up to date`);
} else {
  writeFileSync(target, output);
}
