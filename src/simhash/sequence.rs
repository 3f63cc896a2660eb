//! The hash of a text's words in order: two texts with equal hashes have the same words, up to collisions.

use super::features::{MULTIPLIER, Tokens};

/// The hash of the words, or the characters, so far.
///
/// A polynomial modulo 2^64, such as the hash of a gram, cannot replace it: for every odd multiplier, the Thue-Morse
/// sequence of two words and its complement collide at 1,024 words. The shift makes each step nonlinear.
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
