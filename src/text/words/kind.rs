//! What a segment contains.
//!
//! In: a segment. Out: whether it is a word, and how its script is written ([`Kind`]).

use unicode_segmentation::UnicodeSegmentation;

/// What a word consists of, by its first letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No letter, but a number.
    Number,
    /// A letter of a script written with spaces.
    Spaced,
    /// A letter of a script written without spaces.
    Unspaced,
}

impl Kind {
    /// The kind of a segment, or `None` if it is no word.
    pub fn of(segment: &str) -> Option<Self> {
        let mut has_number = false;
        for c in segment.chars().filter(|&c| is_alphanumeric(c)) {
            if !is_number(c) {
                return Some(if is_unspaced(c) { Kind::Unspaced } else { Kind::Spaced });
            }
            has_number = true;
        }
        has_number.then_some(Kind::Number)
    }
}

/// Whether `c` has the property Alphabetic or the General_Category Number.
///
/// Not by `char::is_alphanumeric`, whose Unicode version is the compiler's: `unicode-segmentation` uses its own tables if that
/// is not 17.0.0, but exports only words.
fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.encode_utf8(&mut [0; 4]).unicode_words().next().is_some()
}

/// Whether an alphanumeric character is not a letter: General_Category Number without Alphabetic.
fn is_number(c: char) -> bool {
    let at = NUMBERS.partition_point(|&(_, last)| last < c);
    NUMBERS.get(at).is_some_and(|&(first, _)| first <= c)
}

/// Whether a letter is of a script written without spaces (Scripts.txt): Han, Hiragana, Katakana, Thai, Lao, Khmer or
/// Myanmar, or shared by the first three, as the long vowel mark is. A range is a whole block if the block has one script.
fn is_unspaced(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0e00..=0x0eff // Thai, Lao
            | 0x1000..=0x109f // Myanmar
            | 0x1780..=0x17ff // Khmer
            | 0x3005..=0x3007 // Han: iteration mark, closing mark, zero
            | 0x3021..=0x3029 // Han: Suzhou numerals
            | 0x3031..=0x303c // Kana repeat marks, more numerals, iteration and masu marks
            | 0x3041..=0x30ff // Hiragana, Katakana
            | 0x31f0..=0x31ff // Katakana phonetic extensions
            | 0x3400..=0x4dbf // Han
            | 0x4e00..=0x9fff // Han
            | 0xa9e0..=0xa9ff // Myanmar extended
            | 0xaa60..=0xaa7f // Myanmar extended
            | 0xf900..=0xfaff // Han compatibility
            | 0xff66..=0xff9f // halfwidth Katakana
            | 0x116d0..=0x116ff // Myanmar extended C
            | 0x16fe3 // Han: old iteration mark
            | 0x16ff0..=0x16ff6 // Han: reading marks
            | 0x1aff0..=0x1b16f // Kana supplements and extensions
            | 0x20000..=0x3ffff // Han: the supplementary and tertiary planes
    )
}

