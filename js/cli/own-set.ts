// Decides by a set in memory, for run-decider.ts and index-decider.ts, and joins its decisions with the ones of references.
import { isKept, type Outcome } from '../dedupe/decision.js';
import type { Rule } from '../dedupe/decision-options.js';
import type { DocumentSet } from '../dedupe/document-set.js';
import { joinOutcomes } from '../dedupe/join-outcomes.js';
import type { Id } from '../index.js';
import type { RuleOptions } from './batch-decider.js';
import type { Decisions } from './decisions.js';
import { type Original, withOriginal } from './original.js';
import type { Selection } from './selection.js';

/** A set in memory that keeps new and changed documents. */
export class OwnSet<I extends Id> {
  readonly #set: DocumentSet<I>;
  readonly #rule: RuleOptions;
  readonly #originalOf: (key: I) => Original;

  constructor(set: DocumentSet<I>, rule: RuleOptions, originalOf: (key: I) => Original) {
    [this.#set, this.#rule, this.#originalOf] = [set, rule, originalOf];
  }

  /**
   * Sets the decisions on documents, whose keys are in `decisions`. `known` has the decisions of references, undefined for a
   * document that is new to them: consecutive ones are decided by one call.
   */
  decide(documents: Selection, known: readonly (Outcome<Original> | undefined)[], decisions: Decisions): void {
    const keys = decisions.keys as I[];
    for (let at = 0; at < documents.count; at++) {
      let end = at;
      while (end < documents.count && known[end] === undefined) end++;
      if (end > at) this.#observe(documents, keys, at, end, decisions);
      at = end;
      const outcome = known[at];
      if (outcome !== undefined) decisions.setOutcome(at, this.#join(keys[at], documents, at, outcome));
    }
  }

  /** Decides on the documents from position `from` to `to` by this set alone. */
  #observe(documents: Selection, keys: readonly I[], from: number, to: number, decisions: Decisions): void {
    const batch = { ids: keys.slice(from, to), ...documents.range(from, to) };
    const rows = this.#set.observeAll(batch, this.#ruleNow());
    decisions.setRows(from, rows, (number) => this.#originalOf(this.#set.idOf(number)));
  }

  /** Decides on a document that references know. */
  #join(key: I, documents: Selection, at: number, known: Outcome<Original>): Outcome<Original> {
    const rule = this.#ruleNow();
    const sketch = documents.sketchAt(at);
    const own = withOriginal(this.#set.peek(key, sketch, rule.minResemblance, rule.now), this.#originalOf);
    const joined = joinOutcomes([known, own]);
    if (isKept(joined)) this.#set.add(key, sketch, rule.now, rule.expiresIn);
    // Renews its expiry time.
    else if (joined.status === 'unchanged' && own.status === 'unchanged') this.#set.observe(key, sketch, rule);
    return joined;
  }

  #ruleNow(): Rule {
    const { minResemblance, expiresIn = Number.NaN } = this.#rule;
    return { minResemblance, now: Date.now(), expiresIn: Math.round(1000 * expiresIn), lease: Number.NaN };
  }
}
