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
//! 1. a run of characters that stand for themselves, ASCII among them, is copied whole and its ASCII lower-cased in
//!    place: one test of a bit for each character, none for sixteen ASCII characters together;
//! 2. a segment of one other character is looked up;
//! 3. only a segment of more is taken to pieces, its marks sorted and put together again.
//!
//! The tables are our own, of one version of Unicode, since a fingerprint must never change with a dependency.
//!
//! [NFKC_Casefold]: https://www.unicode.org/reports/tr44/#NFKC_Casefold

use alloc::{string::String, vec::Vec};

use crate::scheme::Normalize;

mod tables;

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
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let quick = quick_prefix(rest);
        let next = rest[quick.len()..].chars().next();
        // What comes next may be a mark on the last character of the run, which then starts a segment.
        let run = match next {
            Some(mark) if !starts_segment(mark) => without_last(quick),
            _ => quick,
        };
        let start = out.len();
        out.push_str(run);
        lower_ascii(&mut out[start..]);
        rest = &rest[run.len()..];

        if next.is_some() {
            let segment = first_segment(rest);
            push_segment(segment, out, &mut pieces);
            rest = &rest[segment.len()..];
        }
    }
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
    let last = text.char_indices().rfind(|&(_, c)| starts_segment(c));
    last.map(|(at, _)| at)
}

/// The characters at the beginning of a text that stand for themselves, but for the case of ASCII letters, and that
/// start segments.
fn quick_prefix(text: &str) -> &str {
    let mut rest = text;
    loop {
        let mut chars = rest.chars();
        match chars.next() {
            Some(c) if c.is_ascii() => rest = skip_ascii(rest),
            Some(c) if is_quick(c) => rest = chars.as_str(),
            _ => return &text[..text.len() - rest.len()],
        }
    }
}

/// A text that starts with an ASCII character, without it, or without more of them.
fn skip_ascii(text: &str) -> &str {
    let mut length = 1;
    while let Some((chunk, _)) = text.as_bytes()[length..].split_first_chunk::<16>()
        && u128::from_le_bytes(*chunk) & (u128::MAX / 255 * 0x80) == 0
    {
        length += chunk.len();
    }
    &text[length..]
}

/// Lower-cases the ASCII letters of a text, eight bytes at a time.
fn lower_ascii(text: &mut str) {
    // SAFETY: ASCII for ASCII, so the text stays UTF-8.
    let (chunks, rest) = unsafe { text.as_bytes_mut() }.as_chunks_mut::<8>();
    for chunk in chunks {
        const EACH: u64 = u64::MAX / 255;
        let bytes = u64::from_le_bytes(*chunk);
        // Adding to seven bits carries into the eighth where the byte is large enough, and never further.
        let low = bytes & (EACH * 0x7f);
        let from_a = low + EACH * (0x80 - b'A') as u64;
        let beyond_z = low + EACH * (0x7f - b'Z') as u64;
        let capitals = from_a & !beyond_z & !bytes & (EACH * 0x80);
        *chunk = (bytes | capitals >> 2).to_le_bytes();
    }
    rest.make_ascii_lowercase();
}

fn without_last(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next_back();
    chars.as_str()
}

/// Whether a character beyond ASCII surely stands for itself and starts a segment.
fn is_quick(c: char) -> bool {
    let code = u32::from(c);
    let block = tables::QUICK_INDEX.get(code as usize / 64);
    block.is_some_and(|&block| tables::QUICK_BLOCKS[usize::from(block)] >> (code % 64) & 1 == 1)
}

/// Whether nothing before a character can change what it, and all that follows it, normalises to.
fn starts_segment(c: char) -> bool {
    c.is_ascii()
        || is_quick(c)
        || fold(c, &mut [0; 4]).chars().next().is_some_and(|first| class(first) == 0)
}

/// The first character and all after it that start no segment of their own.
fn first_segment(text: &str) -> &str {
    let next = text.char_indices().skip(1).find(|&(_, c)| starts_segment(c));
    next.map_or(text, |(at, _)| &text[..at])
}

/// A piece of a decomposed text, with its Canonical_Combining_Class: 0 is a starter, all else a mark on one.
type Piece = (u8, char);

/// Appends what a segment normalises to. `pieces` is scratch space.
fn push_segment(segment: &str, out: &mut String, pieces: &mut Vec<Piece>) {
    let mut chars = segment.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        out.push_str(fold(only, &mut [0; 4])); // which is in Form C
        return;
    }
    pieces.clear();
    for c in segment.chars() {
        for c in fold(c, &mut [0; 4]).chars() {
            decompose(c, pieces);
        }
    }
    for marks in pieces.chunk_by_mut(|_, &(class, _)| class != 0) {
        sort(marks);
    }
    compose(pieces);
    out.extend(pieces.iter().map(|&(_, c)| c));
}

