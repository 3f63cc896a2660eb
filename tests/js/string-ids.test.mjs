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
  const read = StringIds.fromNote(ids.toNote());
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

test('the note of another version is refused', () => {
  const message = 'nearprint: bytes must be a snapshot made by toBytes(), got a snapshot of ';
  assert.throws(() => StringIds.fromNote(Uint8Array.of(2, 10)), { message: `${message}another version` });
  const rust = 'the Rust crate, which numbers ids differently';
  assert.throws(() => StringIds.fromNote(new Uint8Array()), { message: message + rust });
});

exhaustive('ids that are together longer than the longest string', () => {
  const names = Array.from({ length: 9 }, (_, at) => `${at}${'x'.repeat(2 ** 26)}`);
  const [ids] = entered(names);
  const note = ids.toNote();
  assert.equal(note.length, 1 + 9 * ('""\n'.length + 1 + 2 ** 26));
});
