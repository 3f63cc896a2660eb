// The string ids of a snapshot.
import assert from 'node:assert/strict';
import { Deduplicator, NearIndex } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';

const { StringIds } = await importSource('js/core/string-ids.ts');

const entered = (names) => {
  const ids = new StringIds();
  return [ids, names.map((name) => ids.enter(name))];
};

const hard = [
  '',
  'a',
  '\0',
  '\ufeffa',
  '\ufeff',
  '😀',
  '\ud800',
  '\udc00\ud800',
  'x\ud83d',
  '[',
  'é'.repeat(2 ** 20),
  'null',
  '"\\\n',
];

test('every string is read back', () => {
  const [ids, numbers] = entered(hard);
  ids.remove('a');
  const read = StringIds.fromNote(ids.toNote(), numbers.toSpliced(1, 1));
  for (const [at, name] of hard.entries()) assert.equal(read.numberOf(name), at === 1 ? undefined : numbers[at], name);
  // The free number is used again.
  assert.equal(read.enter('new'), numbers[1]);

  for (const kind of [NearIndex, Deduplicator]) {
    const kept = new kind();
    for (const name of hard) kept.add(name, kind === NearIndex ? 5n : `a text that is named ${name.slice(0, 10)}`);
    const again = kind.fromBytes(kept.toBytes());
    assert.equal(again.size, hard.length);
    for (const name of hard) assert.ok(again.has(name), JSON.stringify(name.slice(0, 10)));
  }
});

test('a damaged note is refused', () => {
  const [ids, numbers] = entered(['one', 'two\ud800', 'three']);
  const note = ids.toNote();
  const message = /^ArgumentError: nearprint: bytes must be a snapshot made by toBytes\(\), got a snapshot /;
  const refused = (bytes) => assert.throws(() => StringIds.fromNote(bytes, numbers), message);
  for (let length = 0; length < note.length; length++) refused(note.slice(0, length));
  refused(Uint8Array.from([...note, 0]));
  for (let at = 0; at < 17; at++) {
    for (const byte of [0, 1, 128, 255]) {
      if (note[at] !== byte) refused(note.with(at, byte));
    }
  }
  const [same, itsNumbers] = entered(['aa', 'ab']);
  const twice = same.toNote();
  twice[twice.indexOf('b'.charCodeAt(0))] = 'a'.charCodeAt(0);
  assert.throws(() => StringIds.fromNote(twice, itsNumbers), /a snapshot whose string ids are not valid/);
});

exhaustive('ids that are together longer than the longest string', () => {
  const names = Array.from({ length: 9 }, (_, at) => `${at}${'x'.repeat(2 ** 26)}`);
  const [ids] = entered(names);
  const note = ids.toNote();
  assert.equal(note.length, 1 + 9 * ('""\n'.length + 1 + 2 ** 26));
});