/// The NFKC_CF of a character. `buffer` is for the result.
fn fold(c: char, buffer: &mut [u8; 4]) -> &str {
    let code = u32::from(c);
    match code {
        0xE0000..=0xE0FFF => return "",
        // Full-width forms of ASCII. The tables have them too, but these are every Chinese comma.
        0xFF01..=0xFF5E => {
            let ascii = (code - 0xFEE0) as u8;
            return char::from(ascii.to_ascii_lowercase()).encode_utf8(buffer);
        }
        _ => {}
    }
    let Some((range, offset)) = tables::FOLDED.find(code) else {
        return c.to_ascii_lowercase().encode_utf8(buffer);
    };
    let first = range - range % Ranges::ANCHORED;
    let before: usize = (first..range).map(|range| strings(range) * length(range)).sum();
    let start = usize::from(tables::FOLD_ANCHORS[range / Ranges::ANCHORED]) + before;
    let string = |index| &tables::STRINGS[start + index * length(range)..][..length(range)];
    match tables::FOLD_KINDS[range] {
        tables::ADD_EVERY_OTHER.. if offset % 2 == 1 => c.encode_utf8(buffer),
        tables::ADD.. => {
            let folded =
                string(0).chars().next().and_then(|c| char::from_u32(u32::from(c) + offset as u32));
            folded.unwrap_or(c).encode_utf8(buffer)
        }
        _ => string(offset),
    }
}

/// The bytes of each string of a range of [`tables::FOLDED`].
fn length(range: usize) -> usize {
    usize::from(tables::FOLD_KINDS[range] % tables::ADD)
}

/// How many strings a range of [`tables::FOLDED`] has.
fn strings(range: usize) -> usize {
    if tables::FOLD_KINDS[range] < tables::ADD {
        usize::from(tables::FOLDED.counts[range]) + 1
    } else {
        1
    }
}

/// The Canonical_Combining_Class of a character of a folded text, or [`tables::JOINS`].
fn class(c: char) -> u8 {
    if c.is_ascii() {
        return 0;
    }
    tables::CLASSED.find(c.into()).map_or(0, |(range, _)| tables::CLASSES[range])
}

/// Appends the full canonical decomposition of a character of a folded text.
fn decompose(c: char, pieces: &mut Vec<Piece>) {
    if let Some((first, second)) = hangul::parts(c).or_else(|| parts(c)) {
        decompose(first, pieces);
        decompose(second, pieces);
    } else {
        let class = class(c);
        pieces.push((if class == tables::JOINS { 0 } else { class }, c));
    }
}

/// The canonical order of marks, from one starter to the next: by class, and else as they are. Counts the classes, so
/// that a text of nothing but marks costs no more than another; `sort_by_key` would do, at 6 kB of wasm.
fn sort(marks: &mut [Piece]) {
    if marks.is_sorted_by_key(|&(class, _)| class) {
        return;
    }
    let mut places = [0; 256];
    for &(class, _) in &*marks {
        places[usize::from(class)] += 1;
    }
    let mut before = 0;
    for place in &mut places {
        (before, *place) = (before + *place, before);
    }
    let unsorted = marks.to_vec();
    for piece in unsorted {
        let place = &mut places[usize::from(piece.0)];
        marks[*place] = piece;
        *place += 1;
    }
}

/// Canonical composition, in place: every mark, and every starter right behind another, goes into the starter before
/// it if there is a character for the two and no mark of the same class stands between.
fn compose(pieces: &mut Vec<Piece>) {
    let mut starter: Option<usize> = None;
    let mut kept: usize = 0;
    for at in 0..pieces.len() {
        let (class, c) = pieces[at];
        if let Some(starter) = starter
            && (starter + 1 == kept || pieces[kept - 1].0 < class)
            && let Some(composite) = composite(pieces[starter].1, c)
        {
            pieces[starter].1 = composite;
            continue;
        }
        if class == 0 {
            starter = Some(kept);
        }
        pieces[kept] = (class, c);
        kept += 1;
    }
    pieces.truncate(kept);
}

/// The two characters that one is composed of.
fn parts(c: char) -> Option<(char, char)> {
    let index = tables::COMPOSITES.binary_search(&c).ok()?;
    Some(tables::PARTS[index])
}

/// The character that is composed of two.
fn composite(first: char, second: char) -> Option<char> {
    hangul::composite(first, second).or_else(|| {
        let parts = |&index: &u16| tables::PARTS[usize::from(index)];
        let place = tables::BY_PARTS.binary_search_by_key(&(first, second), parts).ok()?;
        Some(tables::COMPOSITES[usize::from(tables::BY_PARTS[place])])
    })
}

/// Ranges of code points, ascending. A range is told by its distance to the one before, and every sixteenth by its
/// start as well: half the size, once compressed, of a start for each.
struct Ranges {
    /// The first code points of range 0, range 16, range 32 and so on.
    anchors: &'static [u32],
    /// For each range, the code points between it and the one before; 0 if it has an anchor.
    gaps: &'static [u16],
    /// For each range, one less than its code points.
    counts: &'static [u8],
}

impl Ranges {
    const ANCHORED: usize = 16;

    /// Which range a code point is in, and its place there.
    fn find(&self, code: u32) -> Option<(usize, usize)> {
        let anchor = self.anchors.partition_point(|&start| start <= code).checked_sub(1)?;
        let mut offset = code - self.anchors[anchor];
        let first = anchor * Self::ANCHORED;
        let ranges = self.gaps[first..].iter().zip(&self.counts[first..]).take(Self::ANCHORED);
        for (range, (&gap, &count)) in (first..).zip(ranges) {
            offset = offset.checked_sub(gap.into())?;
            if offset <= count.into() {
                return Some((range, offset as usize));
            }
            offset -= u32::from(count) + 1;
        }
        None
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
