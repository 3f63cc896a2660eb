import { sortClusters } from '../dedupe/clusters.js';
import { type Cluster, Deduplicator } from '../index.js';
import { count, countOf, jsonOf } from '../node/errors.js';
import { annotate as annotateLine } from './annotate.js';
import type { Batch } from './batch.js';
import { Document } from './batch.js';
import { checkFiles } from './check-files.js';
import { findInputs } from './find-inputs.js';
import type { Io } from './io.js';
import type { Values } from './options.js';
import { Output, rounded } from './output.js';
import { Positions } from './positions.js';
import { OneShape } from './read-input.js';
import { readBatches } from './reader.js';
import { readingOf, sketchScheme } from './reading.js';
import { RepeatedIds } from './repeated-ids.js';
import { Selection } from './selection.js';
import type { Table } from './table.js';
import { readingWarnings, repetitionWarning, unreadParts } from './tally.js';

/**
 * Yields a line for each cluster, in parts: its size, its representative, and its members with their resemblance to that.
 * `hasPlaces` adds the places of documents, whose ids do not tell them apart.
 */
function* linesOf(
  clusters: readonly Cluster<number>[],
  { originalOf }: Positions,
  hasPlaces: boolean,
): Generator<string> {
  for (const { representative, members } of clusters) {
    const { name, place } = originalOf(representative);
    const own = hasPlaces ? `,"representativePlace":${jsonOf(place)}` : '';
    yield `{"size":${members.length},"representative":${jsonOf(name)}${own},"members":[`;
    for (const [at, { id, resemblance }] of members.entries()) {
      const { name, place } = originalOf(id);
      const member = { id: name, resemblance: rounded(resemblance), place: hasPlaces ? place : undefined };
      yield `${at > 0 ? ',' : ''}${jsonOf(member)}`;
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
      return annotateLine(line, isDocument ? { cluster: numbers.get(at++) ?? null } : undefined);
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
    const positions = new Positions();
    const repeated = new RepeatedIds({ needsOtherText: false });
    let blank = 0;
    const batches: Batch[] = [];
    let table: Table | undefined;
    const shape = annotate ? new OneShape() : undefined;
    for await (const batch of readBatches(inputs, { scheme, ...reading }, io, shape)) {
      table ??= batch.table;
      if (annotate) batches.push(batch);
      repeated.add(batch);
      for (const { at, sketch } of batch.documents()) {
        kept.add(positions.next + at, sketch);
        if (sketch.isBlank) blank++;
      }
      positions.push(Selection.of(batch));
    }
    // After an interrupt, clusters would lack documents.
    if (io.signal.aborted) return;
    const found = sortClusters(kept.clusters({ linkage, minResemblance }));
    if (annotate) await writeAnnotated(found, batches, table);
    else await Output.stdout.writeAll(linesOf(found, positions, repeated.count > 0));
    io.reportRejected();
    const { next: documents } = positions;
    if (documents === 0 && io.exitCode !== 0) return;
    const members = found.reduce((sum, cluster) => sum + cluster.members.length, 0);
    const parts = [
      `${countOf(found.length, 'cluster')} with ${count(members)} of ${countOf(documents, 'document')}`,
      ...(found.length > 0 ? [`the largest has ${count(found[0].members.length)}`] : []),
      ...unreadParts(io),
      io.progress.elapsed,
    ];
    io.note(parts.join('; '));
    for (const warning of readingWarnings(io, documents, blank)) io.note(warning);
    // With --annotate, the documents themselves have the numbers of their clusters.
    if (repeated.count > 0 && !annotate) io.note(repetitionWarning(repeated.count, false));
  } finally {
    kept.free();
  }
}
