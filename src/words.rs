//! Words: UAX #29 word segments that hold a letter or a digit, as `unicode-segmentation` finds
//! them in Unicode [`UNICODE_VERSION`](crate::UNICODE_VERSION).

use unicode_segmentation::UnicodeSegmentation;

/// A word, and how its script is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub text: &'a str,
    /// Whether the word by itself says little: a character or a run of a script written without
    /// spaces, or a number. Such words count only together with the words that follow.
    pub dense: bool,
}

impl Word<'_> {
    /// The first letter, if there is one.
    fn letter(&self) -> Option<char> {
        self.text.chars().find(|c| c.is_alphabetic())
    }

    /// Whether its script is written without spaces.
    pub fn is_unspaced(&self) -> bool {
        self.letter().is_some_and(is_unspaced)
    }
}

/// The words of `text` in order. O(text).
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.unicode_words().map(|text| Word {
        text,
        dense: text.chars().find(|c| c.is_alphabetic()).is_none_or(is_unspaced),
    })
}

/// Whether the letter `c` belongs to a script written without spaces between words: Han, Hiragana,
/// Katakana, Thai, Lao, Khmer, Myanmar (Scripts.txt; whole blocks where a block is one script's),
/// or to Japanese at large, as the long vowel mark does.
///
/// UAX #29 gives one Han or Hiragana character, one Thai, Lao, Khmer or Myanmar cluster, and a
/// whole Katakana run as a word.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff        // Thai, Lao
        | 0x1000..=0x109f      // Myanmar
        | 0x1780..=0x17ff      // Khmer
        | 0x3005..=0x3007      // Han: iteration mark, closing mark, zero
        | 0x3021..=0x3029      // Han: Suzhou numerals
        | 0x3031..=0x303c      // Kana repeat marks, more numerals, iteration and masu marks
        | 0x3041..=0x30ff      // Hiragana, Katakana
        | 0x31f0..=0x31ff      // Katakana phonetic extensions
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff // Han
        | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f // Myanmar extended
        | 0xf900..=0xfaff      // Han compatibility
        | 0xff66..=0xff9f      // halfwidth Katakana
        | 0x116d0..=0x116ff    // Myanmar extended C
        | 0x1aff0..=0x1b16f    // Kana supplements and extensions
        | 0x16fe3 | 0x16ff0..=0x16ff6 // Han: old iteration and reading marks
        | 0x20000..=0x3ffff    // Han: the supplementary and tertiary planes
    )
}

/// The last position at which `text` can be cut without changing its words, whatever may follow
/// it: the words of `text` are those of `text[..cut]` and then those of `text[cut..]`. 0 if there
/// is none behind the first `searched` bytes, where none was found before. O(text - searched).
pub(crate) fn last_cut(text: &str, searched: usize) -> usize {
    let mut next: Option<(usize, char)> = None;
    for (at, c) in text.char_indices().rev() {
        if let Some((cut, first)) = next
            && starts_segment(first)
            // White space joins the white space before it (WB3, WB3d).
            && !(first.is_whitespace() && c.is_whitespace())
        {
            return cut;
        }
        if at < searched {
            break;
        }
        next = Some((at, c));
    }
    0
}

/// Whether `c` starts a segment whatever comes before it, and ends the one before it as the end of
/// the text does: UAX #29 then sees the boundary by its last rule (WB999), and nothing on one side
/// depends on the other. Only common characters; it is enough to find one now and then.
fn starts_segment(c: char) -> bool {
    match c {
        '\0'..='\x7f' => {
            !(c.is_ascii_alphanumeric() || matches!(c, '"' | '\'' | ',' | '.' | ':' | ';' | '_'))
        }
        // Hiragana and Han: of the class Other in WordBreakProperty.txt.
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => true,
        // Consonants of Thai, Lao, Khmer and Myanmar: of the class Other too.
        '\u{e01}'..='\u{e30}'
        | '\u{e94}'..='\u{e97}'
        | '\u{1000}'..='\u{102a}'
        | '\u{1780}'..='\u{17b3}' => true,
        _ => false,
    }
}
