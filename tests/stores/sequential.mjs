// Whether the answers of concurrent clients are those of some sequential order.
import { Deduplicator } from 'nearprint';

/**
 * Returns what no sequential order explains, as messages. `kept` has the ids in the order of addition; a document that
 * finds another one was added after it, so this order is the only one to check.
 */
export function violations(documents, answers, kept) {
  const messages = [];
  const byId = new Map(documents.map((document) => [document.id, document]));
  const answered = new Map(answers.map((answer) => [answer.id, answer]));
  const stored = new Set(kept);
  for (const { id } of documents) {
    const answer = answered.get(id);
    if (answer === undefined) messages.push(`${id} is not answered`);
    else if (stored.has(id) !== (answer.duplicateOf === null))
      messages.push(`${id} is stored: ${stored.has(id)}, answered otherwise`);
  }
  const families = new Map();
  for (const id of kept) {
    const { family } = byId.get(id);
    families.set(family, [...(families.get(family) ?? []), id]);
  }
  const all = new Deduplicator();
  for (const id of kept) {
    const { sketch } = byId.get(id);
    const hit = all.query(sketch);
    if (hit !== undefined) messages.push(`${id} is kept, a near-duplicate of ${hit.id}, which was kept before`);
    all.add(id, sketch);
  }
  all.free();
  for (const { id, duplicateOf, resemblance, distance } of answers) {
    if (duplicateOf === null) continue;
    const { sketch, family } = byId.get(id);
    // The best hit at some time.
    const one = new Deduplicator();
    const isExplained = (families.get(family) ?? []).some((other) => {
      one.add(other, byId.get(other).sketch);
      const hit = one.query(sketch);
      return (
        hit?.id === duplicateOf &&
        (resemblance === undefined || (hit.resemblance === resemblance && hit.distance === distance))
      );
    });
    one.free();
    if (!isExplained) messages.push(`${id} is answered as a near-duplicate of ${duplicateOf}, which no order explains`);
  }
  return messages;
}
