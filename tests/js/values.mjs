// The values of lists of objects that tests assert: a field of each object, or all that an iterator yields.

/** Returns the field of this name of each object; with several names, an array of these fields. */
export const valuesOf = (objects, ...names) =>
  Array.from(objects, (object) => (names.length === 1 ? object[names[0]] : names.map((name) => object[name])));

/** Returns sketches in hexadecimal form. */
export const hexesOf = (sketches) => Array.from(sketches, (sketch) => sketch.toHex());

/** Returns the ids of documents and their sketches in hexadecimal form. */
export const entriesOf = (documents) => Array.from(documents, ({ id, sketch }) => [id, sketch.toHex()]);

/** Resolves to all that an async iterable yields. */
export async function collect(iterable) {
  const all = [];
  for await (const each of iterable) all.push(each);
  return all;
}
