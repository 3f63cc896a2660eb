//! Fingerprints of other programs, bit for bit.
//!
//! A store filled by another SimHash program is only useful if new documents get the same fingerprints. A
//! [`Scheme`] names such a program; [`fingerprint_text`] and [`fingerprint_pairs`] compute what it computes,
//! mistakes included: a sum of zero that counts as one, a hash whose last bytes are sign-extended, a float sum that
//! depends on the order of its terms.
//!
//! | scheme | reproduces | input | bits |
//! | --- | --- | --- | --- |
//! | `zxub` | zxub's Java SimHash | `[word, count]` pairs (its words come from IKAnalyzer) | 64 |
//! | `simhash-java` | sing1ee/simhash-java with `BinaryWordSeg` | text | 64 |
//! | `simhash-java-2018` | the same as an article of 2018 has it | text | 64 |
//! | `jieba` | yanyiwu/simhash, cppjieba, jiebaR | `[keyword, weight]` pairs, top N by tf-idf | 64 |
//! | `keywords-py` | the Python SimHash over `jieba.analyse` keywords | `[keyword, weight]` pairs | 64 |
//! | `charikar-py` | the Python "Charikar simhash", words split on white space | text | 32, 64, 128 |
//! | `1e0ng` | `simhash` of PyPI (1e0ng/simhash) | text | 64, 128 |
//!
//! Text is UTF-16, as in Java and JavaScript, because a lone surrogate has to reach the scheme: what becomes of it is
//! part of what is reproduced, and each scheme says so.
//!
//! ```
//! use nearprint::compat::{Scheme, fingerprint_text};
//!
//! let text: Vec<u16> = "This is simhash test.".encode_utf16().collect();
//! let scheme: Scheme = "1e0ng".parse()?;
//! assert_eq!(fingerprint_text(scheme, 64, &text)?, 0x8a87_0486_1266_0883);
//! # Ok::<(), nearprint::compat::Error>(())
//! ```

mod e0ng;
mod error;
mod jieba;
mod python;
mod python_hash;
mod python_unicode;
mod scheme;
mod simhash_java;
mod sums;
mod zxub;

pub use error::Error;
pub use python_unicode::UNICODE_VERSION as PYTHON_UNICODE_VERSION;
pub use scheme::{Input, Scheme};

/// The fingerprint of a text, in the low `bits` bits.
///
/// # Errors
///
/// If the scheme takes pairs ([`Scheme::input`]), or has no fingerprint of that width ([`Scheme::widths`]).
///
/// ```
/// use nearprint::compat::{Scheme, fingerprint_text};
///
/// // The original's sums are all zero for an empty text, and it counts zero as a one.
/// assert_eq!(fingerprint_text(Scheme::CharikarPy, 32, &[])?, 0xffff_ffff);
///
/// let error = fingerprint_text(Scheme::Jieba, 64, &[]).unwrap_err();
/// assert_eq!(error.to_string(), r#"scheme "jieba" takes [keyword, weight] pairs, but got a text"#);
/// # Ok::<(), nearprint::compat::Error>(())
/// ```
pub fn fingerprint_text(scheme: Scheme, bits: u32, text: &[u16]) -> Result<u128, Error> {
    let fingerprint = match scheme {
        Scheme::SimhashJava => simhash_java::fingerprint(text, 0),
        Scheme::SimhashJava2018 => simhash_java::fingerprint(text, 1),
        Scheme::CharikarPy => python_hash::charikar(text),
        Scheme::E0ng => e0ng::fingerprint(text),
        Scheme::Zxub | Scheme::Jieba | Scheme::KeywordsPy => {
            return Err(Error::input(scheme, Input::Text));
        }
    };
    truncate(scheme, bits, fingerprint)
}

/// The fingerprint of `(word, count)` or `(keyword, weight)` pairs, in the low `bits` bits.
///
/// The order counts: `jieba` and `keywords-py` add up floating-point weights in the order given, as the originals do.
///
/// # Errors
///
/// If the scheme takes a text ([`Scheme::input`]), has no fingerprint of that width ([`Scheme::widths`]), or the
/// original could not have had such a pair: a count that is no whole number from 0 to 2³¹ − 1, or counts that add up
/// to more (`zxub`), a weight that is not finite or a keyword that has a lone surrogate (`jieba`) or is empty
/// (`keywords-py`).
///
/// ```
/// use nearprint::compat::{Scheme, fingerprint_pairs};
///
/// let words: Vec<(Vec<u16>, f64)> = [("妈妈", 6.55531), ("吃饭", 6.44422)]
///     .map(|(word, weight)| (word.encode_utf16().collect(), weight))
///     .into();
/// let pairs = words.iter().map(|(word, weight)| (word.as_slice(), *weight));
/// // What jiebaR prints for 你妈妈叫你回家吃饭啊 with topn = 2.
/// assert_eq!(fingerprint_pairs(Scheme::Jieba, 64, pairs)?, 0x48f0_2406_8dec_1c16);
/// # Ok::<(), nearprint::compat::Error>(())
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
            return Err(Error::input(scheme, Input::Pairs));
        }
    };
    truncate(scheme, bits, fingerprint)
}

/// The low `bits` bits. Every scheme of several widths is nested: its bits are summed apart, and a narrower hash is
/// the low part of a wider one.
fn truncate(scheme: Scheme, bits: u32, fingerprint: u128) -> Result<u128, Error> {
    if scheme.widths().contains(&bits) {
        Ok(fingerprint & (u128::MAX >> (128 - bits)))
    } else {
        Err(Error::width(scheme, bits))
    }
}
