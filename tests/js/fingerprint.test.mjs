import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance, Fingerprinter, fingerprint, fingerprintAll } from '../../pkg/simhash.js';
import { checkRefusals } from './refusals.mjs';

const english = 'The quick brown fox jumps over the lazy dog, and the dog does not mind.';

test('fingerprintAll agrees with fingerprint, in order, at every width', () => {
  const texts = [english, '', '网页内容', english.toUpperCase()];
  for (const bits of [32, 64, 128]) {
    const all = fingerprintAll(new Set(texts).values(), { bits });
    assert.equal(all.constructor, bits === 32 ? Uint32Array : BigUint64Array);
    texts.forEach((text, at) => {
      const one = bits === 128 ? (all[2 * at + 1] << 64n) | all[2 * at] : BigInt(all[at]);
      assert.equal(one, fingerprint(text, { bits }));
    });
  }
});

test('chunk borders of a stream change nothing', () => {
  const text = `${english} naïve cafe\u0301, 网页内容相似度, กรุงเทพ 👩‍👩‍👧 1,234.5 𠮷野家 ﬁn \ud800 x`;
  const bytes = new TextEncoder().encode(text);
  const expected = fingerprint(text);
  const fingerprinter = new Fingerprinter();
  for (let at = 0; at <= text.length; at++) {
    const stream = fingerprinter.stream().update(text.slice(0, at)).update(text.slice(at));
    assert.equal(stream.digest(), expected, `string cut at ${at}`);
  }
  for (let at = 0; at <= bytes.length; at++) {
    const stream = fingerprinter.stream().update(bytes.subarray(0, at)).update('').update(bytes.subarray(at));
    assert.equal(stream.digest(), expected, `bytes cut at ${at}`);
  }
  const units = fingerprinter.stream();
  for (let at = 0; at < text.length; at++) {
    units.update(text[at]);
    const start = text.slice(0, at + 1);
    assert.equal(units.digest(), fingerprint(start), `digest after ${at + 1} units`);
  }
  assert.equal(units.digest(), expected);
  assert.equal(units.digest(), expected, 'a digest ends nothing');
});

test('features whose hashes lie at the end of the address space are counted once', () => {
  // The low 32 bits of each hash are from ffffffe0 to ffffffff. The words are more than a search examines.
  const words = `
    xrhaaiwlx xomaahrsu xdtaaqnxj xmdbaufnt xjgbaavqz xyibarssy xmnbazago xqxbakdad xqfcacdtp xypcavpoz xmzcaqrln
    xkndaanhj xlrdayknf xkleafcth ximeaktdr xnneayhnc xpxfaxjmh xjghacedt xkihadbwq xuyhafldq xztiasltt xgyiakads
    xiajamxrp xnajawysd xwfjahjqx xzfjahsaq xjhkakhmb xoklajnwq xgulacvwj xuimalatv xirnanezs xcaoajlyr xcsoaasim
    xhuoaoewf xfbpaxzri xbjpahevb xxopazzrt xxaqaiqmh xylqawovm xxnqazvvd xynqanyxb xpbrarxpr xhrrarbqi xasranhju
    xugsamiem xoxsavybm xnctaswtv xwfuardvq`;
  const others = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ');
  const text = `${words} ${others} ${words.repeat(8)}`;
  for (const scheme of ['v1:64', 'v1:64:words1', 'v1:64:words1:binary']) {
    const fingerprinter = new Fingerprinter({ scheme });
    // `compareBits` counts by sorting.
    assert.equal(fingerprinter.fingerprint(text), fingerprinter.compareBits(text, '').a.fingerprint, scheme);
  }
});

test('every option changes the scheme and its id', () => {
  const options = [
    {},
    { bits: 32 },
    { bits: 128 },
    { normalize: 'none' },
    { features: 'words' },
    { features: 'bigrams' },
    { features: { words: 3 } },
    { features: { chars: 5 } },
    { hash: 'fnv1a' },
    { mix: false },
    { weights: 'tf' },
    { weights: 'binary' },
  ];
  const text = `${english} ${english} The the THE`;
  const made = options.map((option) => new Fingerprinter(option));
  assert.equal(new Set(made.map(({ id }) => id)).size, options.length);
  assert.equal(new Set(made.map((each) => each.fingerprint(text))).size, options.length);
  for (const { id } of made) assert.equal(new Fingerprinter({ scheme: id }).id, id);
  assert.equal(made[0].id, 'v1:64');
  assert.equal(new Fingerprinter({ features: 'words', weights: 'tf', mix: false }).id, 'v1:64:words1:raw:tf');
});

test('wrong arguments are named', async () => {
  const cases = [
    [() => fingerprint(), /text must be a string or a Uint8Array.* got undefined/],
    [() => fingerprint(7), /text must be .* got 7/],
    [() => fingerprint(['a']), /text must be .* got an array/],
    [() => fingerprint('a', 'v1'), /options must be an object, got "v1"/],
    [() => fingerprint('a', { features: { words: 0 } }), /features\.words must be a whole number from 1 to 64, got 0/],
    [() => fingerprint('a', { features: { chars: 1.5 } }), /features\.chars must be .* got 1.5/],
    [() => fingerprint('a', { mix: false, bits: 128 }), /mix must be true if bits is 128, got false/],
    [() => fingerprint('a', { scheme: 'v9:64' }), /scheme must be an id that starts with v1, got 'v9:64'/],
    [
      () => fingerprint('a', { scheme: 'v1:64:tf:raw' }),
      /scheme must be an id with its parts in order .*, got 'v1:64:tf:raw'/,
    ],
    [() => fingerprint('a', { scheme: 'v1:64', bits: 32 }), /scheme must be 'v1' together with bits, got "v1:64"/],
    [() => fingerprintAll('abc'), /texts must be an iterable of texts, got "abc"/],
    [() => fingerprintAll(['a', null]), /texts\[1\] must be .* got null/],
    [() => new Fingerprinter().stream().update(1), /chunk must be .* got 1/],
  ];
  await checkRefusals(cases);
  assert.equal(distance(fingerprint('a'), fingerprint('a')), 0, 'and all still works');
});
