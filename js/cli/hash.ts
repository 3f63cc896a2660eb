import type { Bits } from '../common/types.js';
import type { Sketch } from '../index.js';
import { escapeName, jsonLine } from '../node/errors.js';
import { toHex, toSigned } from '../simhash/encoding.js';
import { chunks } from './chunks.js';
import { decoded, strictDecoder } from './encoding.js';
import { recordInputs } from './find-inputs.js';
import type { Io } from './io.js';
import { oneOf } from './option-checks.js';
import { UsageError, type Values } from './options.js';
import { Output, sketchHex } from './output.js';
import { readBatches, readRecords } from './reader.js';
import { fingerprinterOf, readingOf, sketcherOf } from './reading.js';
import { isPage, printForEach, wholeText } from './whole-text.js';

const numberFormats = {
  hex: toHex,
  decimal: (fingerprint: bigint) => String(fingerprint),
  signed: (fingerprint: bigint, bits: Bits) => String(toSigned(fingerprint, bits)),
};

/**
 * Returns the numbers of a sketch as members of a JSON object, for SQL. `odd` has the toggled bits without counts and level;
 * `exact` the values of a sketch that has them instead, with zeros in place of the bits that it lacks of 20.
 */
function numbersOf(sketch: Sketch, format: (number: bigint, bits: Bits) => string): string {
  const { buffer, byteOffset, byteLength, 0: idLength } = sketch.toBytes();
  const view = new DataView(buffer, byteOffset + idLength + 2, byteLength - idLength - 2);
  const numberAt = (at: number) => view.getBigUint64(8 * at, true);
  const print = (numbers: Iterable<bigint>) => Array.from(numbers, (number) => format(number, 64)).join(',');
  const head = `"first":${print([numberAt(0)])},"second":${print([numberAt(1)])},"keys":[${print(sketch.keys)}]`;
  if (sketch.isShort) return `${head},"level":0,"counts":[],"odd":[],"exact":[]`;
  // src/sketch/odd_sketch.rs states the layout.
  const odd = Array.from({ length: 8 }, (_, at) => numberAt(2 + at));
  const level = odd[7] >> 57n;
  const counts = [odd[3], odd[7]].map((word) => Number((word >> 48n) & 0x1ffn));
  const size = counts[0] + counts[1];
  for (const at of [3, 7]) odd[at] = BigInt.asUintN(48, odd[at]);
  const exact: number[] = [];
  if (level === 0n && size <= 40) {
    const digits = odd.map((word, at) => word.toString(2).padStart(at % 4 === 3 ? 48 : 64, '0'));
    const bits = digits.reverse().join('');
    const width = Math.min(20, Math.floor(480 / size));
    odd.fill(0n);
    for (let end = 480; end > 480 - size * width; end -= width) {
      const value = Number.parseInt(bits.slice(end - width, end), 2) << (20 - width);
      const slot = (((value >> 8) & 0x7ff) * 240) >> 11;
      odd[(value >> 19) * 4 + (slot >> 6)] ^= 1n << BigInt(slot & 63);
      exact.push(value);
    }
  }
  return `${head},"level":${level},"counts":[${counts}],"odd":[${print(odd)}],"exact":[${exact}]`;
}

/** A text in chunks. */
interface TextStream {
  update(chunk: string): unknown;
}

/** Prints a line for each file: what `hashOf` returns of the stream that has read its text, and the name. */
function printForFiles<S extends TextStream>(
  files: readonly string[],
  values: Values,
  io: Io,
  streamOf: () => S,
  hashOf: (stream: S) => string,
): Promise<void> {
  return printForEach(files, io, async (path) => {
    const stream = streamOf();
    if (isPage(path, values.html) || values.ignore !== undefined) stream.update(await wholeText(path, values, io));
    else {
      const { content, encoding } = await decoded(chunks(path, io), { stated: values.encoding, isPage: false });
      const next = strictDecoder('utf-8', encoding);
      for await (const chunk of content) stream.update(next(chunk));
      stream.update(next());
    }
    return `${hashOf(stream)}  ${escapeName(path)}\n`;
  });
}

type NumberFormat = keyof typeof numberFormats;

async function printSketches(files: readonly string[], format: NumberFormat, values: Values, io: Io): Promise<void> {
  if (values.bits !== undefined) throw new UsageError('--bits cannot be combined with --sketch');
  const sketcher = sketcherOf(values);
  if (!values.jsonl) {
    if (format !== 'hex') throw new UsageError(`--format ${format} must be combined with --jsonl if --sketch is given`);
    const streamOf = () => sketcher.stream();
    return printForFiles(files, values, io, streamOf, (stream) => stream.sketch().toHex());
  }
  let position = 0;
  const settings = { scheme: sketcher.id, ...readingOf(values) };
  for await (const batch of readBatches(recordInputs(files, values), settings, io)) {
    const rows = Array.from(batch.documents(), ({ name: id, sketch }) => {
      if (format === 'hex') return jsonLine({ id, sketch: sketchHex(sketch) });
      // JSON.stringify writes no bigint, and SQL reads no 64-bit number from a string.
      const numbers = numbersOf(sketch, numberFormats[format]);
      return jsonLine({ position: position++, id }).replace(/}\n$/, `,${numbers}}\n`);
    });
    await Output.stdout.write(rows.join(''));
  }
}

async function printFingerprints(
  files: readonly string[],
  format: NumberFormat,
  values: Values,
  io: Io,
): Promise<void> {
  const reading = readingOf(values);
  if (reading.scopeField !== undefined)
    throw new UsageError('--scope-field must be combined with --jsonl and --sketch');
  const fingerprinter = fingerprinterOf(values);
  const print = (fingerprint: bigint) => numberFormats[format](fingerprint, fingerprinter.bits);
  if (!values.jsonl) {
    const streamOf = () => fingerprinter.stream();
    return printForFiles(files, values, io, streamOf, (stream) => print(stream.digest()));
  }
  for await (const { name: id, text } of readRecords(recordInputs(files, values), reading, io)) {
    await Output.stdout.write(jsonLine({ id, fingerprint: print(fingerprinter.fingerprint(text)) }));
  }
}

export async function hashCommand(values: Values, io: Io): Promise<void> {
  const format = oneOf('hex', 'decimal', 'signed')(values.format ?? 'hex', '--format');
  const files = values.files.length > 0 ? values.files : ['-'];
  if (values['scope-field'] !== undefined && !values.jsonl)
    throw new UsageError('--scope-field must be combined with --jsonl and --sketch');
  await (values.sketch ? printSketches : printFingerprints)(files, format, values, io);
}
