//! Normalisation: [NFKC_Casefold], the first step from a text to its fingerprint.
//!
//! In: a text. Out: its normalised text. Full-width letters, ligatures, capitals and decomposed accents are unified;
//! invisible characters (soft hyphens, joiners, variation selectors) are removed. Section 3.13 of the Unicode Standard
//! defines it: map each character by the property NFKC_CF, then convert the whole to Normalization Form C.
//!
//! # Algorithm
//!
//! A *segment* starts with a character that never interacts with earlier text, and ends before the next one. Segments
//! normalise independently, and nearly all of them are one character long. So
//!
//! 1. a run of unchanged characters is copied whole. It may contain marks that are in canonical order and compose with
//!    nothing, as in Arabic, Hindi or Thai. Windows of 64 bytes find most of these characters (`plain.rs`). The ASCII
//!    letters of the result become lower case at the end;
//! 2. a character that folds to others is replaced by them;
//! 3. a segment with any other mark is normalised from its start: decomposed, sorted and composed.
//!
//! # Cost
//!
//! Linear, except where marks are sorted. Windows advance by at least 61 bytes, or to the first character that is not plain;
//! then one character is looked up, in a table of two levels. A segment is normalised from its start at most once, and is
//! then consumed. Its marks are sorted by combining class: O(m log m) for a run of m.
//!
//! The tables are our own, of one Unicode version, since a fingerprint must never change with a dependency.
//!
//! [NFKC_Casefold]: https://www.unicode.org/reports/tr44/#NFKC_Casefold

use alloc::string::String;

use self::{
    plain::Plain,
    segment::{Scratch, push_segment},
    unicode::{CharData, Unicode},
};

mod hangul;
mod plain;
mod segment;
mod tables;
mod unicode;

/// The version of the [Unicode Character Database](https://www.unicode.org/reports/tr44/) of normalisation and of words.
///
/// It belongs to the scheme, so it never changes for a scheme.
///
/// ```
/// assert_eq!(nearprint::normalize::UNICODE_VERSION, (17, 0, 0));
/// ```
pub const UNICODE_VERSION: (u8, u8, u8) = tables::UNICODE_VERSION;

/// Returns the NFKC_Casefold of a text.
///
/// Time is linear in the text, and O(m log m) for a run of m marks. Memory is needed for the result and for the longest
/// segment: a character and the marks on it.
///
/// Source: [The Unicode Standard, section 3.13](https://www.unicode.org/versions/latest/core-spec/chapter-3/#G33992),
/// `toNFKC_Casefold`.
///
/// ```
/// use nearprint::normalize::nfkc_casefold;
///
/// assert_eq!(nfkc_casefold("Straße"), "strasse");
/// assert_eq!(nfkc_casefold("ﬁne ＡＢＣ①"), "fine abc1");
/// assert_eq!(nfkc_casefold("Cafe\u{301}"), "café");
/// assert_eq!(nfkc_casefold("soft\u{ad}ly"), "softly");
/// ```
#[must_use]
pub fn nfkc_casefold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    nfkc_casefold_into(text, &mut out);
    out
}

/// Appends the NFKC_Casefold of a text to `out`, to reuse its allocation.
///
/// The earlier content of `out` stays the same and does not affect the result. Time and memory are as for [`nfkc_casefold`].
///
/// ```
/// let mut out = String::from("> ");
/// nearprint::normalize::nfkc_casefold_into("ÎLE", &mut out);
/// assert_eq!(out, "> île");
/// ```
pub fn nfkc_casefold_into(text: &str, out: &mut String) {
    let before = out.len();
    if text.is_ascii() {
        // This needs no tables, which are expanded at first use.
        out.push_str(text);
        out[before..].make_ascii_lowercase();
        return;
    }
    let unicode = Unicode::get();
    let mut scratch = Scratch::default();
    let mut segment = Segment { start: 0, out_start: before, starter: None, class: 0 };
    let mut plain = Plain::new(text, unicode);
    let mut at = 0;
    loop {
        let run_start = at;
        let changed = loop {
            let end = plain.end(at);
            if end > at {
                segment.begin_last(&text[..end], unicode);
                at = end;
            }
            let Some(c) = text[at..].chars().next() else { break None };
            let data = unicode.char_data(c);
            if data.kind() == CharData::QUICK {
                segment.begin(at, Some(c));
            } else if !segment.try_accept(c, data, unicode) {
                break Some((c, data));
            }
            at += c.len_utf8();
        };
        if segment.start >= run_start {
            segment.out_start = out.len() + segment.start - run_start;
        }
        out.push_str(&text[run_start..at]);

        let Some((c, data)) = changed else { break };
        if data.starts_segment() {
            segment.out_start = out.len();
        }
        match data.kind() {
            CharData::CHAR => {
                segment.begin(at, Some(data.char()));
                out.push(data.char());
            }
            CharData::STRING => {
                segment.begin(at, None);
                segment.class = Segment::UNKNOWN;
                out.extend(unicode.string(data));
            }
            CharData::NOTHING => {}
            _ => {
                out.truncate(segment.out_start);
                at = segment.start
                    + push_segment(&text[segment.start..], unicode, out, &mut scratch);
                continue;
            }
        }
        at += c.len_utf8();
    }
    out[before..].make_ascii_lowercase(); // folded characters have no capitals
}

