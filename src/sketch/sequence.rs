//! Equality: two hashes of the words and symbols of a text in order.
//!
//! Both take the same tokens: each folded word; after it, what folding changed in it, so that texts with other accents differ;
//! and the [`symbols`] between words. Two texts with equal hashes have the same tokens, up to collisions.

use core::ops::Range;

use super::{scope::Scope, symbols};
use crate::{
    features::{MULTIPLIER, Tokens},
    hash::{Hash, Key, mix},
    text::{fold::Change, is_white_space, words::Word},
};

/// The multiplier of the second hash (G. Steele and S. Vigna, *Computationally easy, spectrally good multipliers for
/// congruential pseudorandom number generators*, 2021).
const SECOND_MULTIPLIER: u64 = 0xd134_2543_de82_ef95;

/// Two hashes of a text. The lowest bit of the first is 1 for a short or brief text, and the next one for a blank text. These
/// bits follow from the tokens, so texts with equal tokens have equal hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SequenceHash {
    pub first: u64,
    pub second: u64,
}

impl SequenceHash {
    const FEW: u64 = 1;
    const BLANK: u64 = 2;

    /// Returns the hashes with the bit of a text with few features.
    pub fn with_few_features(self, has_few: bool) -> Self {
        let few = if has_few { Self::FEW } else { 0 };
        SequenceHash { first: self.first & !Self::FEW | few, ..self }
    }

    /// Returns the hashes without the bit of a blank text.
    pub fn with_content(self) -> Self {
        SequenceHash { first: self.first & !Self::BLANK, ..self }
    }

    /// Returns both hashes as one number.
    pub fn number(self) -> u128 {
        u128::from(self.first) | u128::from(self.second) << 64
    }

    /// Returns whether the text has fewer features than [`BRIEF_FEATURES`](super::BRIEF_FEATURES).
    pub fn has_few_features(self) -> bool {
        self.first & Self::FEW != 0
    }

    /// Returns whether the text has no words and symbols or, in schemes of characters, only white space.
    pub fn is_blank(self) -> bool {
        self.first & Self::BLANK != 0
    }
}

/// The states of both hashes.
///
/// A polynomial modulo 2^64, such as the hash of a gram, cannot replace the first: for every odd multiplier, the Thue-Morse
/// sequence of two words and its complement collide at 1,024 words. The shifts make each step nonlinear.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    first: u64,
    second: u64,
}

impl State {
    /// Returns the state after another token.
    #[inline]
    fn and(self, token: u64) -> Self {
        let first = (self.first ^ token).wrapping_mul(MULTIPLIER);
        let second = self.second.wrapping_add(token).wrapping_mul(SECOND_MULTIPLIER);
        State { first: first ^ first >> 32, second: second ^ second >> 29 }
    }
}

/// The tokens of a text so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    state: State,
    /// Whether the text so far is not blank.
    has_content: bool,
    /// The end of the last word in this part of the text, or 0.
    end: usize,
    // In schemes of characters:
    /// The changes of letters so far, with their positions; `None` before the first.
    changes: Option<State>,
    /// The number of characters so far that are not white space.
    len: u64,
}

impl Sequence {
    /// Appends words by their hashes, which are of `hash`, with the symbols before each and the changes in each; or characters by
    /// their code points.
    #[inline]
    pub fn add_tokens(&mut self, hash: Hash, tokens: Tokens<'_>) {
        self.has_content |= tokens.len() > 0;
        match tokens {
            Tokens::Words(text, words, hashes, mut changes) => {
                let (mut state, mut end) = (self.state, self.end);
                for (word, &token) in words.iter().zip(hashes) {
                    let gap = end..word.start;
                    if symbols::are_possible(text, gap.clone()) {
                        state = add_symbols(state, hash, text, gap);
                    }
                    state = state.and(token);
                    if changes.first().is_some_and(|change| change.end <= word.end) {
                        (state, changes) = add_changes(state, hash, word, changes);
                    }
                    end = word.end;
                }
                (self.state, self.end) = (state, end);
            }
            Tokens::Chars(chars) => {
                let codes = chars.iter().map(|char| u32::from(char.decode()).into());
                self.state = codes.fold(self.state, State::and);
            }
        }
    }

    /// Appends the symbols after the last word of a part of the text, whose features are of words. The next part starts with a new
    /// `text`.
    pub fn end_words(&mut self, hash: Hash, text: &str) {
        let gap = self.end..text.len();
        if symbols::are_possible(text, gap.clone()) {
            symbols::each(text, gap, |c| {
                self.has_content = true;
                self.state = self.state.and(symbol_token(hash, c));
            });
        }
        self.end = 0;
    }

    /// Appends the changes in a part of the text, whose features are of characters. Runs of white space count as one character, so
    /// white space does not count in the positions of changes.
    pub fn end_chars(&mut self, hash: Hash, text: &str, changes: &[Change]) {
        let len_of = |text: &str| text.chars().filter(|&c| !is_white_space(c)).count() as u64;
        let mut start = 0;
        for change in changes {
            self.len += len_of(&text[start..change.end]);
            start = change.end;
            let token = change_token(hash, self.len, change.from);
            self.changes = Some(self.changes.unwrap_or_default().and(token));
        }
        self.len += len_of(&text[start..]);
    }

    /// Returns the hashes, without the bit of a text with few features.
    pub fn hash(&self, scope: Scope) -> SequenceHash {
        let mut state = self.state;
        if let Some(changes) = self.changes {
            state = state.and(changes.first).and(changes.second);
        }
        let [first, second] = [state.first, state.second].map(|state| mix::fmix64(state ^ scope.0));
        let hash = SequenceHash { first, second }.with_few_features(false).with_content();
        if self.has_content {
            return hash;
        }
        SequenceHash { first: hash.first | SequenceHash::BLANK, ..hash }
    }
}

/// Returns the state after the changes in a word, and the changes after it.
#[inline(never)]
fn add_changes<'c>(
    mut state: State,
    hash: Hash,
    word: &Word,
    mut changes: &'c [Change],
) -> (State, &'c [Change]) {
    while let Some((change, rest)) = changes.split_first()
        && change.end <= word.end
    {
        // A mark that is on no word is in no word.
        if change.end > word.start {
            let position = (change.end - word.start) as u64;
            state = state.and(change_token(hash, position, change.from));
        }
        changes = rest;
    }
    (state, changes)
}

/// Returns the token of a change: its position, at least 1, and the character of the normalised text.
fn change_token(hash: Hash, position: u64, from: char) -> u64 {
    let number = position << 32 | u64::from(from);
    match hash {
        Hash::Keyed(key) => keyed_token(key, number),
        Hash::Fnv1 | Hash::Fnv1a => !number,
    }
}

/// Returns the token of a change with a key. Inlined, it would make each call of [`add_changes`] slower.
#[inline(never)]
fn keyed_token(key: Key, number: u64) -> u64 {
    key.hash(&number.to_le_bytes())
}

/// Returns the token of a symbol.
fn symbol_token(hash: Hash, c: char) -> u64 {
    match hash {
        Hash::Keyed(key) => key.hash(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // The complement of a code point is not a code point, and has position 0.
        Hash::Fnv1 | Hash::Fnv1a => !u64::from(u32::from(c)),
    }
}

/// Returns the state after the symbols of a gap.
#[inline(never)]
fn add_symbols(mut state: State, hash: Hash, text: &str, gap: Range<usize>) -> State {
    symbols::each(text, gap, |c| state = state.and(symbol_token(hash, c)));
    state
}
