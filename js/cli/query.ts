// The command query.
import type { Sketch } from '../index.js';
import { htmlReader } from '../node/html.js';
import { UsageError, type Values } from './args.js';
import { contents } from './chunks.js';
import { openIndex } from './index-file.js';
import { printForEach, recordInputs } from './inputs.js';
import type { Io } from './io.js';
import { fingerprinterWith, readingOf } from './options.js';
import { Output } from './output.js';
import { readBatches } from './reader.js';

export async function query(values: Values, io: Io): Promise<void> {
  const [path, ...others] = values.files;
  if (path === undefined) throw new UsageError('query needs an index file');
  const { 'min-resemblance': minResemblance, limit = 1 } = values;
  const reading = readingOf(values);
  const files = others.length > 0 ? others : ['-'];
  const index = openIndex(path);
  const { scheme } = index;
  const fingerprinter = fingerprinterWith({ scheme, key: reading.key });
  const rowOf = (id: string | number, sketch: Sketch) => {
    const near = index
      .query(sketch, { minResemblance, limit })
      .map((hit) => ({ ...hit, resemblance: Number(hit.resemblance.toFixed(4)) }));
    return `${JSON.stringify({ id, near })}\n`;
  };
  if (values.jsonl) {
    for await (const { documents } of readBatches(recordInputs(files), { scheme, ...reading }, io)) {
      await Output.stdout.write(documents.map(({ name, sketch }) => rowOf(name, sketch)).join(''));
    }
    return;
  }
  const mainText = reading.html ? await htmlReader() : null;
  await printForEach(files, io, async (path) => {
    const bytes = await contents(path, io);
    return rowOf(path, fingerprinter.sketch(mainText === null ? bytes : mainText(bytes.toString())));
  });
}
