// The key of exact comparison (src/sketch/feature_set.rs).

let key: bigint | undefined;

/**
 * Returns the random key of 128 bits by which this thread hashes words for exact comparison, so words of equal hashes cannot be
 * prepared. Feature sets of different keys are not comparable.
 */
export function textKey(): bigint {
  // At the start of a Worker, random numbers are forbidden.
  const draw = () => crypto.getRandomValues(new BigUint64Array(2)).reduce((key, half) => (key << 64n) | half);
  key ??= draw();
  return key;
}
