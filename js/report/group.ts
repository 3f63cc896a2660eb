// The group of a document in a report: its source or its language.

/** The fields that name the group. The first one that a document has counts. */
const usual = ['source', 'lang', 'language'];

/** Returns the name of the group of an object of JSON, or undefined. */
export function groupOf(
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[] = usual,
): string | undefined {
  const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  const group = fields.map((field) => object[field]).find(isName);
  return group === undefined ? undefined : String(group);
}
