// Reads the documents of the input: with their sketches, by threads, or with their texts.
import { compiled, modules } from '../boot/file.js';
import { Sketcher } from '../index.js';
import { DEFAULT_ID_FIELD, whyUnread } from '../node/fields.js';
import { textReader } from '../node/html.js';
import { type Job, type JobResult, MAX_SCANNED, type ReadSettings } from '../node/job.js';
import { JobReader } from '../node/job-reader.js';
import { lineScanner } from '../node/line-scanner.js';
import { defaultThreads, mapInOrder, Workers } from '../node/workers.js';
import type { Batch, Batches } from './batch.js';
import { totalSize } from './chunks.js';
import type { Input } from './input-file.js';
import type { Io } from './io.js';
import { noticePage } from './pages.js';
import { type OneShape, readInput } from './read-input.js';
import type { Reading } from './reading.js';

/** Without --threads, threads start after this many bytes. */
const LARGE = 8 << 20;

/** Yields the batches of files, without documents. */
async function* batchesOf(inputs: readonly Input[], settings: ReadSettings, io: Io, shape?: OneShape): Batches {
  io.progress.total = totalSize(inputs.map(({ path }) => path));
  // Reports that the parser of HTML is missing before anything is read.
  await textReader({ isHtml: settings.html || inputs.some(({ format }) => format === 'html') });
  yield* io.eachFile(inputs, (input) => readInput(input, settings, io, shape));
}

/** Reports at the end of the input fields that no document has. */
function reportFields({ textField, idField, scopeField }: ReadSettings, io: Io): void {
  const { hasScopes, hasIds, textFields } = io.noticed;
  if (io.progress.documents === 0) return;
  if (scopeField !== undefined && !hasScopes)
    io.error(`no document has the field "${scopeField}" (--scope-field), so all were compared`);
  if (idField !== DEFAULT_ID_FIELD && !hasIds)
    io.error(`no document has the field "${idField}" (--id-field), so each has its place as its id`);
  // Without any of them, each document has been rejected, or has no fields.
  const missing = textFields.size === 0 ? [] : textField.split(',').filter((name) => !textFields.has(name));
  for (const name of missing) io.error(`no document has the field "${name}" (--text-field), so it was not compared`);
}

/**
 * Yields the documents of files in batches, in the order of the input for any number of threads, and reports what is not a
 * document. `shape` accepts the files, if the output has one shape.
 */
export async function* readBatches(
  inputs: readonly Input[],
  { scheme, threads, ...settings }: Reading & { scheme: string },
  io: Io,
  shape?: OneShape,
): Batches {
  const sketcher = new Sketcher({ scheme, key: settings.key });
  const reader = new JobReader(sketcher, settings, { scan: lineScanner(scheme, settings), isIsolated: false });
  /** 0 if there is one processor. */
  const free = defaultThreads();
  const max = threads ?? Math.max(1, free);
  compiled('cli');
  const data = { scheme, settings, modules };
  const workers = new Workers<Job, JobResult>(max, new URL('./cli-worker.js', import.meta.url), data);
  let size = 0;
  const run = (job: Job): Promise<JobResult> => {
    const { buffer, length } = job.bytes;
    size += length;
    if (threads === undefined ? free > 0 && size >= LARGE : threads > 1)
      workers.start({ bytes: new Uint8Array(), html: false });
    // A long line goes to a thread: a lack of memory there cannot destroy the index, which is in this thread's module.
    const isHere = !workers.isUp && length <= MAX_SCANNED;
    return isHere ? reader.read(job) : workers.run(job, [buffer]);
  };
  const open = async (batch: Batch): Promise<Batch> => {
    await batch.open(run);
    return batch;
  };
  try {
    for await (const batch of mapInOrder(batchesOf(inputs, settings, io, shape), open, max + 1)) {
      batch.report(io);
      io.progress.documents += batch.count;
      io.progress.update();
      io.noticed.hasScopes ||= batch.rows.hasScopes;
      io.noticed.hasIds ||= batch.rows.hasIds;
      yield batch;
      if (io.signal.aborted) return;
    }
    reportFields(settings, io);
  } finally {
    await workers.close();
  }
}

/** Yields the documents of files with their texts, and reports what is not a document. The name is the id, or the place. */
export async function* readRecords(inputs: readonly Input[], settings: ReadSettings, io: Io) {
  for await (const batch of batchesOf(inputs, settings, io)) {
    const readText = await textReader({ isHtml: batch.isHtml, ignore: settings.ignore });
    for (const { number, read } of batch.entries) {
      const place = batch.placeOf(number);
      try {
        const { text, ...others } = read();
        const record = { ...others, name: others.id ?? place, place, ...readText(text) };
        if (record.words !== undefined) noticePage(io.noticed, place, record.words);
        io.noticed.hasScopes ||= record.scope !== '';
        io.noticed.hasIds ||= others.id !== null;
        yield record;
      } catch (error) {
        io.reject(place, whyUnread(error));
      }
      io.progress.documents++;
      io.progress.update();
    }
    if (io.signal.aborted) return;
  }
  reportFields(settings, io);
}
