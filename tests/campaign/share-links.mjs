// Links of the page that a stranger wrote, with the function that opens them: refused or opened as their bounds say, in
// bounded time. Most inflate to much more than the link.
import assert from 'node:assert/strict';
import { deflateSync, inflateSync } from 'node:zlib';
import { importSource } from '../source.mjs';
import { randomFrom } from './common.mjs';

/** The bounds of a link: its characters, the bytes of its JSON, and the lines of a text. */
const MAX_LENGTH = 8 * 1024;
const MAX_JSON = 256 * 1024;
const MAX_LINES = 5000;

/** The bytes that may be inflated before the size is found to be too large: the stream reads ahead. */
const MAX_INFLATED = 2 * MAX_JSON;

/** The bound of the processor time of a link. The least of several tries counts. */
const MAX_MILLISECONDS = 100;
const TRIES = 3;

const scheme = { bits: 64, features: 'grams', hash: 'fnv1', mix: true, weights: 'log', normalize: 'nfkc-casefold' };
const content = { view: 'compare', scheme, threshold: 0.67, a: 'one text', b: 'another text' };

const fingerprints = { a: '00000000000000ff', b: '000000000000000f' };

const packed = (json, options = { level: 9 }) => `#s1.${deflateSync(json, options).toString('base64url')}`;
const link = (change) => packed(JSON.stringify({ ...content, ...change }));
/** A link whose field has a value in JSON. */
const linkOf = (name, value) => packed(JSON.stringify({ ...content, [name]: '@' }).replace('"@"', value));

/** Returns random bytes. */
const bytes = (random, size) => Buffer.from(Array.from({ length: size }, () => Math.floor(256 * random())));

/** Families of links: functions of a size in bytes before compression, and of random numbers. */
const families = {
  'one letter': (size) => link({ a: 'a'.repeat(size) }),
  words: (size) => link({ b: 'a '.repeat(size / 2) }),
  'empty lines': (size) => link({ a: '\n'.repeat(size / 2) }),
  lines: (size) => link({ view: 'duplicates', lines: 'one line\n'.repeat(size / 10) }),
  'lines near the bound': (size) => link({ a: 'a\n'.repeat(MAX_LINES - 2 + (size % 4)) }),
  'a size near the bound': (size) =>
    packed(JSON.stringify({ ...content, a: 'a' }).padEnd(MAX_JSON - 1 + (size % 3), ' ')),
  'escaped lines': (size) => linkOf('b', `"${'\\u000a'.repeat(size / 6)}"`),
  'lone surrogates': (size) => linkOf('a', `"${'\\ud800'.repeat(size / 6)}"`),
  'random text': (size, random) => link({ a: bytes(random, Math.min(size, 65_536)).toString('base64') }),
  'another field': (size) => link({ unknown: 'a'.repeat(size) }),
  'nested arrays': (size) => linkOf('unknown', '['.repeat(size / 2) + ']'.repeat(size / 2)),
  'nested arrays without an end': (size) => linkOf('scheme', '['.repeat(size)),
  'nested objects': (size) => linkOf('unknown', `${'{"a":'.repeat(size / 6)}0${'}'.repeat(size / 6)}`),
  'a list of numbers': (size) => linkOf('unknown', `[${'0,'.repeat(size / 2)}0]`),
  'members of one name': (size) => linkOf('unknown', `{${'"a":0,'.repeat(size / 6)}"a":0}`),
  'members of many names': (size) =>
    linkOf('unknown', `{${Array.from({ length: size / 12 }, (_, at) => `"k${at}":0,`).join('')}"a":0}`),
  'a long number': (size) => linkOf('threshold', `0.${'6'.repeat(size)}`),
  'long fingerprints': (size) => link({ summaries: { fingerprints: { a: '0'.repeat(size), b: '0'.repeat(size) } } }),
  'long sketches': (size) =>
    link({ summaries: { fingerprints, sketches: { a: '05'.repeat(size / 2), b: '05'.repeat(size / 2) } } }),
  spaces: (size) => packed(`${JSON.stringify(content)}${' '.repeat(size)}`),
  'no JSON': (size) => packed(Buffer.alloc(size)),
  'stored blocks': (size) => packed(JSON.stringify({ ...content, a: 'a'.repeat(size) }), { level: 0 }),
  'two streams': (size) => {
    const one = deflateSync(JSON.stringify({ ...content, a: 'a'.repeat(size) }), { level: 9 });
    return `#s1.${Buffer.concat([one, one]).toString('base64url')}`;
  },
  'random bytes': (size, random) => `#s1.${bytes(random, Math.min(size, 65_536)).toString('base64url')}`,
  'no base64': (size) => `#s1.${'%'.repeat(size)}`,
  'a long number of the format': (size) => `#s${'1'.repeat(size)}.`,
  dots: (size) => `#s1${'.'.repeat(size)}`,
  damaged(size, random) {
    const characters = Array.from(link({ a: 'one line\n'.repeat(Math.min(size, 50_000) / 10) }));
    for (let changes = 1 + Math.floor(3 * random()); changes > 0; changes--) {
      const at = 4 + Math.floor((characters.length - 4) * random());
      if (random() < 0.5) characters.splice(at, Math.floor(9 * random()));
      else characters[at] = 'AZaz09-_'[Math.floor(8 * random())];
    }
    return characters.join('');
  },
};

