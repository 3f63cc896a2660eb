//! Normalisation: [NFKC_Casefold], the first step from a text to its fingerprint.
//!
//! In: a text. Out: its normalised text. Full-width letters, ligatures, capitals and decomposed accents take one form each;
//! invisible characters (soft hyphens, joiners, variation selectors) are removed. Section 3.13 of the Unicode Standard defines
//! it: map each character by the property NFKC_CF, then convert the whole to Normalization Form C.
//!
//! # Algorithm
//!
//! A *segment* is a character that never interacts with the text before it, and the characters after it that may. Segments
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
//! Linear in the text, whatever the text. Windows advance by at least 61 bytes, or to the first character that is not plain;
//! then one character is looked up, in a table of two levels. A segment is normalised from its start at most once: that
//! consumes all of it. Its marks are sorted by their combining class, of which there are some fifty.
//!
//! The tables are our own, of one Unicode version, since a fingerprint must never change with a dependency.
//!
//! [NFKC_Casefold]: https://www.unicode.org/reports/tr44/#NFKC_Casefold

use alloc::{string::String, vec::Vec};

use self::{
    plain::Plain,
    unicode::{CharData, Unicode},
};

mod plain;
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

/// The NFKC_Casefold of a text.
///
/// Takes time proportional to the length of the text, whatever the text, and memory for the result and for the longest
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
/// The text is normalised by itself: what `out` contains before stays the same and changes nothing. Time and memory are those
/// of [`nfkc_casefold`].
///
/// ```
/// let mut out = String::from("> ");
/// nearprint::normalize::nfkc_casefold_into("ÎLE", &mut out);
/// assert_eq!(out, "> île");
/// ```
pub fn nfkc_casefold_into(text: &str, out: &mut String) {
    let before = out.len();
    if text.is_ascii() {
        // The tables are not needed, and not expanded if no text has needed them yet.
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
            } else if !segment.accepts(c, data, unicode) {
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

/// How a text is normalised before it is cut into features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalize {
    /// Unicode NFKC_Casefold: case, width, compatibility forms and ignorable characters make no
    /// difference. The default.
    #[default]
    NfkcCasefold,
    /// The text as it is.
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

/// Returns the start of the last segment of a text: a position at which a longer text that starts with this one may be cut.
///
/// If it returns `at`, then `text[..at]`, and `text[at..]` followed by any text, normalise separately to the two parts of the
/// normalised whole. In ordinary text it is the position of the last character.
///
/// Returns `None` if no segment starts in the text: it is empty, or consists of marks on the text before it. Whether a
/// character starts a segment depends on that character alone. So a stream passes only its newest chunk, and nothing is read
/// twice.
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

/// The segment that is being copied or folded character by character, as long as that is enough.
struct Segment {
    /// Its first byte in the text.
    start: usize,
    /// Its first byte in the result.
    out_start: usize,
    /// Its last starter, folded; `None` if it is of ASCII or a string replaced it.
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

    /// Adds a character that starts no segment, if neither it nor the segment changes, and returns whether it did.
    ///
    /// A MARK in canonical order changes nothing, whatever the starter. If the starter is decomposed and composed again, it
    /// gets its own marks back: the marks before them have lower classes and compose with nothing.
    fn accepts(&mut self, c: char, data: CharData, unicode: &Unicode) -> bool {
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

/// A character of a decomposed text. A class of 0 means a starter, any other a mark.
struct Decomposed {
    class: u8,
    c: char,
}

/// Buffers of [`push_segment`].
#[derive(Default)]
struct Scratch {
    decomposed: Vec<Decomposed>,
    /// Marks as numbers that sort as the marks do.
    order: Vec<u64>,
    composed: Vec<char>,
}

/// Appends the normalised first segment of a text, and returns the segment's length.
fn push_segment(
    text: &str,
    unicode: &Unicode,
    out: &mut String,
    Scratch { decomposed, order, composed }: &mut Scratch,
) -> usize {
    decomposed.clear();
    let mut len = text.len();
    for (at, c) in text.char_indices() {
        let data = unicode.char_data(c);
        if at > 0 && data.starts_segment() {
            len = at;
            break;
        }
        match data.kind() {
            CharData::STRING | CharData::OTHER => {
                unicode.string(data).iter().for_each(|&c| decompose(c, unicode, decomposed));
            }
            CharData::NOTHING => {}
            CharData::CHAR => decompose(data.char(), unicode, decomposed),
            _ => decompose(c.to_ascii_lowercase(), unicode, decomposed),
        }
    }
    // Canonical order: the marks after each starter by class, those of one class in their order.
    for marks in decomposed.chunk_by_mut(|_, next| next.class != 0) {
        sort_by_class(marks, order);
    }
    compose(decomposed, unicode, composed);
    out.extend(&*composed);
    len
}

/// Sorts marks by class, those of one class in their order. As numbers, since the crate sorts such already: another
/// instance of a sort is 4 kB of WebAssembly.
fn sort_by_class(marks: &mut [Decomposed], order: &mut Vec<u64>) {
    if marks.is_sorted_by_key(|mark| mark.class) {
        return;
    }
    order.clear();
    // The class in 8 bits, the position in 35, the character in 21.
    order.extend(marks.iter().enumerate().map(|(at, mark)| {
        u64::from(mark.class) << 56 | (at as u64) << 21 | u64::from(u32::from(mark.c))
    }));
    order.sort_unstable();
    for (mark, number) in marks.iter_mut().zip(order) {
        let c = char::from_u32(*number as u32 & 0x1f_ffff).expect("the bits of a character");
        *mark = Decomposed { class: (*number >> 56) as u8, c };
    }
}

/// Appends the full canonical decomposition of a character of a folded text.
fn decompose(c: char, unicode: &Unicode, decomposed: &mut Vec<Decomposed>) {
    if let Some((first, second)) = unicode.parts(c) {
        decompose(first, unicode, decomposed);
        decompose(second, unicode, decomposed);
    } else {
        decomposed.push(Decomposed { class: unicode.char_data(c).class(), c });
    }
}

/// Canonical composition of characters in canonical order.
///
/// A mark, or a starter directly after another starter, merges with the last starter if the two have a composite and nothing
/// of the same class, nor another starter, is between them.
fn compose(decomposed: &[Decomposed], unicode: &Unicode, composed: &mut Vec<char>) {
    composed.clear();
    let mut starter = None;
    let mut last_class = 0;
    for &Decomposed { class, c } in decomposed {
        if let Some(at) = starter
            && (at + 1 == composed.len() || last_class < class)
            && let Some(composite) = unicode.composite(composed[at], c)
        {
            composed[at] = composite;
            continue;
        }
        if class == 0 {
            starter = Some(composed.len());
        }
        last_class = class;
        composed.push(c);
    }
}

/// Hangul syllables, which compose arithmetically: section 3.12 of the Unicode Standard.
mod hangul {
    const SYLLABLE: u32 = 0xAC00;
    const LEAD: u32 = 0x1100;
    const VOWEL: u32 = 0x1161;
    const TRAIL: u32 = 0x11A7; // one before the first, since a syllable may have none
    const LEADS: u32 = 19;
    const VOWELS: u32 = 21;
    const TRAILS: u32 = 28;

    /// A syllable without a trail decomposes into lead and vowel, one with a trail into the syllable without it and the trail.
    pub(super) fn parts(c: char) -> Option<(char, char)> {
        let index = index(c, SYLLABLE, LEADS * VOWELS * TRAILS)?;
        let (first, second) = match index % TRAILS {
            0 => (LEAD + index / TRAILS / VOWELS, VOWEL + index / TRAILS % VOWELS),
            trail => (SYLLABLE + index - trail, TRAIL + trail),
        };
        Some((char::from_u32(first)?, char::from_u32(second)?))
    }

    pub(super) fn composite(first: char, second: char) -> Option<char> {
        let index = if let Some(lead) = index(first, LEAD, LEADS) {
            (lead * VOWELS + index(second, VOWEL, VOWELS)?) * TRAILS
        } else {
            let syllable = index(first, SYLLABLE, LEADS * VOWELS * TRAILS)?;
            let trail = index(second, TRAIL, TRAILS)?;
            if syllable % TRAILS != 0 || trail == 0 {
                return None;
            }
            syllable + trail
        };
        char::from_u32(SYLLABLE + index)
    }

    fn index(c: char, first: u32, count: u32) -> Option<u32> {
        u32::from(c).checked_sub(first).filter(|&index| index < count)
    }
}
