//! The choices by which a text has features. A scheme of fingerprints or of sketches makes them.

use alloc::string::String;

use crate::{
    Error,
    hash::{Hash, Key},
    text::Normalize,
};

/// The features of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Features {
    /// Grams: words and bigrams in scripts written with spaces; bigrams and trigrams of numbers, and in scripts written
    /// without spaces. The default.
    #[default]
    Grams,
    /// Shingles of `n` consecutive words, 1 to 64; `Words(1)` is single words.
    Words(u8),
    /// Shingles of `n` consecutive characters (code points), 1 to 64. A run of white space counts
    /// as one space (Leskovec, Rajaraman and Ullman, *Mining of Massive Datasets*, section 3.2).
    Chars(u8),
}

/// The longest shingle.
const MAX_SHINGLE: u8 = 64;

impl Features {
    /// Checks the length of shingles.
    pub(crate) fn check(self) -> Result<(), Error> {
        if let Features::Words(n) | Features::Chars(n) = self
            && !(1..=MAX_SHINGLE).contains(&n)
        {
            let requirement = "shingles of 1 to 64 words or characters";
            return Err(Error::number("features", requirement, n));
        }
        Ok(())
    }
}

/// The choices of a scheme that an extractor needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub features: Features,
    /// The hash of a word or of a character shingle.
    pub hash: Hash,
    pub normalize: Normalize,
}

impl Choice {
    /// Returns the choice with this key in place of its hash.
    pub fn hashed_by(self, key: Key) -> Self {
        Choice { hash: Hash::Keyed(key), ..self }
    }

    /// Returns whether the features are of words, not of characters.
    pub fn takes_words(self) -> bool {
        !matches!(self.features, Features::Chars(_))
    }
}

/// Checks that the features of a scheme can be hashed: a scheme that was read from its id has no secret.
pub(crate) fn check_secret(hash: Hash, id: impl Fn() -> String) -> Result<(), Error> {
    match hash {
        Hash::Keyed(key) if !key.is_secret_known() => {
            let requirement = ["the 16-byte key of the scheme ", &id()].concat();
            Err(Error::argument("key", requirement, "none"))
        }
        _ => Ok(()),
    }
}
