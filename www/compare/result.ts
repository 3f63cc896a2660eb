// The results that the compare view shows.
import { type Bits, distance, fromHex, Sketch, similarity } from 'nearprint';
import { cosineAt } from '../../js/core/hamming.js';
import type { Pair, Side } from '../shared/pair.js';
import type { Summaries } from '../shared/state.js';
import type { TextComparison } from './summarize.js';

/** One side of a comparison without texts. `sketch` is in hexadecimal. */
interface SummarySide {
  fingerprint: bigint;
  sketch: string;
  isShort: boolean;
  hasFewFeatures: boolean;
}

/** A comparison of the summaries in a link, whose texts are unknown. */
export interface SummaryComparison extends Pair<SummarySide> {
  bits: Bits;
  resemblance: number;
  distance: number;
  similarity: number;
  cosine: number;
}

export type Result = TextComparison | SummaryComparison;

/** Returns whether a result comes from the texts, so that it has their features and votes. */
export const hasTexts = (result: Result): result is TextComparison => 'perBit' in result;

export function compareSummaries({ fingerprints, sketches }: Summaries, bits: Bits): SummaryComparison {
  const parsed = { a: Sketch.fromHex(sketches.a), b: Sketch.fromHex(sketches.b) };
  const side = (name: Side): SummarySide => ({
    fingerprint: fromHex(fingerprints[name]),
    sketch: sketches[name],
    isShort: parsed[name].isShort,
    hasFewFeatures: parsed[name].hasFewFeatures,
  });
  const [a, b] = [side('a'), side('b')];
  const apart = distance(a.fingerprint, b.fingerprint);
  return {
    bits,
    a,
    b,
    resemblance: parsed.a.resemblance(parsed.b),
    distance: apart,
    similarity: similarity(a.fingerprint, b.fingerprint, bits),
    cosine: cosineAt(apart, bits),
  };
}
