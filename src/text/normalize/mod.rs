//! Normalisation: [NFKC_Casefold], the first step from a text to its fingerprint.
//!
//! Compatible, composed and caseless: full-width letters, ligatures, capitals and accents typed as two characters all
//! come out as the one form, and what is invisible (soft hyphens, joiners, variation selectors) is gone. As section
//! 3.13 of the Unicode Standard defines it: map each character by the property NFKC_CF, then bring the whole to
//! Normalization Form C.
//!
//! # How
//!
//! A text falls apart into *segments*: a character that never touches what stands before it, and all that follow it
//! and may. Segments normalise independently of each other, and nearly all of them are one character long. So
//!
//! 1. a run of characters that stay as they are is copied whole, marks among them if they are in order and compose with
//!    nothing, as those of Arabic, Hindi or Thai are; most are told 64 bytes at a time; its ASCII is lower-cased in the end;
//! 2. a character that folds to others is replaced by them;
//! 3. only a segment with a mark that is not so is done again, from its start: taken to pieces, its marks put into
//!    order, and put together.
//!
//! Each other character is looked up once, in a table of two levels, which is expanded when it is first needed: that takes a
//! fraction of a millisecond. The tables are our own, of one version of Unicode, since a fingerprint must never change
//! with a dependency.
//!
//! [NFKC_Casefold]: https://www.unicode.org/reports/tr44/#NFKC_Casefold

use alloc::{string::String, vec::Vec};

use self::{
    plain::Plain,
    unicode::{Entry, Unicode},
};

mod plain;
mod tables;
mod unicode;

/// The version of the [Unicode Character Database](https://www.unicode.org/reports/tr44/) that texts are normalised by.
///
/// It belongs to the scheme and is that of the word rules, so it never changes for a scheme.
///
/// ```
/// assert_eq!(nearprint::normalize::UNICODE_VERSION, (17, 0, 0));
/// ```
pub const UNICODE_VERSION: (u8, u8, u8) = tables::UNICODE_VERSION;

/// The NFKC_Casefold of a text.
///
/// Takes time proportional to the text's length, whatever the text, and
/// memory for the result and for the longest segment: a character and the marks on it.
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

/// Appends the NFKC_Casefold of a text to `out`, whose allocation is thus used again.
///
/// What `out` already has is left alone and takes no part: the result is that of the text by itself. Time and memory
/// are those of [`nfkc_casefold`].
///
/// ```
/// let mut out = String::from("> ");
/// nearprint::normalize::nfkc_casefold_into("ÎLE", &mut out);
/// assert_eq!(out, "> île");
/// ```
pub fn nfkc_casefold_into(text: &str, out: &mut String) {
    let unicode = Unicode::get();
    let before = out.len();
    let mut scratch = Scratch::default();
    let mut segment = Segment { left: text.len(), in_out: before, starter: None, class: 0 };
    let mut plain = Plain::new(text);
    let mut rest = text;
    loop {
        let run = rest;
        let stop = loop {
            let end = plain.end(text.len() - rest.len());
            let more = text.get(end..).unwrap_or_default();
            if more.len() < rest.len() {
                segment.start(left_of_last(text, end), None);
                rest = more;
            }
            let mut chars = rest.chars();
            let Some(c) = chars.next() else { break None };
            let entry = unicode.entry(c);
            if entry.kind() == Entry::QUICK {
                segment.start(rest.len(), Some(c));
            } else if !segment.takes(c, entry, unicode) {
                break Some((entry, chars.as_str()));
            }
            rest = chars.as_str();
        };
        if segment.left <= run.len() {
            segment.in_out = out.len() + run.len() - segment.left;
        }
        out.push_str(run.get(..run.len() - rest.len()).unwrap_or_default());

        let Some((entry, mut after)) = stop else { break };
        if entry.starts_segment() {
            segment.in_out = out.len();
        }
        match entry.kind() {
            Entry::CHAR => {
                segment.start(rest.len(), Some(entry.char()));
                push(out, entry.char());
            }
            Entry::STRING => {
                segment.start(rest.len(), None);
                segment.class = Segment::UNKNOWN;
                unicode.string(entry).iter().for_each(|&c| push(out, c));
            }
            Entry::NOTHING => {}
            _ => {
                out.truncate(segment.in_out);
                let text = text.get(text.len() - segment.left..).unwrap_or_default();
                after = push_segment(text, unicode, out, &mut scratch);
            }
        }
        rest = after;
    }
    if let Some(new) = out.get_mut(before..) {
        new.make_ascii_lowercase(); // nothing that has been folded has capitals
    }
}

/// What happens to a text before it is cut.
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

/// Where the last segment of a text starts: there, a longer text that starts with this one may be cut.
///
/// With `at` the position given, normalising `text[..at]` and, separately, `text[at..]` with anything whatever after
/// it gives the two parts of the normalised whole. On ordinary text it is the last character's position.
///
/// `None` if no segment starts in the text, which is all marks then (or empty) and hangs on what precedes it. That a
/// segment starts with a character depends on nothing around it, so of a text that comes in pieces only the newest
/// piece needs to be asked: nothing is read twice.
///
/// Reads back from the end of the text to the position it returns.
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
    let last = text.char_indices().rfind(|&(_, c)| unicode.entry(c).starts_segment());
    last.map(|(at, _)| at)
}

