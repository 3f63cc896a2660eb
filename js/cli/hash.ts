import type { Bits } from '../common/types.js';
import type { Id, Sketch } from '../index.js';
import { escapeName, jsonLine, jsonOf } from '../node/errors.js';
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
import { numbersOf } from './sketch-numbers.js';
import { isPage, printForEach, wholeText } from './whole-text.js';

const numberFormats = {
  hex: toHex,
  decimal: (fingerprint: bigint) => String(fingerprint),
  signed: (fingerprint: bigint, bits: Bits) => String(toSigned(fingerprint, bits)),
};

/** Prints a row with the numbers of a sketch. JSON.stringify writes no bigint, and SQL reads no 64-bit number from a string. */
function numbersLine(position: number, id: Id, sketch: Sketch, print: (number: bigint) => string): string {
  const { first, second, keys, level, counts, odd, exact } = numbersOf(sketch);
  const list = (numbers: Iterable<bigint>) => `[${Array.from(numbers, print)}]`;
  const members = {
    position,
    id: jsonOf(id),
    first: print(first),
    second: print(second),
    keys: list(keys),
    level,
    counts: `[${counts}]`,
    odd: list(odd),
    exact: `[${exact}]`,
  };
  return `{${Object.entries(members).map(([name, value]) => `"${name}":${value}`)}}\n`;
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
      return numbersLine(position++, id, sketch, (number) => numberFormats[format](number, 64));
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
