//! Fingerprints of other programs, bit for bit.
//!
//! In: a text, or words with counts or weights. Out: the fingerprint that the named program computes.
//!
//! Fingerprints stored by another program are only useful if new documents get the same ones. A [`Scheme`] names such a
//! program; [`fingerprint_text`] and [`fingerprint_pairs`] compute its fingerprints, with its mistakes: a sum of zero that
//! gives a one, a hash whose last bytes are sign-extended, a floating-point sum that depends on the order of its terms.
//!
//! | scheme | reproduces | input | bits |
//! | --- | --- | --- | --- |
//! | `zxub` | zxub's Java SimHash | `[word, count]` pairs (its words come from IKAnalyzer) | 64 |
//! | `simhash-java` | sing1ee/simhash-java with `BinaryWordSeg` | text | 64 |
//! | `simhash-java-2018` | a variant of it in an article of 2018 | text | 64 |
//! | `jieba` | yanyiwu/simhash, cppjieba, jiebaR | `[keyword, weight]` pairs, top N by tf-idf | 64 |
//! | `keywords-py` | the Python SimHash over `jieba.analyse` keywords | `[keyword, weight]` pairs | 64 |
//! | `charikar-py` | the Python "Charikar simhash", words split on white space | text | 32, 64, 128 |
//! | `1e0ng` | `simhash` of PyPI (1e0ng/simhash) | text | 64, 128 |
//!
//! Text is UTF-16, as in Java and JavaScript, because UTF-8 cannot represent a lone surrogate. Each scheme treats lone
//! surrogates as its original does.
//!
//! ```
//! use nearprint::simhash::compat::{Scheme, fingerprint_text};
//!
//! let text: Vec<u16> = "This is simhash test.".encode_utf16().collect();
//! let scheme: Scheme = "1e0ng".parse()?;
//! assert_eq!(fingerprint_text(scheme, 64, &text)?, 0x8a87_0486_1266_0883);
//! # Ok::<(), nearprint::Error>(())
//! ```

mod e0ng;
mod jieba;
mod python;
mod python_hash;
mod python_unicode;
mod scheme;
mod simhash_java;
mod sums;
mod zxub;

pub use python_unicode::UNICODE_VERSION as PYTHON_UNICODE_VERSION;
use scheme::either;
pub use scheme::{Input, Scheme};

use alloc::string::ToString;

use crate::Error;

/// Returns the fingerprint of a text, in the low `bits` bits. `bits` is a number, not a [`Width`](super::Width): each
/// program has its own widths ([`Scheme::widths`]), and an error names them.
///
/// # Errors
///
/// If the scheme takes pairs ([`Scheme::input`]), or has no fingerprints of that width ([`Scheme::widths`]).
///
/// ```
/// use nearprint::simhash::compat::{Scheme, fingerprint_text};
///
/// // All sums of an empty text are zero, and the original sets a bit where the sum is zero.
/// assert_eq!(fingerprint_text(Scheme::CharikarPy, 32, &[])?, 0xffff_ffff);
///
/// let error = fingerprint_text(Scheme::Jieba, 64, &[]).unwrap_err();
/// assert_eq!(error.to_string(), "input must be [keyword, weight] pairs with the scheme jieba, got a text");
/// # Ok::<(), nearprint::Error>(())
/// ```
pub fn fingerprint_text(scheme: Scheme, bits: u32, text: &[u16]) -> Result<u128, Error> {
    let fingerprint = match scheme {
        Scheme::SimhashJava => simhash_java::fingerprint(text, 0),
        Scheme::SimhashJava2018 => simhash_java::fingerprint(text, 1),
        Scheme::CharikarPy => python_hash::charikar(text),
        Scheme::E0ng => e0ng::fingerprint(text),
        Scheme::Zxub | Scheme::Jieba | Scheme::KeywordsPy => {
            return Err(scheme.refuse_input("a text"));
        }
    };
    truncate(scheme, bits, fingerprint)
}

/// Returns the fingerprint of `(word, count)` or `(keyword, weight)` pairs, in the low `bits` bits.
///
/// The order matters: `jieba` and `keywords-py` add floating-point weights in the given order, as the originals do.
///
/// # Errors
///
/// If the scheme takes a text ([`Scheme::input`]), has no fingerprints of that width ([`Scheme::widths`]), or the original
/// cannot take such a pair: `zxub` takes counts that are whole numbers from 0 to 2³¹ − 1, with a total in the same range;
/// `jieba` and `keywords-py` take finite weights; `jieba` takes keywords without a lone surrogate, and `keywords-py`
/// keywords of at least one character.
///
/// ```
/// use nearprint::simhash::compat::{Scheme, fingerprint_pairs};
///
/// let words: Vec<(Vec<u16>, f64)> = [("妈妈", 6.55531), ("吃饭", 6.44422)]
///     .map(|(word, weight)| (word.encode_utf16().collect(), weight))
///     .into();
/// let pairs = words.iter().map(|(word, weight)| (word.as_slice(), *weight));
/// // What jiebaR prints for 你妈妈叫你回家吃饭啊 with topn = 2.
/// assert_eq!(fingerprint_pairs(Scheme::Jieba, 64, pairs)?, 0x48f0_2406_8dec_1c16);
/// # Ok::<(), nearprint::Error>(())
/// ```
pub fn fingerprint_pairs<'a>(
    scheme: Scheme,
    bits: u32,
    pairs: impl IntoIterator<Item = (&'a [u16], f64)>,
) -> Result<u128, Error> {
    let fingerprint = match scheme {
        Scheme::Zxub => zxub::fingerprint(pairs)?,
        Scheme::Jieba => jieba::fingerprint(pairs)?,
        Scheme::KeywordsPy => python_hash::keywords(pairs)?,
        Scheme::SimhashJava | Scheme::SimhashJava2018 | Scheme::CharikarPy | Scheme::E0ng => {
            return Err(scheme.refuse_input("pairs"));
        }
    };
    truncate(scheme, bits, fingerprint)
}

/// Returns the low `bits` bits. This is the narrower fingerprint, since each bit has a sum of its own and a narrower hash is
/// the low part of a wider one.
fn truncate(scheme: Scheme, bits: u32, fingerprint: u128) -> Result<u128, Error> {
    if scheme.widths().contains(&bits) {
        Ok(fingerprint & (u128::MAX >> (128 - bits)))
    } else {
        let widths = either(scheme.widths().iter().map(u32::to_string));
        Err(Error::number("bits", scheme.with_name(&widths), bits))
    }
}
