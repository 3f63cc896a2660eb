// The command clusters.
import { inOrder } from '../decisions/clusters.js';
import { type Cluster, Deduplicator, type Id } from '../index.js';
import type { Document, Header } from './document.js';
import { checkFiles } from './files.js';
import { OneShape } from './input.js';
import { findInputs } from './inputs.js';
import type { Io } from './io.js';
import { inputOf, oneOf, readingOf, sketchScheme, type Values } from './options.js';
import { Output, rounded } from './output.js';
import { count, countOf } from './progress.js';
import { readBatches } from './reader.js';

/** The number of documents that are written at once. */
const SLICE = 4096;

/** Yields a line for each cluster, in parts: its size, its representative, and its members with their resemblance to that. */
function* linesOf(clusters: readonly Cluster<number>[], names: readonly Id[]): Generator<string> {
  for (const { representative, members } of clusters) {
    yield `{"size":${members.length},"representative":${JSON.stringify(names[representative])},"members":[`;
    for (const [at, { id, resemblance }] of members.entries()) {
      yield `${at > 0 ? ',' : ''}${JSON.stringify({ id: names[id], resemblance: rounded(resemblance) })}`;
    }
    yield ']}\n';
  }
}

/** Writes each document with the number of its cluster, which counts from 1; null if it is in none. */
async function writeAnnotated(
  clusters: readonly Cluster<number>[],
  documents: readonly Document[],
  header: Header | undefined,
): Promise<void> {
  const numbers = new Map<number, number>();
  clusters.forEach(({ members }, at) => {
    for (const { id } of members) numbers.set(id, at + 1);
  });
  if (header !== undefined) await Output.stdout.writeLines(header.annotate(['cluster']));
  for (let from = 0; from < documents.length; from += SLICE) {
    const lines = documents
      .slice(from, from + SLICE)
      .map((document, at) => document.batch.annotate(document, [['cluster', numbers.get(from + at) ?? null]]));
    await Output.stdout.writeLines(Buffer.concat(lines));
  }
}

export async function clusters(values: Values, io: Io): Promise<void> {
  const { annotate, 'min-resemblance': minResemblance } = values;
  const reading = readingOf(values);
  const scheme = sketchScheme(values);
  const linkage = oneOf('star', 'single')(values.linkage ?? 'star', '--linkage');
  const inputs = await findInputs(inputOf(values), reading.html, io);
  checkFiles(inputs, values);
  const kept = new Deduplicator<number>({ scheme });
  try {
    const names: Id[] = [];
    const documents: Document[] = [];
    let header: Header | undefined;
    const shape = annotate ? new OneShape() : undefined;
    for await (const batch of readBatches(inputs, { scheme, ...reading }, io, shape)) {
      header ??= batch.header;
      for (const document of batch.documents) {
        kept.add(names.length, document.sketch);
        names.push(document.name);
        if (annotate) documents.push(document);
      }
    }
    // After an interrupt, clusters would lack documents.
    if (io.signal.aborted) return;
    const found = inOrder(kept.clusters({ linkage, minResemblance }));
    if (annotate) await writeAnnotated(found, documents, header);
    else await Output.stdout.writeAll(linesOf(found, names));
    io.reportRejected();
    if (names.length === 0 && io.exitCode !== 0) return;
    const members = found.reduce((sum, cluster) => sum + cluster.members.length, 0);
    const parts = [
      `${countOf(found.length, 'cluster')} with ${count(members)} of ${countOf(names.length, 'document')}`,
      ...(found.length > 0 ? [`the largest has ${count(found[0].members.length)}`] : []),
      ...(io.rejected > 0 ? [countOf(io.rejected, 'bad line')] : []),
      io.progress.elapsed,
    ];
    io.note(parts.join('; '));
  } finally {
    kept.free();
  }
}
