// The votes of one word of a text.
import type { SchemeOptions } from 'nearprint/simhash';
import { addVotes, withFeatures } from './features-at.js';
import type { Span } from './passages.js';

/** The votes of the features that contain a word. */
export interface WordVotes {
  /** The features, for display. */
  features: string[];
  /** For each bit, the weights of those that vote for 1, minus the weights of those that vote for 0. */
  votes: number[];
}

export const votesOfWord = (text: string, span: Span, bits: number, options: SchemeOptions): WordVotes =>
  withFeatures([text], options, (finder) => {
    const features = finder.at(span);
    const votes = Array<number>(bits).fill(0);
    for (const { hash, weight } of features) addVotes(votes, hash, weight);
    return { features: features.map(({ feature }) => feature), votes };
  });
