//! Fingerprints of the caller's own features or hashes with weights, such as tf-idf.

use super::scheme::Scheme;
use crate::{Error, features::check_secret};

/// The maximum absolute value of a weight: 2^32.
const MAX_WEIGHT: f64 = (1_u64 << 32) as f64;
/// Weights are summed as multiples of 2^-64, so that their order cannot matter.
const SCALE: f64 = (1_u128 << 64) as f64;

/// The fingerprint of weighted features. Only the scheme's width, hash and finaliser matter. A feature that is added twice
/// counts once, with the sum of both weights.
///
/// ```
/// use nearprint::simhash::Weighted;
/// let mut weighted = Weighted::default();
/// weighted.add("river", 2.4)?.add("bank", 1.1)?;
/// assert_eq!(weighted.digest(), Weighted::default().add("bank", 1.1)?.add("river", 2.4)?.digest());
/// # Ok::<(), nearprint::Error>(())
/// ```
///
/// There is no [`Extend`], since a weight may be refused.
#[derive(Clone, Debug)]
pub struct Weighted {
    scheme: Scheme,
    /// The sums of 2^30 features of the largest weight fit.
    sums: [i128; 128],
}

impl Default for Weighted {
    fn default() -> Self {
        Weighted { scheme: Scheme::default(), sums: [0; 128] }
    }
}

impl Weighted {
    /// Creates the fingerprint of no features.
    ///
    /// # Errors
    /// The scheme is invalid, see [`Fingerprinter::new`](super::Fingerprinter::new).
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        check_secret(scheme.hash, || scheme.id().into())?;
        Ok(Weighted { scheme: scheme.check()?, sums: [0; 128] })
    }

    /// Adds a feature. Its text is hashed as it is, without normalisation. O(feature).
    ///
    /// # Errors
    /// The weight is NaN, or outside -2^32 to 2^32.
    pub fn add(&mut self, feature: &str, weight: f64) -> Result<&mut Self, Error> {
        self.add_hash(self.scheme.hash.of(feature.as_bytes()), weight)
    }

    /// Adds a feature by its hash, which passes the finaliser if the scheme has one. O(1).
    ///
    /// # Errors
    /// The weight is NaN, or outside -2^32 to 2^32.
    #[inline(never)]
    pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<&mut Self, Error> {
        if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(&weight) {
            return Err(Error::float("weight", "a number from -2^32 to 2^32", weight));
        }
        let weight = (weight * SCALE) as i128;
        let bits = self.scheme.votes_of(hash);
        for (at, sum) in self.sums[..self.scheme.width.bits() as usize].iter_mut().enumerate() {
            *sum += if bits >> at & 1 == 1 { weight } else { -weight };
        }
        Ok(self)
    }

    /// Returns the fingerprint of the features so far, in the low bits.
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.sums.iter().rev().fold(0, |bits, &sum| bits << 1 | u128::from(sum > 0))
    }
}
