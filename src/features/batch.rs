//! The hashes of a batch of words, and how they are joined.

use crate::text::chars::BATCH_CHARS;

/// The multiplier of SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
///
/// The FNV prime has few one bits: used here, it gives 171 collisions among a million different grams of real text.
/// This multiplier gives none.
pub(crate) const MULTIPLIER: u64 = 0xbf58_476d_1ce4_e5b9;

/// Returns the hash of a gram, from the hash of all its words but the last, and the hash of the last. It is a polynomial in
/// [`MULTIPLIER`] with the word hashes as coefficients, so it depends on their order.
#[inline]
pub(super) fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(MULTIPLIER).wrapping_add(word)
}

/// The largest number of words in a batch: a `u64` has one bit for each.
pub(crate) const BATCH_WORDS: usize = u64::BITS as usize;
/// The largest number of features that end in a batch of words, or of characters.
pub(crate) const BATCH_FEATURES: usize = 3 * BATCH_WORDS;
const _: () = assert!(BATCH_CHARS <= BATCH_FEATURES, "one feature ends with each character");

/// The hashes of the features of a batch.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub hashes: [u64; BATCH_FEATURES],
    pub len: usize,
    /// The number of grams of one word, whose hashes come first.
    pub singles: usize,
}
