//! Fingerprints of the caller's own features, hashes and weights: tf-idf, say.

use super::{features, scheme::Scheme};

/// The largest weight, and the smallest negative one: 2^32.
const LARGEST: f64 = (1_u64 << 32) as f64;
/// Weights are summed as multiples of 2^-64, so that their order cannot matter.
const SCALE: f64 = (1_u128 << 64) as f64;

/// A fingerprint in the making, of weighted features. Of the scheme, only the width, the hash and
/// the finaliser matter. A feature that comes twice counts as one of both weights.
///
/// ```
/// use nearprint::{Scheme, Weighted};
/// let mut print = Weighted::new(Scheme::default())?;
/// print.add("river", 2.4)?.add("bank", 1.1)?;
/// assert_eq!(print.digest(), Weighted::new(Scheme::default())?.add("bank", 1.1)?.add("river", 2.4)?.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Weighted {
    scheme: Scheme,
    /// Sums of 2^32 features of the largest weight still fit.
    sums: [i128; 128],
}

impl Weighted {
    /// No features yet.
    ///
    /// # Errors
    /// There is no such fingerprint: see [`Fingerprinter::new`](crate::Fingerprinter::new).
    pub fn new(scheme: Scheme) -> Result<Self, crate::SchemeError> {
        Ok(Weighted { scheme: scheme.check()?, sums: [0; 128] })
    }

    /// Adds a feature: the text as it is, not normalised. O(feature).
    ///
    /// # Errors
    /// The weight is not a number, or not from -2^32 to 2^32.
    pub fn add(&mut self, feature: &str, weight: f64) -> Result<&mut Self, WeightError> {
        self.add_hash(features::hash(&self.scheme, feature.as_bytes()), weight)
    }

    /// Adds a feature by its hash, which then passes the finaliser if the scheme has one. O(1).
    ///
    /// # Errors
    /// The weight is not a number, or not from -2^32 to 2^32.
    #[inline(never)]
    pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<&mut Self, WeightError> {
        if !(-LARGEST..=LARGEST).contains(&weight) {
            return Err(WeightError);
        }
        let weight = (weight * SCALE) as i128;
        let bits = self.scheme.bits(hash);
        for (at, sum) in self.sums[..self.scheme.width.bits() as usize].iter_mut().enumerate() {
            *sum += if bits >> at & 1 == 1 { weight } else { -weight };
        }
        Ok(self)
    }

    /// Forgets the features.
    pub fn clear(&mut self) {
        self.sums = [0; 128];
    }

    /// The fingerprint of the features so far, in the low bits.
    pub fn digest(&self) -> u128 {
        let ones = self.sums.iter().enumerate().filter(|(_, sum)| **sum > 0);
        ones.fold(0, |print, (at, _)| print | 1 << at)
    }
}

/// A weight that cannot be summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightError;

impl core::fmt::Display for WeightError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // It does not show the number: printing floats would be a sixth of the WebAssembly.
        f.write_str("weight takes a number from -2^32 to 2^32")
    }
}

impl core::error::Error for WeightError {}
