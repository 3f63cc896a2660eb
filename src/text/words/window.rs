//! Words in a window of 64 bytes, all at once: where they start and end comes out by arithmetic on numbers of 64 bits, in
//! which every byte has one.
//!
//! A window knows the characters that most text is made of, see [`Classes`]. It leaves off where another comes, or at its
//! own end: what is there may attach to what stands before (WB4), or be joined to it by a character between (WB6, WB7,
//! WB11, WB12). That is for the automaton, or for the next window, which starts at a segment boundary too.

use super::{NUMBER, Word, classes::Classes};
use crate::simd::{LEN, SEEN, below};

/// The words that a window found and that were not taken yet.
#[derive(Clone, Copy, Default)]
pub(super) struct Window {
    /// Its first byte in the text.
    base: usize,
    /// The first byte of each word and the one behind its last. There may be more starts than ends.
    starts: u64,
    ends: u64,
    /// Which of the ends are of words that have a letter, and of words of scripts written without spaces.
    lettered: u64,
    unspaced: u64,
}

/// How far a window came, in bytes.
pub(super) struct Reach {
    /// To the segment boundary up to which all words are found.
    pub decided: usize,
    /// To the character that it does not know, or to its end.
    pub known: usize,
}

impl Window {
    /// The words from the segment boundary `base` on, where `bytes` are. Behind the end of the text there are zeros.
    #[inline]
    pub fn new(bytes: &[u8; SEEN], base: usize) -> (Self, Reach) {
        let classes = Classes::of(bytes);
        let Classes { letters, digits, underscores, katakana, first_ideograph, .. } = classes;
        let runs = letters | digits | underscores;
        let known = (!classes.known | classes.unsure(runs)).trailing_zeros();
        let runs = runs | classes.joiners(bytes, runs);
        let first_of = |runs: u64| runs & !(runs << 1);
        let behind = |runs: u64| runs << 1 & !runs;
        let starts = first_of(runs) | first_of(katakana) | first_ideograph;
        let unspaced = behind(katakana) | first_ideograph << 3;
        let ends = behind(runs) | unspaced;
        // A run is a row of ones: added to, it carries to where it ends.
        let lettered = runs.wrapping_add(letters) & !runs | unspaced;

        // A word is sure if the character behind it is known, and no joiner. The last character may be one.
        let words = (runs | katakana | first_ideograph) & below(known);
        let others = classes.first_other & below(known);
        let (mut last, mut limit) = (known, known);
        if others > words {
            last = others.ilog2();
            let is_space = |at: u32| bytes[at as usize] == b' ';
            limit = last + u32::from(is_space(last));
            // White space in a row is one segment (WB3d).
            while last > 0 && is_space(last) && is_space(last - 1) {
                last -= 1;
            }
        }
        let ends = ends & below(limit);
        let undecided = starts & !below(LEN.saturating_sub(ends.leading_zeros() + 1));
        let decided = undecided.trailing_zeros().min(last) as usize;
        let reach = Reach { decided, known: known as usize };
        (Window { base, starts, ends, lettered, unspaced }, reach)
    }

    /// Takes the next words, as many as there are and as there is place for.
    #[inline]
    pub fn take(&mut self, words: &mut [Word]) -> usize {
        let Window { base, mut starts, mut ends, lettered, unspaced } = *self;
        let mut len = 0;
        for place in words {
            if ends == 0 {
                break;
            }
            let (start, end) = (starts.trailing_zeros(), ends.trailing_zeros());
            let kind = NUMBER + (lettered >> end & 1) as u8 + (unspaced >> end & 1) as u8;
            *place = Word { start: base + start as usize, end: base + end as usize, kind };
            starts &= starts - 1;
            ends &= ends - 1;
            len += 1;
        }
        (self.starts, self.ends) = (starts, ends);
        len
    }
}
