// The documents of a file do not depend on the chunks that it comes in. The oracles are the documents that files are made of.
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import { random } from './random.mjs';
import { temporary } from './temporary.mjs';

const { chunks: chunksOf, plain, silentIo } = await importSource('js/cli/chunks.ts');
const { readChunks } = await importSource('js/cli/read-input.ts');

const below = random(Number(process.env.SEED ?? 1));

/** Returns the batches of the chunks of a file, which may be compressed. */
async function* batchesOf(chunks, input, settings, io) {
  const source = (async function* () {
    yield* chunks;
  })();
  yield* readChunks(plain(source, io), { path: '-', name: 'stdin', ...input }, settings, io);
}

/** Returns the documents of the chunks of a file, with their places; or the message of an error. */
async function read(chunks, { format, textField = 'text', ...dialect } = {}) {
  const messages = [];
  const reject = (place, message) => messages.push(`${place}: ${message}`);
  const io = { ...silentIo(), reject };
  const documents = [];
  try {
    const settings = { textField, idField: 'id', html: false, key: undefined };
    for await (const batch of batchesOf(chunks, { format, ...dialect }, settings, io)) {
      for (const { number, read } of batch.entries) {
        try {
          documents.push([batch.placeOf(number), read().id, read().text]);
        } catch (error) {
          messages.push(`${batch.placeOf(number)}: ${error.message}`);
        }
      }
    }
  } catch (error) {
    messages.push(error.message);
  }
  return { documents, messages };
}

/** Cuts bytes into pieces of at most `max` bytes. */
function cut(bytes, max) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += pieces.at(-1).length) pieces.push(bytes.subarray(at, at + 1 + below(max)));
  return pieces;
}

/** Returns the pieces of bytes, and bytes in pieces around a position. */
const cutAt = (bytes, at) =>
  [bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at + 1)].filter(({ length }) => length > 0);

