// The fingerprints of two texts, and the votes on each of their bits.
import { type Bits, compareBits as comparison, distance, fromHex, type SchemeOptions } from 'nearprint/simhash';
import { type Pair, type Side, sides } from '../shared/pair.js';

/** The fingerprints of two texts. */
export interface Fingerprints extends Pair<{ fingerprint: bigint }> {
  bits: Bits;
  /** The number of bits that differ. */
  distance: number;
}

/** The fingerprint of one text, and what it was made of. */
interface Voted {
  fingerprint: bigint;
  /** The number of different features. */
  features: number;
  /** For each bit, the lowest first, the weights of features that vote for 1, minus the weights of those that vote for 0. */
  sums: number[];
}

/** The fingerprints of two texts that are known. */
export interface BitComparison extends Pair<Voted> {
  bits: Bits;
  distance: number;
}

/** The fingerprints in a link need not have texts. */
export type BitResult = BitComparison | Fingerprints;

/** Returns whether the texts of a result are known, so that it has their votes. */
export const hasVotes = (result: BitResult): result is BitComparison => 'sums' in result.a;

/** Returns whether a bit of a fingerprint is 1. */
export const isOne = ({ fingerprint }: { fingerprint: bigint }, bit: number): boolean =>
  ((fingerprint >> BigInt(bit)) & 1n) === 1n;

export function compareBits(a: string, b: string, options: SchemeOptions): BitComparison {
  const compared = comparison(a, b, options);
  const { bits, perBit } = compared;
  const side = (name: Side): Voted => {
    const { fingerprint, features } = compared[name];
    return { fingerprint, features: features.length, sums: perBit.map(({ [name]: { sum } }) => sum) };
  };
  return { bits, distance: compared.distance, a: side('a'), b: side('b') };
}

/** Returns the comparison of two fingerprints in hexadecimal. */
export function compareFingerprints(hex: Pair<string>, bits: Bits): Fingerprints {
  const [a, b] = sides.map((side) => ({ fingerprint: fromHex(hex[side]) }));
  return { bits, distance: distance(a.fingerprint, b.fingerprint), a, b };
}
