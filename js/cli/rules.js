// The rules by which the command line finds near-duplicates, over the state of this and earlier runs.
import { addQueried } from '../core/deduplicator.js';
import { HammingRule } from '../core/hamming-rule.js';
import { Deduplicator, NearIndex } from '../index.js';
import { UserError } from '../node/user-error.js';

/** By the resemblance of sketches. */
export class ByResemblance {
  state;

  constructor(state) {
    this.state = state;
  }

  /** The summaries that the workers compute. */
  static summary = 'sketch';

  /** Returns the most similar kept document, or undefined. */
  nearest(summary) {
    return this.state.query(summary);
  }

  /** Keeps the document of the last call of `nearest`. */
  keep(id) {
    addQueried(this.state, id);
  }

  /** The line of a hit in the report. */
  static row = ({ resemblance, distance }) => ({ resemblance: Number(resemblance.toFixed(4)), distance });
}

/** By the distance of fingerprints. */
export class ByDistance {
  state;
  #rule;

  constructor(state, maxDistance, isNew) {
    this.state = state;
    this.#rule = new HammingRule(state, maxDistance, isNew);
  }

  static summary = 'fingerprint';

  nearest(summary) {
    return this.#rule.nearest(summary);
  }

  keep(id, summary) {
    this.#rule.keep(id, summary);
  }

  static row = ({ distance }) => ({ distance });
}

/** Returns the rule of the options. `state` is that of the index file, or null if there is none. */
export function openRule(options, state, path) {
  const { minResemblance } = options;
  if (options.given.maxDistance || (state instanceof NearIndex && minResemblance === undefined)) {
    if (state instanceof Deduplicator) {
      throw new UserError(`${path} has sketches: it takes --min-resemblance, not --max-distance`);
    }
    const fingerprinter = options.fingerprinter(state, path);
    const { bits, id: scheme } = fingerprinter;
    const maxDistance = options.maxDistance(bits);
    const index = state ?? new NearIndex({ bits, maxDistance, scheme });
    return { rule: new ByDistance(index, maxDistance, state === null), kind: ByDistance, scheme };
  }
  if (state instanceof NearIndex) {
    throw new UserError(`${path} has fingerprints without sketches: it takes --max-distance, not --min-resemblance`);
  }
  const fingerprinter = options.fingerprinter(state, path);
  const scheme = fingerprinter.id.replace(/^v1:\d+/, 'v1:64');
  if (state !== null && minResemblance !== undefined && minResemblance !== state.minResemblance) {
    throw new UserError(`${path} was made with --min-resemblance ${state.minResemblance}, not ${minResemblance}`);
  }
  const kept = state ?? new Deduplicator({ minResemblance, scheme });
  return { rule: new ByResemblance(kept), kind: ByResemblance, scheme };
}
