// Types that most functions share.

/** A text: a string, or bytes of UTF-8. A lone surrogate and invalid UTF-8 count as U+FFFD. */
export type Text = string | Uint8Array;

/** The width of a fingerprint in bits. The low half of a fingerprint is the fingerprint of the next smaller width. */
export type Bits = 32 | 64 | 128;

/**
 * The id of a document in a {@link NearIndex} or a {@link Deduplicator}: a string or a safe integer. One index may have
 * both; `7` and `'7'` are different ids.
 */
export type Id = string | number;

/** Joins alternatives for a requirement: `a, b or c`. */
export const alternatives = (items: readonly (string | number)[]): string =>
  items.join(', ').replace(/, ([^,]*)$/, ' or $1');
