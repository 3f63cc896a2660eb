// Chooses the decider of a call of dedupe by its options, and refuses options that it would ignore.
import { ArgumentError } from '../common/argument-error.js';
import { checkBoolean } from '../common/check.js';
import type { Decider, Settings } from './decider.js';
import type { DedupeOptions } from './dedupe-options.js';
import { Deduplicator } from './deduplicator.js';
import { ADVICE_AGAINST_FORGERY as ADVICE, type DocumentStore } from './document-store.js';
import { decideWithoutAdding } from './reference-decider.js';
import { decideById, decideByPosition } from './set-decider.js';
import { decideInStore } from './store-decider.js';

const isStore = (value: unknown): value is DocumentStore => {
  const { observe, confirm } = value as Partial<DocumentStore>;
  return typeof observe === 'function' && typeof confirm === 'function';
};

/** Checks `against`, which must be of the scheme. */
function checkAgainst(against: unknown, scheme: string): Deduplicator | DocumentStore {
  if (typeof against !== 'object' || against === null || !(against instanceof Deduplicator || isStore(against))) {
    throw new ArgumentError('against', 'a Deduplicator or a store', against);
  }
  if (against.scheme !== scheme) throw new ArgumentError('against', `of the scheme ${scheme}`, against.scheme);
  return against;
}

/** Throws for an option that is given. */
function refuse(argument: string, requirement: string, value: unknown): void {
  if (value !== undefined) throw new ArgumentError(argument, `left out ${requirement}`, value);
}

/** Returns the decider for `options`. `settings` has the other options. */
export function openDecider(
  { keep = 'first', against, add = true, lease }: DedupeOptions,
  settings: Settings,
): Decider {
  const { sketcher, textOf, expiresIn, now } = settings;
  checkBoolean(add, 'add');
  if (against === undefined) {
    if (!add) throw new ArgumentError('add', 'true unless against is given', add);
    refuse('lease', 'unless against is a store', lease);
    for (const [name, value] of Object.entries({ expiresIn, now }))
      refuse(name, 'unless against is given (against: new Deduplicator())', value);
    return decideByPosition(settings);
  }
  const set = checkAgainst(against, sketcher.id);
  if (!add) {
    refuse('textOf', `if add is false: estimates decide ${ADVICE}`, textOf);
    refuse('expiresIn', 'if add is false', expiresIn);
  }
  if (set instanceof Deduplicator) {
    refuse('lease', 'unless against is a store', lease);
    return add ? decideById(set.documents, settings) : decideWithoutAdding(set, settings);
  }
  if (keep !== 'first' || !add) refuse('lease', "unless keep is 'first' and add is true", lease);
  refuse('now', 'if against is a store', now);
  refuse('textOf', `with a store: estimates decide ${ADVICE}`, textOf);
  return add ? decideInStore(set, settings, lease) : decideWithoutAdding(set, settings);
}
