// The exact resemblance of two documents of a sample, whose texts are not kept.

/**
 * Returns the exact resemblance of two sets of `Fingerprinter.featureSet`, as `compare` does. Half of a hash is enough: of
 * two texts of a thousand features, one in four thousand pairs shares one by chance.
 */
export function exactResemblance(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 && b.length === 0) return 1;
  let [i, j, shared] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x === y) shared++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return shared / (a.length + b.length - shared);
}
