//! The hash of a text's words in order: two texts with equal hashes have the same words, except by accident.

use super::features::{MULTIPLIER, Tokens};

/// The hash of the words, or the characters, so far.
///
/// A polynomial modulo 2^64, such as the hash of a gram, cannot replace it: for every multiplier, the Thue-Morse sequence of
/// two words and its complement collide from 1,024 words on. The shift makes each step nonlinear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence(u64);

impl Sequence {
    /// Appends words by their hashes, or characters by their code points.
    #[inline]
    pub fn add_tokens(&mut self, tokens: Tokens<'_>) {
        match tokens {
            Tokens::Words(_, _, hashes) => self.add_all(hashes.iter().copied()),
            Tokens::Chars(chars) => {
                self.add_all(chars.iter().map(|char| u32::from(char.decode()).into()))
            }
        }
    }

    fn add_all(&mut self, tokens: impl Iterator<Item = u64>) {
        self.0 = tokens.fold(self.0, |state, token| {
            let product = (state ^ token).wrapping_mul(MULTIPLIER);
            product ^ product >> 32
        });
    }

    pub fn hash(&self) -> u64 {
        crate::hash::mix::fmix64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn hash(tokens: impl Iterator<Item = u64>) -> u64 {
        let mut sequence = Sequence::default();
        sequence.add_all(tokens);
        sequence.hash()
    }

    /// The Thue-Morse sequence of two words and its complement.
    #[test]
    fn thue_morse_sequences_differ() {
        for exponent in 0..14 {
            let of = |words: [u64; 2]| {
                hash((0..1_u32 << exponent).map(|at| words[(at.count_ones() % 2) as usize]))
            };
            let (a, b) = (0xe68f_5b1f_4a3c_1d07, 0x0ab7_d9c3_5e12_f890);
            assert_ne!(of([a, b]), of([b, a]), "2^{exponent} words");
        }
    }

    #[test]
    fn prefixes_and_orders_differ() {
        let mut seen = HashSet::new();
        for len in 0..2000 {
            assert!(seen.insert(hash((0..len).map(|_| 7))), "{len} equal words");
            assert!(len < 2 || seen.insert(hash((1..=len).map(|at| at ^ 1 << 40))), "{len} words");
        }
    }
}