/// What is known of the last segment, whose characters so far go into the result as they are or fold, one by one.
struct Segment {
    /// The bytes of the text from its start on.
    left: usize,
    /// Where it starts in the result.
    in_out: usize,
    /// Its last starter, folded, if that is of interest.
    starter: Option<char>,
    /// The Canonical_Combining_Class of the last character of the result, or UNKNOWN.
    class: u8,
}

impl Segment {
    /// No Canonical_Combining_Class has this number.
    const UNKNOWN: u8 = u8::MAX;

    fn start(&mut self, left: usize, starter: Option<char>) {
        (self.left, self.starter, self.class) = (left, starter, 0);
    }

    /// Takes in a character that starts no segment, if it and all before it stay as they are.
    ///
    /// A MARK that is in order does, whatever the starter is: taken to pieces and put together again, that gets its own
    /// marks back, since what has come to stand before them is of a lower class and composes with nothing.
    fn takes(&mut self, c: char, entry: Entry, unicode: &Unicode) -> bool {
        let class = entry.class();
        let composes_with_nothing = |starter| {
            unicode.parts(c).is_none()
                && unicode.parts(starter).is_none()
                && unicode.composite(starter, c).is_none()
        };
        let stays = match entry.kind() {
            Entry::MARK => self.class <= class,
            Entry::SECOND if self.class == Self::UNKNOWN => false,
            // Another mark of its class, or any before a starter, keeps it from composing.
            Entry::SECOND if self.class != 0 && (class == 0 || class == self.class) => true,
            Entry::SECOND => self.class <= class && self.starter.is_some_and(composes_with_nothing),
            _ => false,
        };
        if stays {
            self.class = class;
            if class == 0 {
                self.starter = Some(c);
            }
        }
        stays
    }
}

/// How many bytes of a text are left where the last character before `end` starts.
#[inline]
fn left_of_last(text: &str, end: usize) -> usize {
    text.len() - text.floor_char_boundary(end.saturating_sub(1))
}

#[inline(never)] // for size
fn push(out: &mut String, c: char) {
    out.push(c);
}

/// A piece of a decomposed text, with its Canonical_Combining_Class: 0 is a starter, all else a mark on one.
type Piece = (u8, char);

/// What a segment is decomposed and composed in.
#[derive(Default)]
struct Scratch {
    pieces: Vec<Piece>,
    composed: Vec<char>,
}

/// Appends what the first segment of a text normalises to, and returns the rest.
fn push_segment<'a>(
    text: &'a str,
    unicode: &Unicode,
    out: &mut String,
    Scratch { pieces, composed }: &mut Scratch,
) -> &'a str {
    pieces.clear();
    let mut chars = text.chars();
    let mut rest = text;
    while let Some(c) = chars.next() {
        let entry = unicode.entry(c);
        if rest.len() < text.len() && entry.starts_segment() {
            break;
        }
        rest = chars.as_str();
        match entry.kind() {
            Entry::STRING | Entry::OTHER => {
                unicode.string(entry).iter().for_each(|&c| decompose(c, unicode, pieces));
            }
            Entry::NOTHING => {}
            Entry::CHAR => decompose(entry.char(), unicode, pieces),
            _ => decompose(c.to_ascii_lowercase(), unicode, pieces),
        }
    }
    compose(pieces, unicode, composed);
    composed.iter().for_each(|&c| push(out, c));
    rest
}

/// Appends the full canonical decomposition of a character of a folded text.
fn decompose(c: char, unicode: &Unicode, pieces: &mut Vec<Piece>) {
    if let Some((first, second)) = unicode.parts(c) {
        decompose(first, unicode, pieces);
        decompose(second, unicode, pieces);
    } else {
        pieces.push((unicode.entry(c).class(), c));
    }
}

/// Canonical composition, in canonical order: every mark, and every starter right behind another, goes into the starter
/// before it if there is a character for the two and no mark of the same class stands between.
///
/// The marks on a starter come by class, and else as they are: a turn for each class there is. So a text of nothing but
/// marks costs no more than so many turns (`sort_by_key` would do, at 6 kB of wasm).
fn compose(pieces: &[Piece], unicode: &Unicode, composed: &mut Vec<char>) {
    composed.clear();
    let mut starter = usize::MAX;
    let mut before = 0;
    for pieces in pieces.chunk_by(|_, &(class, _)| class != 0) {
        let mut turn = 0;
        while turn < u8::MAX {
            let mut next = u8::MAX;
            for &(class, c) in pieces {
                if class > turn {
                    next = next.min(class);
                } else if class == turn {
                    let is_near = starter.wrapping_add(1) == composed.len() || before < class;
                    if let Some(starter) = composed.get_mut(starter)
                        && is_near
                        && let Some(composite) = unicode.composite(*starter, c)
                    {
                        *starter = composite;
                        continue;
                    }
                    if class == 0 {
                        starter = composed.len();
                    }
                    before = class;
                    composed.push(c);
                }
            }
            turn = next;
        }
    }
}

/// Hangul syllables, which are composed of their letters by arithmetic: section 3.12 of the Unicode Standard.
mod hangul {
    const SYLLABLE: u32 = 0xAC00;
    const LEAD: u32 = 0x1100;
    const VOWEL: u32 = 0x1161;
    const TRAIL: u32 = 0x11A7; // one before the first: a syllable may have none
    const LEADS: u32 = 19;
    const VOWELS: u32 = 21;
    const TRAILS: u32 = 28;

    /// A syllable as lead and vowel, or as the syllable of those two and a trail.
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
