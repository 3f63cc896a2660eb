// The rule for short texts.

/**
 * A text with fewer different features is short. One edited word changes three features, a fifth of 15: the two texts
 * then stay within 8 of 64 bits one time in eleven (8,008 English texts of 2 to 15 features; below .3 for every number
 * of features). Most edits would be missed, so short texts are compared by their words instead.
 */
export const MIN_FEATURES = 16;

/** Returns `{ fingerprint, words }`, all that deduplication needs of a text; `words` only if the text is short. */
export function summarize(fingerprinter, text) {
  const fingerprint = fingerprinter.fingerprint(text);
  const words = fingerprinter.distinct < MIN_FEATURES ? fingerprinter.words(text).join('\n') : undefined;
  return { fingerprint, words };
}
