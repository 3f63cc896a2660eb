import { sortClusters } from '../dedupe/clusters.js';
import { type Cluster, Deduplicator, type Id } from '../index.js';
import { count, countOf, jsonOf } from '../node/errors.js';
import { type Batch, Document } from './batch.js';
import { checkFiles } from './check-files.js';
import { findInputs } from './find-inputs.js';
import type { Io } from './io.js';
import type { Values } from './options.js';
import { Output, rounded } from './output.js';
import { OneShape } from './read-input.js';
import { readBatches } from './reader.js';
import { readingOf, sketchScheme } from './reading.js';
import type { Table } from './table.js';
import { readingWarnings, unreadParts } from './tally.js';

/** Yields a line for each cluster, in parts: its size, its representative, and its members with their resemblance to that. */
function* linesOf(clusters: readonly Cluster<number>[], names: readonly Id[]): Generator<string> {
  for (const { representative, members } of clusters) {
    yield `{"size":${members.length},"representative":${jsonOf(names[representative])},"members":[`;
    for (const [at, { id, resemblance }] of members.entries()) {
      yield `${at > 0 ? ',' : ''}${jsonOf({ id: names[id], resemblance: rounded(resemblance) })}`;
    }
    yield ']}\n';
  }
}

/** Writes each document with the number of its cluster, which counts from 1; null if it is in none. Bad lines stay. */
async function writeAnnotated(
  clusters: readonly Cluster<number>[],
  batches: readonly Batch[],
  table: Table | undefined,
): Promise<void> {
  const numbers = new Map<number, number>();
  clusters.forEach(({ members }, at) => {
    for (const { id } of members) numbers.set(id, at + 1);
  });
  if (table !== undefined) await Output.stdout.writeLines(table.annotate(['cluster']));
  let at = 0;
  for (const batch of batches) {
    const lines = Array.from(batch.lines(), (line) => {
      const isDocument = line instanceof Document;
      return batch.annotate(line, isDocument ? { cluster: numbers.get(at++) ?? null } : undefined);
    });
    await Output.stdout.writeLines(Buffer.concat(lines));
  }
}

export async function clustersCommand(values: Values, io: Io): Promise<void> {
  const { annotate, linkage, 'min-resemblance': minResemblance } = values;
  const reading = readingOf(values);
  const scheme = sketchScheme(values);
  const inputs = await findInputs(values, io);
  checkFiles(inputs, values);
  const kept = new Deduplicator<number>({ scheme });
  try {
    const names: Id[] = [];
    let blank = 0;
    const batches: Batch[] = [];
    let table: Table | undefined;
    const shape = annotate ? new OneShape() : undefined;
    for await (const batch of readBatches(inputs, { scheme, ...reading }, io, shape)) {
      table ??= batch.table;
      if (annotate) batches.push(batch);
      for (const { name, sketch } of batch.documents()) {
        kept.add(names.length, sketch);
        names.push(name);
        if (sketch.isBlank) blank++;
      }
    }
    // After an interrupt, clusters would lack documents.
    if (io.signal.aborted) return;
    const found = sortClusters(kept.clusters({ linkage, minResemblance }));
    if (annotate) await writeAnnotated(found, batches, table);
    else await Output.stdout.writeAll(linesOf(found, names));
    io.reportRejected();
    if (names.length === 0 && io.exitCode !== 0) return;
    const members = found.reduce((sum, cluster) => sum + cluster.members.length, 0);
    const parts = [
      `${countOf(found.length, 'cluster')} with ${count(members)} of ${countOf(names.length, 'document')}`,
      ...(found.length > 0 ? [`the largest has ${count(found[0].members.length)}`] : []),
      ...unreadParts(io),
      io.progress.elapsed,
    ];
    io.note(parts.join('; '));
    for (const warning of readingWarnings(io, names.length, blank)) io.note(warning);
  } finally {
    kept.free();
  }
}
