//! The words of one window.
//!
//! In: 67 bytes that start at a segment boundary. Out: the words that these bytes decide, and the boundary at which the search
//! goes on. Word starts and ends are computed for all 64 bytes at once, on numbers with one bit a byte.
//!
//! A window knows common characters ([`Classes`]). It decides nothing from the first unknown character on, nor at its own
//! end: the next character may attach to the last one (WB4), or be connected by a joiner (WB6, WB7, WB11, WB12).
//! `unicode-segmentation`, or the next window, decides those words.

use super::{Word, WordRule, classes::Classes};
use crate::simd::window::{READ, WINDOW, mask_below};

/// The words of a window that have not been taken.
#[derive(Clone, Copy, Default)]
pub(super) struct FoundWords {
    /// The window's first byte in the text.
    base: usize,
    /// The first byte of each word, and the byte after its last. A start without an end belongs to an undecided word.
    starts: u64,
    ends: u64,
    /// The ends of dense words, and of words of scripts written without spaces.
    dense: u64,
    unspaced: u64,
}

/// The reach of a window's decisions, in bytes from its start.
pub(super) struct Progress {
    /// The segment boundary up to which all words are found.
    pub decided: usize,
    /// The first unknown character, or the window's end.
    pub known: usize,
}

impl FoundWords {
    /// Finds words in `bytes`, which start at byte `base` of the text. After the text's end they are zero.
    #[inline]
    pub fn scan(bytes: &[u8; READ], base: usize, rule: WordRule) -> (Self, Progress) {
        let classes = Classes::of(bytes, rule);
        let Classes { letters, digits, underscores, katakana, clusters, cluster_starts, .. } =
            classes;
        let runs = letters | digits | underscores;
        let known = (!classes.known | classes.ambiguous(bytes, runs)).trailing_zeros();
        let runs = runs | classes.joiners(bytes, runs);
        let starts_of = |runs: u64| runs & !(runs << 1);
        let ends_of = |runs: u64| runs << 1 & !runs;
        let starts = starts_of(runs) | starts_of(katakana) | cluster_starts;
        // A cluster ends where another starts, or where none goes on.
        let unspaced = ends_of(katakana) | clusters << 1 & (!clusters | cluster_starts);
        let ends = ends_of(runs) | unspaced;
        // Adding a letter's bit to its run, a row of ones, carries to the run's end.
        let lettered = runs.wrapping_add(letters) & !runs;

        // A word is decided if the character after it is known and not a joiner. The last known character may be one.
        let words = (runs | katakana | clusters) & mask_below(known);
        let others = classes.other_starts & mask_below(known);
        let (mut last, mut limit) = (known, known);
        if others > words {
            last = others.ilog2();
            let is_space = |at: u32| bytes[at as usize] == b' ';
            limit = last + u32::from(is_space(last));
            // Consecutive white space is one segment (WB3d).
            while last > 0 && is_space(last) && is_space(last - 1) {
                last -= 1;
            }
        }
        let ends = ends & mask_below(limit);
        let last_end = (WINDOW as u32).saturating_sub(ends.leading_zeros() + 1);
        let undecided = starts & !mask_below(last_end);
        let decided = undecided.trailing_zeros().min(last) as usize;
        let dense = !lettered | unspaced;
        let progress = Progress { decided, known: known as usize };
        (FoundWords { base, starts, ends, dense, unspaced }, progress)
    }

    /// Moves the next words into `words` until either is exhausted, and returns how many it moved.
    #[inline]
    pub fn take(&mut self, words: &mut [Word]) -> usize {
        let FoundWords { base, mut starts, mut ends, dense, unspaced } = *self;
        let mut len = 0;
        for word in words {
            if ends == 0 {
                break;
            }
            let (start, end) = (starts.trailing_zeros(), ends.trailing_zeros());
            *word = Word {
                start: base + start as usize,
                end: base + end as usize,
                is_dense: dense >> end & 1 != 0,
                is_unspaced: unspaced >> end & 1 != 0,
            };
            starts &= starts - 1;
            ends &= ends - 1;
            len += 1;
        }
        (self.starts, self.ends) = (starts, ends);
        len
    }
}
