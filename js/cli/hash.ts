// The command hash.
import { type Bits, toHex, toSigned } from '../index.js';
import { textChunks } from './chunks.js';
import { escapeName } from './errors.js';
import { isPage, printForEach, recordInputs, wholeText } from './inputs.js';
import type { Io } from './io.js';
import { fingerprinterOf, oneOf, readingOf, UsageError, type Values } from './options.js';
import { hexOf, Output } from './output.js';
import { readBatches, readRecords } from './reader.js';

const formats = {
  hex: toHex,
  decimal: (fingerprint: bigint) => String(fingerprint),
  signed: (fingerprint: bigint, bits: Bits) => String(toSigned(fingerprint, bits)),
};

export async function hash(values: Values, io: Io): Promise<void> {
  const fingerprinter = fingerprinterOf(values);
  const { bits, id: scheme } = fingerprinter;
  const format = formats[oneOf('hex', 'decimal', 'signed')(values.format ?? 'hex', '--format')];
  const files = values.files.length > 0 ? values.files : ['-'];
  const reading = readingOf(values);
  if (reading.scopeField !== undefined && !(values.jsonl && values.sketch))
    throw new UsageError('--scope-field must be combined with --jsonl and --sketch');
  if (!values.jsonl) {
    await printForEach(files, io, async (path) => {
      const stream = fingerprinter.stream();
      if (isPage(path, reading.html)) stream.update(await wholeText(path, reading.html, io));
      else for await (const chunk of textChunks(path, io)) stream.update(chunk);
      const hashed = values.sketch ? stream.sketch().toHex() : format(stream.digest(), bits);
      return `${hashed}  ${escapeName(path)}\n`;
    });
  } else if (bits === 128 && !values.sketch) {
    // A sketch has 64 bits.
    for await (const { name: id, text } of readRecords(recordInputs(files), reading, io)) {
      const fingerprint = format(fingerprinter.fingerprint(text), bits);
      await Output.stdout.write(`${JSON.stringify({ id, fingerprint })}\n`);
    }
  } else {
    for await (const { documents } of readBatches(recordInputs(files), { scheme, ...reading }, io)) {
      const rows = documents.map(({ name: id, sketch }) =>
        values.sketch
          ? { id, sketch: hexOf(sketch) }
          : { id, fingerprint: format(BigInt.asUintN(bits, sketch.fingerprint), bits) },
      );
      await Output.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  }
}
