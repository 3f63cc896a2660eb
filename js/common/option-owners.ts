// The functions of each option: an option is often passed to a wrong one.
import { nearestName } from './nearest-name.js';

const FINGERPRINT = 'fingerprint';
const BOTH = 'fingerprint and sketch';
const SOURCE = 'dedupe and clusters';
const OBSERVE = 'dedupe and observe';
const DEDUPE = 'dedupe';

const owners: Readonly<Record<string, string>> = {
  bits: FINGERPRINT,
  hash: FINGERPRINT,
  mix: FINGERPRINT,
  normalize: FINGERPRINT,
  weights: FINGERPRINT,
  features: BOTH,
  scheme: BOTH,
  key: BOTH,
  maxDistance: 'NearIndex, blockKeys and hammingSql',
  limit: 'query',
  scope: 'sketch and observe',
  minResemblance: 'dedupe, clusters, isNearDuplicate and observe',
  id: SOURCE,
  text: SOURCE,
  linkage: 'clusters',
  expiresIn: OBSERVE,
  now: OBSERVE,
  textOf: OBSERVE,
  lease: 'dedupe and stores',
  against: DEDUPE,
  add: DEDUPE,
  keep: DEDUPE,
};

/** Returns advice on an option that a function does not have: the option that is probably meant, or the functions that have it. */
export function adviceOnOption(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== undefined) return `: did you mean ${near}?`;
  const other = nearestName(name, Object.keys(owners));
  return other === undefined ? '' : `: ${other} belongs to ${owners[other]}`;
}
