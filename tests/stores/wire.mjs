// Arguments and results of a store as JSON: a sketch is its hexadecimal form, and undefined is null.
import { Sketch } from 'nearprint';

const map = (value, change) => {
  const changed = change(value);
  if (changed !== value || typeof value !== 'object' || value === null) return changed;
  if (Array.isArray(value)) return value.map((each) => map(each, change));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(each, change)]));
};

export const encode = (value) => map(value, (each) => (each instanceof Sketch ? { $sketch: each.toHex() } : each));

export const decode = (value) => map(value, (each) => (each?.$sketch ? Sketch.fromHex(each.$sketch) : each));
