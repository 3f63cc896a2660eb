//! Hangul syllables, which compose arithmetically: section 3.12 of the Unicode Standard.

const SYLLABLE: u32 = 0xAC00;
const LEAD: u32 = 0x1100;
const VOWEL: u32 = 0x1161;
const TRAIL: u32 = 0x11A7; // one before the first, since a syllable may have none
const LEADS: u32 = 19;
const VOWELS: u32 = 21;
const TRAILS: u32 = 28;

/// Returns the two parts of a syllable: lead and vowel, or the syllable without its trail, and the trail.
pub fn parts(c: char) -> Option<(char, char)> {
    let index = index(c, SYLLABLE, LEADS * VOWELS * TRAILS)?;
    let (first, second) = match index % TRAILS {
        0 => (LEAD + index / TRAILS / VOWELS, VOWEL + index / TRAILS % VOWELS),
        trail => (SYLLABLE + index - trail, TRAIL + trail),
    };
    Some((char::from_u32(first)?, char::from_u32(second)?))
}

/// Returns the syllable of two parts.
pub fn composite(first: char, second: char) -> Option<char> {
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

/// Returns the position of a character among `count` characters from `first` on.
fn index(c: char, first: u32, count: u32) -> Option<u32> {
    u32::from(c).checked_sub(first).filter(|&index| index < count)
}
