import { type Bits, type Sketch, toHex, toSigned } from '../index.js';
import { escapeName, jsonLine } from '../node/errors.js';
import { chunks } from './chunks.js';
import { decoded, strictDecoder } from './encoding.js';
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

/**
 * Returns the numbers of a sketch as members of a JSON object, for SQL. `odd` has the toggled bits without counts and level;
 * `exact` the values of a sketch that has them instead, with zeros in place of the bits that it lacks of 20.
 */
function numbersOf(sketch: Sketch, format: (number: bigint, bits: Bits) => string): string {
  const { buffer, byteOffset, byteLength, 0: idLength } = sketch.toBytes();
  const view = new DataView(buffer, byteOffset + idLength + 2, byteLength - idLength - 2);
  const numberAt = (at: number) => view.getBigUint64(8 * at, true);
  const print = (numbers: Iterable<bigint>) => Array.from(numbers, (number) => format(number, 64)).join(',');
  const head = `"fingerprint":${print([numberAt(0)])},"words":${print([numberAt(1)])},"keys":[${print(sketch.keys)}]`;
  if (sketch.isShort) return `${head},"level":0,"counts":[],"odd":[],"exact":[]`;
  // src/simhash/odd_sketch.rs states the layout.
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

export async function hash(values: Values, io: Io): Promise<void> {
  const fingerprinter = fingerprinterOf(values);
  const { bits, id: scheme } = fingerprinter;
  const format = formats[oneOf('hex', 'decimal', 'signed')(values.format ?? 'hex', '--format')];
  if (values.sketch && format !== toHex && !values.jsonl)
    throw new UsageError(`--format ${values.format} must be combined with --jsonl if --sketch is given`);
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
    let position = 0;
    for await (const batch of readBatches(recordInputs(files, values), { scheme, ...reading }, io)) {
      const rows = Array.from(batch.documents(), ({ name: id, sketch }) => {
        if (!values.sketch)
          return jsonLine({ id, fingerprint: format(BigInt.asUintN(bits, sketch.fingerprint), bits) });
        if (format === toHex) return jsonLine({ id, sketch: hexOf(sketch) });
        // JSON.stringify writes no bigint, and SQL reads no 64-bit number from a string.
        return jsonLine({ position: position++, id }).replace(/}\n$/, `,${numbersOf(sketch, format)}}\n`);
      });
      await Output.stdout.write(rows.join(''));
    }
  }
}
