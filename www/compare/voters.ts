// The voters of one bit of a text: the features that vote for 1, and those that vote for 0.
import { features, type SchemeOptions } from 'nearprint';
import type { FeatureWeight, Heaviest } from './summarize.js';

export interface Voters {
  ones: Heaviest<FeatureWeight>;
  zeros: Heaviest<FeatureWeight>;
}

/** Returns the voters of a bit, heaviest first: `limit` of each value. Equal weights keep the order of the text. */
export function votersOf(text: string, bit: number, limit: number, options: SchemeOptions): Voters {
  const all = features(text, options).toSorted((x, y) => y.weight - x.weight);
  const votersFor = (value: bigint): Heaviest<FeatureWeight> => {
    const list = all.filter(({ hash }) => ((hash >> BigInt(bit)) & 1n) === value);
    return { count: list.length, top: list.slice(0, limit).map(({ feature, weight }) => ({ feature, weight })) };
  };
  return { ones: votersFor(1n), zeros: votersFor(0n) };
}
