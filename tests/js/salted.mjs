// Sets with a known salt, for tests that compare snapshots. The package draws every salt at random, and snapshots contain it.
import { seal } from '../campaign/snapshots.mjs';

/** The position of the salt in a snapshot: see src/dedupe/snapshot.rs. */
const SALT_AT = 28;

/** Returns an empty set of the class `Deduplicator` with this salt. */
export function saltedSet(Deduplicator, salt = 7n) {
  // A set without documents would draw another salt.
  const bytes = Buffer.from(new Deduplicator().add(0, 'a').toBytes());
  bytes.writeBigUInt64LE(salt, SALT_AT);
  seal(bytes);
  const kept = Deduplicator.fromBytes(bytes);
  kept.clear();
  return kept;
}
