// Opens the decider that the options of `dedupe` choose: by the run alone, by an index, or by a store.
import { DocumentSet } from '../dedupe/document-set.js';
import { Deduplicator, MIN_RESEMBLANCE } from '../index.js';
import { ignoreOptions } from '../node/ignore.js';
import type { BatchDecider, RuleOptions } from './batch-decider.js';
import { IndexDecider } from './index-decider.js';
import { IndexFile } from './index-file.js';
import type { Io } from './io.js';
import { openStore } from './open-store.js';
import type { Values } from './options.js';
import { rankOf } from './rank.js';
import type { Reading } from './reading.js';
import { type FoundReferences, openReferences } from './references.js';
import { RunDecider } from './run-decider.js';
import { StoreDecider } from './store-decider.js';

/** Leases in seconds, for a decided line to be written. With `--keep`, all documents are decided before a line is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

export interface Opened {
  readonly decider: BatchDecider;
  readonly scheme: string;
  /** The file of the index, with --index. */
  readonly file?: IndexFile | undefined;
}

/** The settings by which a decider is chosen and opened. */
interface Choice {
  readonly values: Values;
  readonly found: FoundReferences;
  readonly reading: Reading;
  readonly io: Io;
}

type Use = (opened: Opened) => Promise<void>;

const ruleOf = ({ 'min-resemblance': minResemblance = MIN_RESEMBLANCE, expire: expiresIn }: Values): RuleOptions => ({
  minResemblance,
  expiresIn,
});

/** Opens the decider, passes it to `use`, and closes it. */
export async function withDecider(choice: Choice, use: Use): Promise<void> {
  const { store, index } = choice.values;
  if (store !== undefined) await withStore(store, choice, use);
  else if (index !== undefined) await withIndex(index, choice, use);
  else await withRun(choice, use);
}

async function withRun({ values, found, reading, io }: Choice, use: Use): Promise<void> {
  const { scheme, references } = await openReferences(found, values, null, reading, io);
  const own = values['against-only'] ? undefined : DocumentSet.numbered(scheme);
  await use({ decider: new RunDecider(own, references, ruleOf(values)), scheme });
}

async function withIndex(path: string, { values, found, reading, io }: Choice, use: Use): Promise<void> {
  const file = new IndexFile(path, 1000 * (values.checkpoint ?? 60));
  try {
    // An interrupt ends the wait for another run that uses the file.
    if (!(await file.acquire(io))) return;
    const saved = file.load();
    const { scheme, references } = await openReferences(found, values, saved, reading, io);
    const index = saved?.index ?? new Deduplicator({ scheme });
    file.saved = { index, ignored: reading.ignore };
    await use({ decider: new IndexDecider(index, file, references, ruleOf(values)), scheme, file });
  } finally {
    file.close();
  }
}

async function withStore(url: string, { values, found, reading, io }: Choice, use: Use): Promise<void> {
  const { scheme, references } = await openReferences(found, values, null, reading, io);
  const preparation = ignoreOptions(reading.ignore) || undefined;
  const { store, close } = await openStore(url, { scheme, key: reading.key, preparation });
  try {
    const lease = rankOf(values) === undefined ? LEASE : LONG_LEASE;
    await use({ decider: new StoreDecider(store, references, ruleOf(values), lease, io), scheme });
  } finally {
    await close();
  }
}
