import type { Bits } from '../common/types.js';
import { formatOfName } from '../formats/names.js';
import type { Id, Sketch } from '../index.js';
import { escapeName, jsonLine, jsonOf } from '../node/errors.js';
import { toHex, toSigned } from '../simhash/encoding.js';
import { nameOf } from './chunks.js';
import { recordInputs } from './find-inputs.js';
import type { Io } from './io.js';
import { oneOf } from './option-checks.js';
import { UsageError, type Values } from './options.js';
import { Output } from './output.js';
import { bytesOf } from './path.js';
import { readBatches, readRecords } from './reader.js';
import { fingerprinterOf, readingOf, sketcherOf } from './reading.js';
import { numbersOf } from './sketch-numbers.js';
import { wholeText } from './whole-text.js';

const numberFormats = {
  hex: toHex,
  decimal: (fingerprint: bigint) => String(fingerprint),
  signed: (fingerprint: bigint, bits: Bits) => String(toSigned(fingerprint, bits)),
};

/** Returns what `sketch.toHex()` returns, and is faster. */
const sketchHex = (sketch: Sketch): string => Buffer.from(sketch.toBytes()).toString('hex');

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

/** Prints a line for each file, which is read as one text: what `hashOf` returns, and the name. A file that cannot be read is reported. */
async function printForFiles(
  files: readonly string[],
  values: Values,
  io: Io,
  hashOf: (text: string) => string,
): Promise<void> {
  const records = files.find((path) => ['jsonl', 'csv', 'tsv'].includes(formatOfName(path) ?? ''));
  if (records !== undefined) io.note(`${records} is read as one text; with --jsonl, each line or row is a document`);
  const inputs = files.map((path) => ({ path, name: nameOf(path) }));
  const lines = io.eachFile(inputs, async function* ({ path }) {
    yield `${hashOf(await wholeText(path, values, io))}  ${escapeName(path)}\n`;
  });
  for await (const line of lines) if (!io.signal.aborted) await Output.stdout.write(bytesOf(line));
}

type NumberFormat = keyof typeof numberFormats;

async function printSketches(files: readonly string[], format: NumberFormat, values: Values, io: Io): Promise<void> {
  if (values.bits !== undefined) throw new UsageError('--bits cannot be combined with --sketch');
  const sketcher = sketcherOf(values);
  if (!values.jsonl) {
    if (format !== 'hex') throw new UsageError(`--format ${format} must be combined with --jsonl if --sketch is given`);
    return printForFiles(files, values, io, (text) => sketcher.sketch(text).toHex());
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
    return printForFiles(files, values, io, (text) => print(fingerprinter.fingerprint(text)));
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