/** Returns the texts of a link that must be opened, and null for a link that must be refused. */
function expectedTexts(hash) {
  const [, base64] = /^#s1\.([\w-]*)$/.exec(hash) ?? [];
  if (base64 === undefined || base64.length > MAX_LENGTH) return null;
  try {
    const compressed = Buffer.from(base64, 'base64url');
    const json = inflateSync(compressed, { maxOutputLength: MAX_JSON }).toString();
    const { view, threshold, summaries, ...rest } = JSON.parse(json);
    assert.deepEqual(rest.scheme, scheme);
    assert.equal(summaries, undefined);
    assert.ok(threshold >= 0.3 && threshold <= 1);
    const texts = [rest.a, rest.b, rest.lines ?? ''];
    for (const text of texts) assert.ok(text.split('\n').length <= MAX_LINES);
    return view === 'duplicates' ? texts.slice(2) : texts.slice(0, 2);
  } catch {
    return null;
  }
}

let inflated = 0;

/** Counts the bytes that streams inflate. */
function countInflated() {
  const Stream = globalThis.DecompressionStream;
  globalThis.DecompressionStream = class {
    constructor(format) {
      const { readable, writable } = new Stream(format);
      const count = (chunk, controller) => {
        inflated += chunk.length;
        controller.enqueue(chunk);
      };
      this.writable = writable;
      this.readable = readable.pipeThrough(new TransformStream({ transform: count }));
    }
  };
  return () => {
    globalThis.DecompressionStream = Stream;
  };
}

/** Returns the number of failures. */
export async function shareLinks(count) {
  const { fromHash } = await importSource('www/shared/share-link.ts');
  const random = randomFrom(6);
  const restore = countInflated();
  const names = Object.keys(families);
  let [failures, opened, longest] = [0, 0, 0];
  for (let trial = 0; trial < count; trial++) {
    const name = names[trial % names.length];
    const size = Math.floor(2 ** (8 + 14 * random()));
    const hash = families[name](size, random);
    let [result, time] = [null, Number.POSITIVE_INFINITY];
    for (let tries = 0; tries < TRIES && time > MAX_MILLISECONDS; tries++) {
      inflated = 0;
      const start = process.cpuUsage();
      result = await fromHash(hash);
      const { user, system } = process.cpuUsage(start);
      time = Math.min(time, (user + system) / 1000);
    }
    longest = Math.max(longest, time);
    try {
      const { change } = result;
      const texts = expectedTexts(hash);
      if (change !== undefined) opened++;
      const found = change && (change.view === 'duplicates' ? [change.lines] : [change.a, change.b]);
      // Bytes after the end of a stream: browsers refuse them, and Node 20 ignores them.
      if (found !== undefined || name !== 'two streams') assert.deepEqual(found ?? null, texts);
      assert.ok(inflated <= MAX_INFLATED, `${inflated} bytes are inflated`);
      assert.ok(time <= MAX_MILLISECONDS, `${time} ms`);
    } catch (error) {
      if (failures++ < 5) console.log(`  ${name} of ${size} bytes: ${error.message.slice(0, 400)}`);
    }
  }
  restore();
  console.log(
    `share links: ${count} trials, ${failures} failures, ${opened} of them opened, at most ${longest.toFixed(0)} ms`,
  );
  return failures;
}