/// The ranges of [`is_number`], first and last character, in Unicode 17.0.0. The test below compares them with ICU4X.
#[rustfmt::skip]
static NUMBERS: [(char, char); 136] = [
    ('\u{30}', '\u{39}'), ('\u{b2}', '\u{b3}'), ('\u{b9}', '\u{b9}'), ('\u{bc}', '\u{be}'), ('\u{660}', '\u{669}'),
    ('\u{6f0}', '\u{6f9}'), ('\u{7c0}', '\u{7c9}'), ('\u{966}', '\u{96f}'), ('\u{9e6}', '\u{9ef}'),
    ('\u{9f4}', '\u{9f9}'), ('\u{a66}', '\u{a6f}'), ('\u{ae6}', '\u{aef}'), ('\u{b66}', '\u{b6f}'),
    ('\u{b72}', '\u{b77}'), ('\u{be6}', '\u{bf2}'), ('\u{c66}', '\u{c6f}'), ('\u{c78}', '\u{c7e}'),
    ('\u{ce6}', '\u{cef}'), ('\u{d58}', '\u{d5e}'), ('\u{d66}', '\u{d78}'), ('\u{de6}', '\u{def}'),
    ('\u{e50}', '\u{e59}'), ('\u{ed0}', '\u{ed9}'), ('\u{f20}', '\u{f33}'), ('\u{1040}', '\u{1049}'),
    ('\u{1090}', '\u{1099}'), ('\u{1369}', '\u{137c}'), ('\u{17e0}', '\u{17e9}'), ('\u{17f0}', '\u{17f9}'),
    ('\u{1810}', '\u{1819}'), ('\u{1946}', '\u{194f}'), ('\u{19d0}', '\u{19da}'), ('\u{1a80}', '\u{1a89}'),
    ('\u{1a90}', '\u{1a99}'), ('\u{1b50}', '\u{1b59}'), ('\u{1bb0}', '\u{1bb9}'), ('\u{1c40}', '\u{1c49}'),
    ('\u{1c50}', '\u{1c59}'), ('\u{2070}', '\u{2070}'), ('\u{2074}', '\u{2079}'), ('\u{2080}', '\u{2089}'),
    ('\u{2150}', '\u{215f}'), ('\u{2189}', '\u{2189}'), ('\u{2460}', '\u{249b}'), ('\u{24ea}', '\u{24ff}'),
    ('\u{2776}', '\u{2793}'), ('\u{2cfd}', '\u{2cfd}'), ('\u{3192}', '\u{3195}'), ('\u{3220}', '\u{3229}'),
    ('\u{3248}', '\u{324f}'), ('\u{3251}', '\u{325f}'), ('\u{3280}', '\u{3289}'), ('\u{32b1}', '\u{32bf}'),
    ('\u{a620}', '\u{a629}'), ('\u{a830}', '\u{a835}'), ('\u{a8d0}', '\u{a8d9}'), ('\u{a900}', '\u{a909}'),
    ('\u{a9d0}', '\u{a9d9}'), ('\u{a9f0}', '\u{a9f9}'), ('\u{aa50}', '\u{aa59}'), ('\u{abf0}', '\u{abf9}'),
    ('\u{ff10}', '\u{ff19}'), ('\u{10107}', '\u{10133}'), ('\u{10175}', '\u{10178}'), ('\u{1018a}', '\u{1018b}'),
    ('\u{102e1}', '\u{102fb}'), ('\u{10320}', '\u{10323}'), ('\u{104a0}', '\u{104a9}'), ('\u{10858}', '\u{1085f}'),
    ('\u{10879}', '\u{1087f}'), ('\u{108a7}', '\u{108af}'), ('\u{108fb}', '\u{108ff}'), ('\u{10916}', '\u{1091b}'),
    ('\u{109bc}', '\u{109bd}'), ('\u{109c0}', '\u{109cf}'), ('\u{109d2}', '\u{109ff}'), ('\u{10a40}', '\u{10a48}'),
    ('\u{10a7d}', '\u{10a7e}'), ('\u{10a9d}', '\u{10a9f}'), ('\u{10aeb}', '\u{10aef}'), ('\u{10b58}', '\u{10b5f}'),
    ('\u{10b78}', '\u{10b7f}'), ('\u{10ba9}', '\u{10baf}'), ('\u{10cfa}', '\u{10cff}'), ('\u{10d30}', '\u{10d39}'),
    ('\u{10d40}', '\u{10d49}'), ('\u{10e60}', '\u{10e7e}'), ('\u{10f1d}', '\u{10f26}'), ('\u{10f51}', '\u{10f54}'),
    ('\u{10fc5}', '\u{10fcb}'), ('\u{11052}', '\u{1106f}'), ('\u{110f0}', '\u{110f9}'), ('\u{11136}', '\u{1113f}'),
    ('\u{111d0}', '\u{111d9}'), ('\u{111e1}', '\u{111f4}'), ('\u{112f0}', '\u{112f9}'), ('\u{11450}', '\u{11459}'),
    ('\u{114d0}', '\u{114d9}'), ('\u{11650}', '\u{11659}'), ('\u{116c0}', '\u{116c9}'), ('\u{116d0}', '\u{116e3}'),
    ('\u{11730}', '\u{1173b}'), ('\u{118e0}', '\u{118f2}'), ('\u{11950}', '\u{11959}'), ('\u{11bf0}', '\u{11bf9}'),
    ('\u{11c50}', '\u{11c6c}'), ('\u{11d50}', '\u{11d59}'), ('\u{11da0}', '\u{11da9}'), ('\u{11de0}', '\u{11de9}'),
    ('\u{11f50}', '\u{11f59}'), ('\u{11fc0}', '\u{11fd4}'), ('\u{16130}', '\u{16139}'), ('\u{16a60}', '\u{16a69}'),
    ('\u{16ac0}', '\u{16ac9}'), ('\u{16b50}', '\u{16b59}'), ('\u{16b5b}', '\u{16b61}'), ('\u{16d70}', '\u{16d79}'),
    ('\u{16e80}', '\u{16e96}'), ('\u{1ccf0}', '\u{1ccf9}'), ('\u{1d2c0}', '\u{1d2d3}'), ('\u{1d2e0}', '\u{1d2f3}'),
    ('\u{1d360}', '\u{1d378}'), ('\u{1d7ce}', '\u{1d7ff}'), ('\u{1e140}', '\u{1e149}'), ('\u{1e2f0}', '\u{1e2f9}'),
    ('\u{1e4f0}', '\u{1e4f9}'), ('\u{1e5f1}', '\u{1e5fa}'), ('\u{1e8c7}', '\u{1e8cf}'), ('\u{1e950}', '\u{1e959}'),
    ('\u{1ec71}', '\u{1ecab}'), ('\u{1ecad}', '\u{1ecaf}'), ('\u{1ecb1}', '\u{1ecb4}'), ('\u{1ed01}', '\u{1ed2d}'),
    ('\u{1ed2f}', '\u{1ed3d}'), ('\u{1f100}', '\u{1f10c}'), ('\u{1fbf0}', '\u{1fbf9}'),
];

#[cfg(test)]
mod tests {
    use icu_properties::{
        CodePointMapData, CodePointSetData,
        props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
        script::ScriptWithExtensions,
    };
    use std::string::String;

    use super::*;

    #[test]
    fn each_character_has_the_kind_that_icu4x_gives_it() {
        let alphabetic = CodePointSetData::new::<Alphabetic>();
        let categories = CodePointMapData::<GeneralCategory>::new();
        let scripts = ScriptWithExtensions::new();
        let unspaced = |c: char| match scripts.get_script_val(c) {
            Script::Common => [Script::Han, Script::Hiragana, Script::Katakana]
                .iter()
                .any(|&script| scripts.has_script(c, script)),
            Script::Han | Script::Hiragana | Script::Katakana => true,
            Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar => true,
            _ => false,
        };
        for c in '\0'..=char::MAX {
            let expected = if alphabetic.contains(c) {
                Some(if unspaced(c) { Kind::Unspaced } else { Kind::Spaced })
            } else {
                let is_number = GeneralCategoryGroup::Number.contains(categories.get(c));
                is_number.then_some(Kind::Number)
            };
            assert_eq!(Kind::of(&String::from(c)), expected, "{c:?}");
        }
    }
}
