// The command hash.
import { type Bits, Fingerprinter, type Sketch, toHex, toSigned } from '../index.js';
import { textReader } from '../node/html.js';
import { checked, oneOf, type Values } from './args.js';
import { contents, textChunks } from './chunks.js';
import { escapeName } from './errors.js';
import { printForEach, recordInputs } from './inputs.js';
import type { Io } from './io.js';
import { fingerprinterOf, readingOf } from './options.js';
import { Output } from './output.js';
import { readBatches, readRecords } from './reader.js';

const formats = {
  hex: toHex,
  decimal: (fingerprint: bigint) => String(fingerprint),
  signed: (fingerprint: bigint, bits: Bits) => String(toSigned(fingerprint, bits)),
};

/** Returns what `sketch.toHex()` returns, and is faster. */
const hexOf = (sketch: Sketch): string => Buffer.from(sketch.toBytes()).toString('hex');

/** Prints a line of JSON for each document: its sketch, or its fingerprint as `show` writes it. */
async function hashRecords(
  files: readonly string[],
  { bits, id: scheme }: Fingerprinter,
  values: Values,
  show: (fingerprint: bigint) => string,
  io: Io,
): Promise<void> {
  const [inputs, reading] = [recordInputs(files), readingOf(values)];
  const write = (rows: readonly object[]) =>
    Output.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  if (bits === 128 && !values.sketch) {
    // A sketch has 64 bits.
    const fingerprinter = new Fingerprinter({ scheme, key: reading.key });
    for await (const { name, text } of readRecords(inputs, reading, io)) {
      await write([{ id: name, fingerprint: show(fingerprinter.fingerprint(text)) }]);
    }
    return;
  }
  for await (const { documents } of readBatches(inputs, { scheme, ...reading }, io)) {
    const rows = documents.map(({ name, sketch }) =>
      values.sketch
        ? { id: name, sketch: hexOf(sketch) }
        : { id: name, fingerprint: show(BigInt.asUintN(bits, sketch.fingerprint)) },
    );
    await write(rows);
  }
}

export async function hash(values: Values, io: Io): Promise<void> {
  const fingerprinter = fingerprinterOf(values);
  const format = formats[checked(oneOf('hex', 'decimal', 'signed'), values.format ?? 'hex', '--format')];
  const show = (fingerprint: bigint) => format(fingerprint, fingerprinter.bits);
  const files = values.files.length > 0 ? values.files : ['-'];
  if (values.jsonl) return hashRecords(files, fingerprinter, values, show, io);
  const isHtml = values.html ?? false;
  const readText = await textReader(isHtml);
  await printForEach(files, io, async (path) => {
    const stream = fingerprinter.stream();
    if (isHtml) stream.update(readText((await contents(path, io)).toString()));
    else for await (const chunk of textChunks(path, io)) stream.update(chunk);
    const hashed = values.sketch ? stream.sketch().toHex() : show(stream.digest());
    return `${hashed}  ${escapeName(path)}\n`;
  });
}
