//! The hash of a text's words and symbols in order: two texts with equal hashes have the same ones, up to collisions.

use core::ops::Range;

use super::{
    features::{MULTIPLIER, Tokens},
    scope::Scope,
};
use crate::{
    hash::{Hash, mix},
    text::symbols,
};

/// The bit of the hash of a text that states that it is blank: it has neither words nor symbols, or only white space in
/// schemes of characters.
pub(crate) const BLANK: u64 = 2;

/// The hash of the words and symbols, or the characters, so far.
///
/// A polynomial modulo 2^64, such as the hash of a gram, cannot replace it: for every odd multiplier, the Thue-Morse
/// sequence of two words and its complement collide at 1,024 words. The shift makes each step nonlinear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    state: u64,
    /// Whether the text so far is not blank.
    has_content: bool,
    /// The end of the last word in this part of the text, or 0.
    end: usize,
}

impl Sequence {
    /// Appends words by their hashes, which are of `hash`, with the symbols before each; or characters by their code points.
    #[inline]
    pub fn add_tokens(&mut self, hash: Hash, tokens: Tokens<'_>) {
        self.has_content |= tokens.len() > 0;
        match tokens {
            Tokens::Words(text, words, hashes) => {
                let (mut state, mut end) = (self.state, self.end);
                for (word, &token) in words.iter().zip(hashes) {
                    let gap = end..word.start;
                    if symbols::are_possible(text, gap.clone()) {
                        state = add_symbols(state, hash, text, gap);
                    }
                    state = add(state, token);
                    end = word.end;
                }
                (self.state, self.end) = (state, end);
            }
            Tokens::Chars(chars) => {
                let codes = chars.iter().map(|char| u32::from(char.decode()).into());
                self.state = codes.fold(self.state, add);
            }
        }
    }

    /// Appends the symbols after the last word of a part of the text. The next part starts with a new `text`.
    pub fn end_part(&mut self, hash: Hash, text: &str) {
        let gap = self.end..text.len();
        if symbols::are_possible(text, gap.clone()) {
            let before = self.state;
            self.state = add_symbols(before, hash, text, gap);
            self.has_content |= self.state != before;
        }
        self.end = 0;
    }

    /// Returns the hash with lowest bit 0, and the bit [`BLANK`].
    pub fn hash(&self, scope: Scope) -> u64 {
        let blank = if self.has_content { 0 } else { BLANK };
        mix::fmix64(self.state ^ scope.0) & !(BLANK | 1) | blank
    }
}

/// Returns the state after another token.
#[inline]
fn add(state: u64, token: u64) -> u64 {
    let product = (state ^ token).wrapping_mul(MULTIPLIER);
    product ^ product >> 32
}

/// Returns the state after the symbols of a gap.
#[inline(never)]
fn add_symbols(mut state: u64, hash: Hash, text: &str, gap: Range<usize>) -> u64 {
    symbols::each(text, gap, |c| {
        // The complement of a code point is no code point.
        let token = match hash {
            Hash::Keyed(key) => key.hash(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Hash::Fnv1 | Hash::Fnv1a => !u64::from(u32::from(c)),
        };
        state = add(state, token);
    });
    state
}
