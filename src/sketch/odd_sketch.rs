//! Odd sketches: the resemblance of two feature sets from 64 bytes each.
//!
//! Every feature toggles one bit. So the sketches of two sets differ in the bits that an odd number of the features of only
//! one set have, and the number of these features follows from the number of different bits (M. Mitzenmacher, R. Pagh and N.
//! Pham, *Efficient Estimation for High Similarities Using Odd Sketches*, WWW 2014).
//!
//! Too many features would fill the bits. So a sketch has a *level*: a second hash of a feature has *z* leading zeros, and the
//! level *s* is the smallest for which at most [`MAX_FEATURES`](super::sample::MAX_FEATURES) features have *z* ≥ *s*. Only
//! these count, the [`Sample`]: one feature in 2^*s*. The bits are two halves: one for the features with *z* > *s*, the other
//! for those with *z* = *s*. So two sketches whose levels differ by one can be compared too: the features of the higher one all
//! have *z* > *s*.
//!
//! A text of at most [`MAX_EXACT`] features keeps a value of each feature instead, of 12 to 20 bits: as many as fit. Two such
//! texts are compared by their common values, at the smaller width. Pages of a short template differ in a few features among
//! thirty, and each page is compared with many others, so accidental matches must be rare: one can lift the resemblance of two
//! pages over the threshold.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::sample::Sample;
use crate::sort::sort;

/// The number of bits of a half.
const HALF_BITS: u32 = 240;

/// A half is four words; the high bits of the last one have the count, and in the second half the level.
const HALF_WORDS: usize = 4;
const WORDS: usize = 2 * HALF_WORDS;
const LAST_BITS: u64 = u64::MAX >> 16;
const COUNT_AT: u32 = 48;
const LEVEL_AT: u32 = 57;
const COUNT: u64 = 0x1ff;

/// The low bits of the second hash of a feature that choose its bit in the half.
const SLOT_BITS: u32 = 11;

/// The highest bits of a value, which choose the bit to toggle: the half and the slot. A sketch keeps at least these.
const TOGGLE_BITS: u32 = 1 + SLOT_BITS;

/// The maximum number of bits that a sketch keeps of a value.
const VALUE_BITS: u32 = 20;
const MORE_BITS: u32 = VALUE_BITS - TOGGLE_BITS;

/// The maximum number of features of a sketch that has values instead of toggled bits.
const MAX_EXACT: u32 = 2 * HALF_BITS / TOGGLE_BITS;

fn low_bits(number: u64, bits: u32) -> u64 {
    number & ((1 << bits) - 1)
}

/// The odd sketch of a set of feature hashes. All zero for no text: a text has a feature, or a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OddSketch(pub(crate) [u64; WORDS]);

impl OddSketch {
    /// The size in bytes.
    pub(crate) const BYTES: usize = 8 * WORDS;

