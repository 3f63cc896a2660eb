import type { Id, Sketch } from '../index.js';
import { jsonLine } from '../node/errors.js';
import { openIndex } from './index-file.js';
import { printForEach, recordInputs, wholeText } from './inputs.js';
import type { Io } from './io.js';
import { fingerprinterWith, readingOf, UsageError, type Values } from './options.js';
import { Output, rounded } from './output.js';
import { readBatches } from './reader.js';

export async function query(values: Values, io: Io): Promise<void> {
  const { files, 'min-resemblance': minResemblance, limit = 1 } = values;
  const [path, ...others] = files;
  if (path === undefined) throw new UsageError('query needs an index file');
  const reading = readingOf(values);
  if (reading.scopeField !== undefined && !values.jsonl)
    throw new UsageError('--scope-field must be combined with --jsonl');
  const texts = others.length > 0 ? others : ['-'];
  const index = openIndex(path);
  const { scheme } = index;
  const fingerprinter = fingerprinterWith({ scheme, key: reading.key });
  const rowOf = (id: Id, sketch: Sketch) => {
    const hits = index.query(sketch, { minResemblance, limit });
    const near = hits.map((hit) => ({ ...hit, resemblance: rounded(hit.resemblance) }));
    return jsonLine({ id, near });
  };
  if (values.jsonl) {
    for await (const { documents } of readBatches(recordInputs(texts, values), { scheme, ...reading }, io)) {
      await Output.stdout.write(documents.map(({ name, sketch }) => rowOf(name, sketch)).join(''));
    }
    return;
  }
  await printForEach(texts, io, async (path) => rowOf(path, fingerprinter.sketch(await wholeText(path, values, io))));
}
