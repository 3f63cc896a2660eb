// Damaged snapshots: refused, or read as a whole. Half of them have a right checksum.
import { ArgumentError, Deduplicator } from '../../pkg/index.js';
import { NearIndex } from '../../pkg/simhash.js';
import { randomFrom } from './common.mjs';

/** Writes the checksum of src/rows/format.rs. */
export function seal(bytes) {
  const cells = new BigUint64Array(1);
  const low = new Uint8Array(cells.buffer);
  let state = 0xcbf29ce484222325n;
  for (let at = 0; at < bytes.length - 8; at += 8) {
    cells[0] = 0n;
    low.set(bytes.subarray(at, Math.min(at + 8, bytes.length - 8)));
    const mixed = BigInt.asUintN(64, (state ^ cells[0]) * 0x100000001b3n);
    state = mixed ^ (mixed >> 32n);
  }
  cells[0] = state;
  bytes.set(low, bytes.length - 8);
}

export function snapshots(count) {
  const random = randomFrom(4);
  const below = (most) => Math.floor(most * random());
  const index = new NearIndex({ maxDistance: 3 });
  const deduplicator = new Deduplicator();
  for (let at = 0; at < 6; at++) {
    index.add(at % 2 === 0 ? at : `id${at}`, BigInt(at) << 40n);
    deduplicator.add(
      at % 2 === 0 ? at : `id${at}\ud800`,
      at % 3 === 0 ? `short ${at}` : `${at} a text of some words `.repeat(9),
    );
  }
  const kinds = [
    [NearIndex, index.toBytes()],
    [Deduplicator, deduplicator.toBytes()],
  ];
  let failures = 0;
  let taken = 0;
  for (let trial = 0; trial < count; trial++) {
    const [kind, snapshot] = kinds[trial % 2];
    let bytes = snapshot.slice();
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(bytes.length);
      const way = below(4);
      if (way === 0) bytes = bytes.slice(0, Math.max(at, 8));
      else if (way === 1) bytes[at] ^= 1 << below(8);
      else if (way === 2) bytes[at] = [0, 1, 127, 128, 255][below(5)];
      else bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(below(bytes.length))]);
      if (bytes.length < 9) break;
    }
    if (trial % 4 < 2 && bytes.length > 8) seal(bytes);
    try {
      const read = kind.fromBytes(bytes);
      // An accepted snapshot can be written and read again.
      if (kind.fromBytes(read.toBytes()).size !== read.size) throw new Error('another size');
      taken++;
      read.free();
    } catch (error) {
      if (error instanceof ArgumentError && error.argument === 'bytes') continue;
      if (failures++ < 5) console.log(`  ${kind.name} ${Buffer.from(bytes).toString('hex')}: ${error}`);
    }
  }
  console.log(`damaged snapshots: ${count} trials, ${failures} failures, ${taken} of them taken`);
  return failures;
}
