// The group of a document in a report: its source or its language.

/** The fields that name it: the first that a document has. */
const usual = ['source', 'lang', 'language'];

/** Returns the name of the group of an object of JSON, or undefined. */
export function groupOf(object, fields = usual) {
  const isName = (value) => typeof value === 'string' || typeof value === 'number';
  const group = fields.map((field) => object[field]).find(isName);
  return group === undefined ? undefined : String(group);
}