/// The normalisation of a text before it is cut into features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Normalize {
    /// Unicode NFKC_Casefold: case, width, compatibility forms and ignorable characters make no
    /// difference. The default.
    #[default]
    NfkcCasefold,
    /// The text is used unchanged.
    None,
}

impl Normalize {
    /// Appends `text` to `out`, normalised in this way.
    pub(crate) fn append(self, text: &str, out: &mut String) {
        match self {
            Normalize::NfkcCasefold => nfkc_casefold_into(text, out),
            Normalize::None => out.push_str(text),
        }
    }
}

/// Returns the characters with a canonical decomposition into two characters, without Hangul, in the order of their code points.
pub(super) fn composites() -> impl Iterator<Item = char> {
    Unicode::get().composites()
}

/// Returns the canonical decomposition of a character into two.
pub(super) fn parts(c: char) -> Option<(char, char)> {
    Unicode::get().parts(c)
}

/// Returns the start of the last segment of a text: a position at which a longer text that starts with this one may be cut.
///
/// If it returns `at`, then `text[..at]`, and `text[at..]` followed by any text, normalise separately to the two parts of the
/// normalised whole. In ordinary text it is the position of the last character.
///
/// Returns `None` if no segment starts in the text: it is empty, or continues the segment before it. Whether a character
/// starts a segment depends on that character alone. So a stream passes only its newest chunk, and reads nothing twice.
///
/// Reads the text backwards, from its end to the returned position.
///
/// ```
/// use nearprint::normalize::boundary;
///
/// assert_eq!(boundary("Cafe"), Some(3)); // an accent may follow
/// assert_eq!(boundary("Cafe\u{301}\u{323}"), Some(3));
/// assert_eq!(boundary("\u{301}"), None);
/// ```
#[must_use]
pub fn boundary(text: &str) -> Option<usize> {
    let unicode = Unicode::get();
    let last = text.char_indices().rfind(|&(_, c)| unicode.char_data(c).starts_segment());
    last.map(|(at, _)| at)
}

/// The current segment, while it is copied or folded character by character.
struct Segment {
    /// Its first byte in the text.
    start: usize,
    /// Its first byte in the result.
    out_start: usize,
    /// Its last starter, folded; `None` after unfolded ASCII and after a string.
    starter: Option<char>,
    /// The Canonical_Combining_Class of the last character of the result, or `UNKNOWN`.
    class: u8,
}

impl Segment {
    /// Not a Canonical_Combining_Class.
    const UNKNOWN: u8 = u8::MAX;

    fn begin(&mut self, start: usize, starter: Option<char>) {
        (self.start, self.starter, self.class) = (start, starter, 0);
    }

    /// Begins the last segment of a text that ends with a run of plain characters: the last character, or the one before it and
    /// a MARK.
    #[inline]
    fn begin_last(&mut self, text: &str, unicode: &Unicode) {
        let mut chars = text.char_indices().rev();
        let Some((start, last)) = chars.next() else { return };
        self.begin(start, Some(last).filter(|c| !c.is_ascii()));
        let data = unicode.char_data(last);
        if data.kind() == CharData::MARK
            && let Some((start, base)) = chars.next()
        {
            self.begin(start, Some(base).filter(|c| !c.is_ascii()));
            self.class = data.class();
        }
    }

    /// Returns whether a character that starts no segment leaves all unchanged; if so, adds it.
    ///
    /// A MARK in canonical order changes nothing, whatever the starter. A decomposed starter is composed again: marks sorted
    /// before its own marks have lower classes and compose with nothing.
    fn try_accept(&mut self, c: char, data: CharData, unicode: &Unicode) -> bool {
        let class = data.class();
        let composes_with_nothing = |starter| {
            unicode.parts(c).is_none()
                && unicode.parts(starter).is_none()
                && unicode.composite(starter, c).is_none()
        };
        let is_unchanged = match data.kind() {
            CharData::MARK => self.class <= class,
            CharData::SECOND if self.class == Self::UNKNOWN => false,
            // A mark of its class before it, or any mark before a starter, blocks composition.
            CharData::SECOND if self.class != 0 && (class == 0 || class == self.class) => true,
            CharData::SECOND => {
                self.class <= class && self.starter.is_some_and(composes_with_nothing)
            }
            _ => false,
        };
        if is_unchanged {
            self.class = class;
            if class == 0 {
                self.starter = Some(c);
            }
        }
        is_unchanged
    }
}
