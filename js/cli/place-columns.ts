// Whether --annotate adds the columns with the places of documents to a table.
import type { Id } from '../index.js';
import type { ReadSettings } from '../node/job.js';
import { silentIo } from './chunks.js';
import { attempt, canReadAgain } from './file-system.js';
import type { Input } from './input-file.js';
import type { Io } from './io.js';
import type { Entry } from './part.js';
import { readInput } from './read-input.js';

/** Returns the id of a document; null if there is none, and for what is not a document: the run reports that. */
const idOf = ({ read }: Entry): Id | null => attempt(() => read().id) ?? null;

/**
 * Returns whether an id occurs twice in tables. The header has to name the columns before the rows are read, so files are read
 * here first. A pipe cannot be read twice, so it counts as having such ids.
 */
export async function mayRepeatIds(inputs: readonly Input[], settings: ReadSettings, io: Io): Promise<boolean> {
  const seen = new Set<string | number>();
  for (const input of inputs) {
    if (!canReadAgain(input.path)) return true;
    try {
      for await (const { table, entries } of readInput(input, settings, { ...silentIo(), signal: io.signal })) {
        if (table !== undefined && !table.hasIds) break;
        for (const entry of entries) {
          const id = idOf(entry);
          if (id === null) continue;
          if (seen.has(id)) return true;
          seen.add(id);
        }
      }
    } catch {
      // The run reports a file that cannot be read.
    }
  }
  return false;
}