const objects = Array.from({ length: 30 }, (_, id) => ({
  id: `n${id}`,
  text: ['a, "b"', '漢字 🎉', 'x\ny', 'é;\t|'][id % 4] + id,
}));
const lines = objects.map((object) => `${JSON.stringify(object)}\n`).join('');
const field = (text, delimiter) =>
  /["\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
const table = (delimiter, end) =>
  [{ id: 'id', text: 'text' }, ...objects]
    .map(({ id, text }) => id + delimiter + field(text, delimiter) + end)
    .join('');
/** A line with `{` as its last byte of 64 KiB. */
const long = (length) => `${JSON.stringify({ id: 'n', text: 'x'.repeat(length), b: { c: 1 } })}\n`;
const wide = long((1 << 16) - long(0).indexOf('{', 1) - 1);
assert.equal(wide.indexOf('{', 1), (1 << 16) - 1);

const places = objects.map(({ id, text }, at) => [`stdin:${at + 1}`, id, text]);
const elements = objects.map(({ id, text }, at) => [`stdin[${at}]`, id, text]);

/** The documents of a table. */
function rowsOf() {
  let line = 2;
  return objects.map(({ id, text }) => {
    const place = `stdin:${line}`;
    line += text.split('\n').length;
    return [place, id, text];
  });
}

/** Rows in which quotation marks are characters. */
const plainRows = ['id\ttext', 'a\t"a quotation', 'b\t"a" and "b""'];

/** The sentence in one line of JSON, and its text. */
const jsonOf = (text) => Buffer.from(`{"text":"${text}"}\n`, 'latin1');
/** "Да" in windows-1251, and "日本" in Shift_JIS, as Unicode's tables have them. */
const cyrillic = jsonOf('\xc4\xe0');
const japanese = jsonOf('\x93\xfa\x96\x7b');
const wrong = jsonOf('\x93\xfa\x96');
const swapped = (text) => Buffer.from(text, 'utf16le').swap16();

for (const [name, content, documents, message = /^$/, options = {}] of [
  ['JSON Lines', lines, places],
  ['JSON Lines with a mark', `\ufeff${lines}`, places],
  ['JSON Lines after blank lines', `\n \r\n${lines}`, places.map(([, ...rest], at) => [`stdin:${at + 3}`, ...rest])],
  ['JSON Lines after another line', `[1]\n${lines}`, undefined, /must be an object or a string, got an array/],
  ['one line without its end', lines.split('\n')[0], places.slice(0, 1)],
  ['a line whose 65,536th byte is {', wide + lines, undefined],
  ['an array', JSON.stringify(objects), elements],
  ['an array of many lines', `\ufeff\r\n${JSON.stringify(objects, null, 2)}`, elements],
  ['an empty array', ' [\n ] ', []],
  ['nothing', ' \n', []],
  ['an object of several lines', JSON.stringify(objects[0], null, 2), [], /an object takes several lines/],
  ['an object of dense lines', '{"id": 1,\n"text": "a"}\n', [], /an object takes several lines/],
  ['CSV', table(',', '\n'), rowsOf(), /^$/, { format: 'csv' }],
  ['CSV with a mark', `\ufeff${table(';', '\r\n')}`, rowsOf(), /^$/, { format: 'csv' }],
  ['TSV with quotes', table('\t', '\n'), rowsOf(), /^$/, { format: 'tsv', quote: '"' }],
  [
    'TSV',
    plainRows.join('\n'),
    plainRows.slice(1).map((row, at) => [`stdin:${at + 2}`, ...row.split('\t')]),
    /^$/,
    { format: 'tsv' },
  ],
  [
    'lines of text',
    plainRows.join('\r\n \n'),
    plainRows.map((row, at) => [`stdin:${2 * at + 1}`, null, `${row}${at < 2 ? '\r' : ''}`]),
    /^$/,
    { format: 'lines' },
  ],
  ['CSV without its format', table(',', '\n'), [], /if it is CSV, --format csv reads it/],
  ['TSV without its format', table('\t', '\n'), [], /if it is TSV, --format tsv reads it/],
  ['text', `\ufeff${lines}`, [['stdin', 'stdin', lines]], /^$/, { format: 'text' }],
  ['prose', 'It was a dark night.\nAnd so on.\n', [], /--format text reads each file/],
  ['HTML', '<!doctype html>\n<p>x\n', [], /--format html reads each file/],
  ['UTF-16', Buffer.from(`\ufeff${lines}`, 'utf16le'), places],
  ['UTF-16BE', swapped(`\ufeff${lines}`), places],
  [
    'UTF-16LE',
    Buffer.from(lines, 'utf16le'),
    [],
    /in UTF-16LE without a byte-order mark; --encoding utf-16le reads it/,
  ],
  ['UTF-16LE as stated', Buffer.from(lines, 'utf16le'), places, /^$/, { encoding: 'utf-16le' }],
  ['UTF-16 that has U+FFFD', Buffer.from('\ufeff{"text":"\ufffd"}', 'utf16le'), [['stdin:1', null, '\ufffd']]],
  ['UTF-16BE that has U+FFFD', swapped('\ufeff{"text":"\ufffd"}'), [['stdin:1', null, '\ufffd']]],
  [
    'UTF-16BE with half a pair and half a unit',
    swapped('\ufeff{"text":"\ud83d"}\n{"text":"a"}\nx').subarray(0, -1),
    [['stdin:2', null, 'a']],
    /^stdin:1: the bytes are not valid UTF-16be; --encoding.*\nstdin:3: the bytes are not valid UTF-16be/,
  ],
  [
    'UTF-16 with half a pair',
    Buffer.from('\ufeff{"text":"\ud83d"}\n{"text":"a"}', 'utf16le'),
    [['stdin:2', null, 'a']],
    /^stdin:1: the bytes are not valid UTF-16le; --encoding/,
  ],
  [
    'UTF-16 with half a unit',
    Buffer.from('\ufeff{"text":"a"}x', 'utf16le').subarray(0, -1),
    [],
    /^stdin:1: the bytes are not valid UTF-16le/,
  ],
  ['windows-1251', cyrillic, [['stdin:1', null, 'Да']], /^$/, { encoding: 'windows-1251' }],
  ['windows-1251 as UTF-8', cyrillic, [], /^stdin:1: the bytes are not valid UTF-8; --encoding names another encoding/],
  ['Shift_JIS', japanese, [['stdin:1', null, '日本']], /^$/, { encoding: 'shift_jis' }],
  [
    'Shift_JIS with half a character',
    Buffer.concat([japanese, wrong, japanese]),
    [
      ['stdin:1', null, '日本'],
      ['stdin:3', null, '日本'],
    ],
    /^stdin:2: the bytes are not valid shift_jis; --encoding/,
    { encoding: 'shift_jis' },
  ],
  [
    'a page that names its encoding',
    Buffer.from('<meta charset=windows-1251>\xc4\xe0', 'latin1'),
    [['stdin', 'stdin', '<meta charset=windows-1251>Да']],
    /^$/,
    { format: 'html' },
  ],
  ['a database', 'SQLite format 3\0', [], /an SQLite database/],
]) {
  test(`${name}: the same documents for all chunks`, async () => {
    const bytes = Buffer.from(content);
    const whole = await read([bytes], options);
    if (documents !== undefined) assert.deepEqual(whole.documents, documents);
    assert.match(whole.messages.join('\n'), message);
    const cuts = [1, 2, 3, 4, 10, 65_535, 65_536].filter((at) => at < bytes.length).map((at) => cutAt(bytes, at));
    // One byte at a time is slow, since the start is examined each time.
    const sizes = bytes.length > 10_000 ? [1000, 50_000] : [1, 2, 10, 100, 1000];
    cuts.push(...sizes.flatMap((max) => [cut(bytes, max), cut(bytes, max)]));
    cuts.push(cut(gzipSync(bytes), 10));
    for (const chunks of cuts) assert.deepEqual(await read(chunks, options), whole);
  });
}

/** An object before one of 257 MiB, and one after it. */
function* longDocument(start, separator, end) {
  const [first, last] = objects.map((object) => JSON.stringify(object));
  yield Buffer.from(`${start}${first}${separator}{"text":"`);
  const part = Buffer.alloc(1 << 20, 'x ');
  for (let times = 0; times < 257; times++) yield part;
  yield Buffer.from(`"}${separator}${last}${end}`);
}

exhaustive('a document that is too long is rejected at its place, and the next one is read', async () => {
  for (const [format, chunks, places] of [
    ['jsonl', longDocument('', '\n', '\n'), ['stdin:1', 'stdin:2', 'stdin:3']],
    ['json', longDocument('[', ',', ']'), ['stdin[0]', 'stdin[1]', 'stdin[2]']],
  ]) {
    const { documents, messages } = await read(chunks, { format });
    assert.deepEqual(messages, [`${places[1]}: a line of more than 256 MiB`]);
    assert.deepEqual(
      documents.map(([place]) => place),
      [places[0], places[2]],
    );
  }
});

test('a line is read before the next one arrives', async () => {
  const [first] = lines.split('\n', 1);
  const never = new Promise(() => {});
  const source = (async function* () {
    for (const piece of cut(Buffer.from(`${first}\n`), 5)) yield piece;
    await never;
  })();
  const settings = { textField: 'text', idField: 'id', html: false, key: undefined };
  const noticed = {};
  const io = { signal: new AbortController().signal, onRead() {}, reject() {}, noticed };
  const batches = batchesOf(source, {}, settings, io);
  const { value } = await batches.next();
  assert.equal(value.bytes.toString(), `${first}\n`);
});

test('a file that is cut while it is read has no end', async () => {
  const path = join(temporary(), 'cut.csv');
  const size = 1 << 20;
  for (const isCut of [false, true]) {
    writeFileSync(path, Buffer.alloc(size, 'a,b\n'));
    let length = 0;
    const read = async () => {
      for await (const chunk of chunksOf(path, silentIo())) {
        if (length === 0 && isCut) truncateSync(path, size - 2);
        length += chunk.length;
      }
    };
    if (isCut) await assert.rejects(read, { message: 'the file has become shorter while it was read' });
    else await read();
    assert.equal(length, isCut ? size - 2 : size);
  }
});

test('damaged gzip is read up to the fault, from a file to the byte', async () => {
  const lines = Array.from({ length: 8_000 }, (_, at) => `${at} ${below(2 ** 32)} ${below(2 ** 32)}\n`).join('');
  const packed = gzipSync(lines);
  const folder = temporary();
  /** Changes bytes from a position on; none cuts the rest. */
  const cases = [
    [3, [0xff], 'unknown header flags set'],
    [packed.length - 1, [], 'unexpected end of file'],
    [packed.length >> 1, [], 'unexpected end of file'],
    [packed.length >> 1, Array(20).fill(0xff)],
    [packed.length - 8, [0, 0], 'incorrect data check'],
    [packed.length, [1, 2, 3, 4], 'incorrect header check'],
  ];
  for (const [at, bytes, reason] of cases) {
    const rest = bytes.length === 0 ? [] : [packed.subarray(at + bytes.length)];
    const damaged = Buffer.concat([packed.subarray(0, at), Buffer.from(bytes), ...rest]);
    // The first member is whole. Its end is in the middle of a piece.
    for (const first of [Buffer.alloc(0), packed]) {
      const path = join(folder, 'damaged.gz');
      writeFileSync(path, Buffer.concat([first, damaged]));
      const sound = gunzipSync(damaged.subarray(0, at), { finishFlush: constants.Z_SYNC_FLUSH });
      const least = (first.length > 0 ? lines.length : 0) + sound.length;
      const again = () => chunksOf(path, silentIo());
      const read = { file: [], pipe: [] };
      const readAll = async (source, parts) => {
        for await (const chunk of source) parts.push(Buffer.from(chunk));
      };
      const message = new RegExp(`^the gzip file is damaged \\(${reason ?? '.*'}\\): it is not read to its end`);
      await assert.rejects(readAll(again(), read.file), { message });
      async function* pipe() {
        for (let at = 0; at < first.length + damaged.length; at += 1000) {
          yield Buffer.concat([first, damaged]).subarray(at, at + 1000);
        }
      }
      await assert.rejects(readAll(plain(pipe(), silentIo()), read.pipe), { message });
      const [file, piped] = [read.file, read.pipe].map((parts) => Buffer.concat(parts).toString());
      const whole = lines + lines;
      assert.equal(file.slice(0, least), whole.slice(0, least), `${at} of ${packed.length}: ${bytes}`);
      assert.ok(file.startsWith(piped) && (reason !== 'unexpected end of file' || piped === file));
    }
  }
});
