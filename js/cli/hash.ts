// The command hash.
import { type Bits, toHex, toSigned } from '../index.js';
import { chunks } from './chunks.js';
import { decoded, strictDecoder } from './encoding.js';
import { escapeName, jsonLine } from './errors.js';
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
      if (isPage(path, values.html)) stream.update(await wholeText(path, values, io));
      else {
        const { content, encoding } = await decoded(chunks(path, io), { stated: values.encoding, isPage: false });
        const next = strictDecoder('utf-8', encoding);
        for await (const chunk of content) stream.update(next(chunk));
        stream.update(next());
      }
      const hashed = values.sketch ? stream.sketch().toHex() : format(stream.digest(), bits);
      return `${hashed}  ${escapeName(path)}\n`;
    });
  } else if (bits === 128 && !values.sketch) {
    // A sketch has 64 bits.
    for await (const { name: id, text } of readRecords(recordInputs(files, values), reading, io)) {
      const fingerprint = format(fingerprinter.fingerprint(text), bits);
      await Output.stdout.write(jsonLine({ id, fingerprint }));
    }
  } else {
    for await (const { documents } of readBatches(recordInputs(files, values), { scheme, ...reading }, io)) {
      const rows = documents.map(({ name: id, sketch }) =>
        values.sketch
          ? { id, sketch: hexOf(sketch) }
          : { id, fingerprint: format(BigInt.asUintN(bits, sketch.fingerprint), bits) },
      );
      await Output.stdout.write(rows.map(jsonLine).join(''));
    }
  }
}
