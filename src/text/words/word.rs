//! Words, and the rules by which a text has them.

/// A word, and how its script is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The first byte in the text, and the byte after the last.
    pub start: usize,
    pub end: usize,
    /// Whether the word says little by itself: it is a number, or its script is written without spaces. A dense word alone
    /// is a gram only in a text of one word.
    pub is_dense: bool,
    /// Whether the script is written without spaces: see [`WordRule`].
    pub is_unspaced: bool,
}

/// The rule by which a text has words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordRule {
    /// The words of fingerprints, which never change: the segments of UAX #29 that have a letter or a number. Scripts without
    /// spaces are Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar. UAX #29 makes one word of each Han or Hiragana
    /// character, of each Thai, Lao, Khmer or Myanmar cluster, and of a whole Katakana run.
    V1,
    /// The words of sketches. In more scripts without spaces, whose letters UAX #29 joins, each letter with the marks on it is
    /// a word: see [`is_split`].
    S1,
}

/// Returns whether a character is of a script without spaces whose letters UAX #29 joins.
pub(super) fn is_split(c: char) -> bool {
    matches!(c,
        // Bopomofo.
        '\u{3105}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}'
        // Tai Le and New Tai Lue, Tai Tham, Balinese and Sundanese.
        | '\u{1950}'..='\u{19df}' | '\u{1a20}'..='\u{1aaf}' | '\u{1b00}'..='\u{1bbf}'
        // Yi, Javanese, Cham, Tai Viet.
        | '\u{a000}'..='\u{a48c}' | '\u{a980}'..='\u{a9df}' | '\u{aa00}'..='\u{aa5f}' | '\u{aa80}'..='\u{aadf}'
        // Hieroglyphs.
        | '\u{13000}'..='\u{143ff}')
}