    /// Returns the sketch of the features of a text that has ended.
    #[inline(never)]
    pub(super) fn of(sample: &Sample) -> Self {
        let (hashes, level) = (sample.hashes(), sample.level());
        let mut sketch = OddSketch::default();
        // All have at least `level` leading zeros: the next bit decides the half.
        let half = |hash: u64| hash << level >> 63;
        let seconds = hashes.iter().map(|&hash| half(hash)).sum::<u64>();
        sketch.0[HALF_WORDS - 1] = (hashes.len() as u64 - seconds) << COUNT_AT;
        sketch.0[WORDS - 1] = seconds << COUNT_AT | u64::from(level) << LEVEL_AT;
        let values = hashes.iter().map(|&hash| {
            let (slot, more) = (low_bits(hash, SLOT_BITS), hash >> SLOT_BITS);
            (half(hash) << SLOT_BITS | slot) << MORE_BITS | low_bits(more, MORE_BITS)
        });
        if sketch.is_exact() {
            let mut sorted = [0; MAX_EXACT as usize];
            let sorted = &mut sorted[..hashes.len()];
            sorted.iter_mut().zip(values).for_each(|(to, value)| *to = value);
            sort(sorted);
            let bits = sketch.value_bits();
            let mut row = [0; WORDS];
            for (at, &value) in (0..).zip(&*sorted) {
                let (value, at) = (value >> (VALUE_BITS - bits), at * bits);
                row[at as usize / 64] |= value << (at % 64);
                row[(at as usize / 64 + 1) % WORDS] |= value >> 1 >> (63 - at % 64);
            }
            sketch.set_row(row);
        } else {
            values.for_each(|value| sketch.toggle(value >> MORE_BITS));
        }
        sketch
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    fn level(&self) -> u64 {
        self.0[WORDS - 1] >> LEVEL_AT
    }

    /// Returns the numbers of features of the halves.
    fn counts(&self) -> [u32; 2] {
        [HALF_WORDS, WORDS].map(|end| (self.0[end - 1] >> COUNT_AT & COUNT) as u32)
    }

    fn len(&self) -> u32 {
        self.counts().iter().sum()
    }

    /// Returns whether the sketch has values instead of toggled bits.
    fn is_exact(&self) -> bool {
        self.level() == 0 && self.len() <= MAX_EXACT
    }

    /// Toggles the bit that the [`TOGGLE_BITS`] highest bits of a value choose.
    fn toggle(&mut self, highest: u64) {
        let (half, slot) = (highest >> SLOT_BITS, low_bits(highest, SLOT_BITS));
        let bit = ((slot * u64::from(HALF_BITS)) >> SLOT_BITS) as usize;
        self.0[(half as usize * HALF_WORDS + bit / 64) % WORDS] ^= 1 << (bit % 64);
    }

    /// Returns the number of bits of each value.
    fn value_bits(&self) -> u32 {
        VALUE_BITS.min(2 * HALF_BITS / self.len().max(1))
    }

    /// Sets the bits of both halves, which are in a row. They are 0 before.
    fn set_row(&mut self, [a, b, c, d, e, f, g, h]: [u64; WORDS]) {
        let join = |low: u64, high: u64| low >> COUNT_AT | high << (64 - COUNT_AT);
        let words = [a, b, c, d & LAST_BITS, join(d, e), join(e, f), join(f, g), join(g, h)];
        self.0.iter_mut().zip(words).for_each(|(to, word)| *to |= word);
    }

    /// Returns the bits of both halves in a row.
    fn row(&self) -> [u64; WORDS] {
        let [a, b, c, d, e, f, g, h] = self.0;
        let join = |low: u64, high: u64| low >> (64 - COUNT_AT) | high << COUNT_AT;
        let last = (h & LAST_BITS) >> (64 - COUNT_AT);
        [a, b, c, d & LAST_BITS | e << COUNT_AT, join(e, f), join(f, g), join(g, h), last]
    }

    /// Returns the highest bits of each value of a sketch that has values, in ascending order.
    #[inline]
    fn values(&self, highest: u32, to: &mut [u32; MAX_EXACT as usize]) -> usize {
        let (row, bits) = (self.row(), self.value_bits());
        let len = self.len() as usize;
        for (end, to) in (1..).zip(to.iter_mut().take(len)) {
            let at = end * bits - highest;
            let [low, high] = [0, 1].map(|next| row[(at as usize / 64 + next) % WORDS]);
            *to = low_bits(low >> (at % 64) | high << 1 << (63 - at % 64), highest) as u32;
        }
        len
    }

    /// Returns the toggled bits.
    fn toggled(&self) -> [u64; WORDS] {
        let mut toggled = *self;
        if self.is_exact() {
            toggled = OddSketch::default();
            let mut values = [0; MAX_EXACT as usize];
            let len = self.values(TOGGLE_BITS, &mut values);
            values[..len].iter().for_each(|&value| toggled.toggle(value.into()));
        }
        toggled.0[HALF_WORDS - 1] &= LAST_BITS;
        toggled.0[WORDS - 1] &= LAST_BITS;
        toggled.0
    }

    /// Returns the estimated resemblance of two sets, from 0 to 1. O(1).
    #[inline]
    pub(crate) fn estimate(&self, other: &Self) -> f64 {
        if self.is_exact() && other.is_exact() {
            return self.compare_values(other);
        }
        let (low, high) = if self.level() <= other.level() { (self, other) } else { (other, self) };
        let (a, b) = (low.toggled(), high.toggled());
        let differing = |a: u64, b: u64| (a ^ b).count_ones();
        // The numbers of all features and of differing ones, or twice both numbers: the quotient is the same. For levels that
        // differ, 240 bits are compared, and `delta_of` twice their number returns twice the number of features.
        let (len, delta) = match high.level() - low.level() {
            0 => {
                let bits: u32 = a.iter().zip(&b).map(|(&a, &b)| differing(a, b)).sum();
                (low.len() + high.len(), bits)
            }
            1 => {
                let halves = b[..HALF_WORDS].iter().zip(&b[HALF_WORDS..]);
                let bits: u32 = a.iter().zip(halves).map(|(&a, (b, c))| differing(a, b ^ c)).sum();
                (2 * (low.counts()[0] + high.len()), 2 * bits.min(HALF_BITS / 2 - 1))
            }
            _ => return 0.0,
        };
        let delta = delta_of(delta).min(len << DELTA_BITS);
        quotient((len << DELTA_BITS) - delta, (len << DELTA_BITS) + delta)
    }

    /// Returns the share of common values of two sketches that have values, at the smaller width. Which value is smaller is
    /// unpredictable, so no branch depends on it.
    fn compare_values(&self, other: &Self) -> f64 {
        let bits = self.value_bits().min(other.value_bits());
        let [mut a, mut b] = [[0; MAX_EXACT as usize]; 2];
        let (a_len, b_len) = (self.values(bits, &mut a), other.values(bits, &mut b));
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < a_len && j < b_len {
            let (x, y) = (a[i], b[j]);
            shared += u32::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        quotient(shared, self.len() + other.len() - shared)
    }
}

const DELTA_BITS: u32 = 16;

/// Returns the number of features in which two sets differ, by the number of bits in which their sketches differ, in units of
/// 2^-16: `-240 ln(1 - 2 bits / 480)`. Half of the bits differ however many features do, so the table ends before.
#[inline]
fn delta_of(bits: u32) -> u32 {
    // Computed at first use, as the constant would be half a kilobyte of WebAssembly.
    static DELTAS: [AtomicU32; HALF_BITS as usize] =
        [const { AtomicU32::new(0) }; HALF_BITS as usize];
    let at = (bits as usize).min(DELTAS.len() - 1);
    let delta = DELTAS[at].load(Relaxed);
    if delta == 0 && bits > 0 {
        fill_deltas(&DELTAS);
        return DELTAS[at].load(Relaxed);
    }
    delta
}

#[cold]
#[inline(never)]
fn fill_deltas(deltas: &[AtomicU32]) {
    let mut logarithm = 0.0;
    for (bits, delta) in deltas.iter().enumerate().skip(1) {
        // Adds ln((rest + 1) / rest) = 2 artanh(1 / (2 rest + 1)), by its power series.
        let argument = 1.0 / (2 * deltas.len() - 2 * bits + 1) as f64;
        let (mut power, mut exponent) = (argument, 1.0);
        while power > 1e-18 {
            logarithm += 2.0 * power / exponent;
            power *= argument * argument;
            exponent += 2.0;
        }
        let units = deltas.len() as f64 * logarithm * f64::from(1 << DELTA_BITS);
        delta.store((units + 0.5) as u32, Relaxed);
    }
}

/// Returns a quotient, rounded to an `f64`: every machine orders candidates alike. Two empty sets have resemblance 1.
fn quotient(shared: u32, all: u32) -> f64 {
    if all == 0 { 1.0 } else { f64::from(shared) / f64::from(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_rounded_logarithms() {
        for bits in 0..HALF_BITS {
            let exact = -240.0 * f64::ln(1.0 - 2.0 * f64::from(bits) / 480.0) * 65_536.0;
            assert_eq!(delta_of(bits), exact.round() as u32, "{bits}");
        }
    }
}
