// The voters of one bit of a text: the features that vote for 1, and those that vote for 0.
import { features, type SchemeOptions } from 'nearprint/simhash';

/** A feature, for display, and its weight. */
export interface Voter {
  feature: string;
  weight: number;
}

/** The voters for one value, heaviest first, and the number and the weight of all of them. */
interface VotersFor {
  count: number;
  weight: number;
  top: Voter[];
}

export interface Voters {
  ones: VotersFor;
  zeros: VotersFor;
}

/** Returns the voters of a bit: at most `limit` for each value. Equal weights keep the order of the text. */
export function votersOf(text: string, bit: number, limit: number, options: SchemeOptions): Voters {
  const all = features(text, options).toSorted((x, y) => y.weight - x.weight);
  const votersFor = (value: bigint): VotersFor => {
    const list = all.filter(({ hash }) => ((hash >> BigInt(bit)) & 1n) === value);
    return {
      count: list.length,
      weight: list.reduce((sum, { weight }) => sum + weight, 0),
      top: list.slice(0, limit).map(({ feature, weight }) => ({ feature, weight })),
    };
  };
  return { ones: votersFor(1n), zeros: votersFor(0n) };
}
