// Arguments and results of a store as JSON: a sketch is its hexadecimal form, bytes are numbers, and undefined is null.
import { Sketch } from 'nearprint';

const map = (value, change) => {
  const changed = change(value);
  if (changed !== value || typeof value !== 'object' || value === null) return changed;
  if (Array.isArray(value)) return value.map((each) => map(each, change));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(each, change)]));
};

function encodeOne(each) {
  if (each instanceof Sketch) return { $sketch: each.toHex() };
  return each instanceof Uint8Array ? { $bytes: [...each] } : each;
}

function decodeOne(each) {
  if (each?.$sketch) return Sketch.fromHex(each.$sketch);
  return each?.$bytes ? Uint8Array.from(each.$bytes) : each;
}

export const encode = (value) => map(value, encodeOne);

export const decode = (value) => map(value, decodeOne);
