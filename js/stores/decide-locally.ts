// Decides a part of a call within a transaction.
import type { LocalEngine, Write } from './engine.js';
import { type PartResult, type Subject, type SubjectRule, writeOf } from './protocol.js';

/** The time in milliseconds after which a transaction accepts no further document, since others wait for it. */
const MAX_TRANSACTION = 200;

/**
 * Carries out the first subjects, at least one. Returns their results. Each is read after the one before it is written, so no
 * overlay is needed.
 */
export async function decideLocally<S extends Subject, R>(
  engine: LocalEngine,
  subjects: readonly S[],
  rule: SubjectRule<S, R>,
  salt: string,
): Promise<PartResult<R>> {
  let results: R[] = [];
  await engine.transaction(() => {
    results = [];
    const end = performance.now() + MAX_TRANSACTION;
    for (const subject of subjects) {
      let write: Write | undefined;
      try {
        const answer = engine.readNow(subject);
        const { result, change } = rule(subject, answer);
        if (change !== undefined) write = writeOf(subject, answer, change);
        results.push(result);
      } catch (error) {
        // The subjects before the failed one are kept first. The next call fails.
        if (results.length === 0) throw error;
        return;
      }
      if (write !== undefined) engine.writeNow(write);
      if (performance.now() > end) return;
    }
  }, salt);
  return { results, isRefused: false };
}
