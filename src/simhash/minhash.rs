//! One-permutation MinHash with two bits a bin: estimates the resemblance of two feature sets.
//!
//! Every feature hash falls into one of 256 bins by its highest bits, and every bin keeps its smallest hash (Li, Owen and
//! Zhang, *One Permutation Hashing*, NIPS 2012). The smallest hash of a bin is the same for two sets with a probability
//! equal to their resemblance. Of each smallest hash only two bits are stored (Li and König, *b-Bit Minwise Hashing*,
//! WWW 2010): 0 for an empty bin, or one of three values.

use core::cmp::Ordering;

pub(crate) const BINS: usize = 256;

/// Bins in one cell of 64 bits, two bits each.
const BINS_PER_CELL: usize = 32;

/// Cells of a MinHash.
pub(crate) const CELLS: usize = BINS / BINS_PER_CELL;

/// The lower bit of every bin.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

/// The MinHash of a set of feature hashes: 256 bins of two bits, bin 0 in the lowest bits of the first cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MinHash(pub(crate) [u64; CELLS]);

impl MinHash {
    /// Returns the MinHash with these cells, little-endian.
    pub(crate) fn from_bytes(bytes: &[u8; 8 * CELLS]) -> Self {
        let mut cells = [0; CELLS];
        for (cell, bytes) in cells.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *cell = u64::from_le_bytes(*bytes);
        }
        MinHash(cells)
    }

    /// Returns 64 bins from bin `first` on, cyclically, with bin `first` in the most significant byte: numbers that agree in
    /// their first bins are adjacent when sorted.
    pub(crate) fn rotated(&self, first: usize) -> [u64; 2] {
        let (cell, shift) = (first / BINS_PER_CELL, 2 * (first % BINS_PER_CELL));
        [cell, cell + 1].map(|at| {
            let (low, high) = (self.0[at % CELLS], self.0[(at + 1) % CELLS]);
            (((u128::from(high) << 64 | u128::from(low)) >> shift) as u64).swap_bytes()
        })
    }

    /// Returns the estimated resemblance of two sets, as a fraction. O(1).
    pub(crate) fn estimate(&self, other: &Self) -> Estimate {
        let (mut equal, mut both, mut either) = (0, 0, 0);
        for (&a, &b) in self.0.iter().zip(&other.0) {
            let filled = |cell: u64| (cell | cell >> 1) & LOW_BITS;
            let differs = filled(a ^ b);
            let both_filled = filled(a) & filled(b);
            both += both_filled.count_ones();
            either += (filled(a) | filled(b)).count_ones();
            equal += (both_filled & !differs).count_ones();
        }
        Estimate { equal, both, either }
    }
}

/// The rank of an empty bin. A feature of this rank is lost, one in 2^32.
const EMPTY: u32 = u32::MAX;

/// The bins of a text in progress: the smallest rank of each so far.
///
/// Bin `16 i + j` is in row `j`, column `i`; its value goes to bits `2 j` and `2 j + 1` of half cell `i`. A loop over a row
/// treats all half cells alike, so the compiler vectorises it.
#[derive(Clone, Debug)]
pub(crate) struct Bins([[u32; HALVES]; BINS_PER_HALF]);

/// Halves of cells, and bins of each.
const HALVES: usize = 2 * CELLS;
const BINS_PER_HALF: usize = BINS / HALVES;

impl Bins {
    pub fn new() -> Self {
        Bins([[EMPTY; _]; _])
    }

    /// Adds evenly distributed feature hashes. Duplicates change nothing.
    #[inline(never)]
    pub fn add_all(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            // The bin and the rank are disjoint bits of the hash, and so independent.
            let bin = (hash >> 56) as usize;
            let smallest = &mut self.0[bin % BINS_PER_HALF][bin / BINS_PER_HALF];
            *smallest = (*smallest).min((hash >> 24) as u32);
        }
    }

    /// Returns the MinHash of the hashes added.
    #[inline(never)]
    pub fn minhash(&self) -> MinHash {
        let mut halves = [0; HALVES];
        for row in self.0.iter().rev() {
            for (half, &rank) in halves.iter_mut().zip(row) {
                *half = *half << 2 | value_of(rank);
            }
        }
        let mut cells = [0; CELLS];
        for (cell, &[low, high]) in cells.iter_mut().zip(halves.as_chunks::<2>().0) {
            *cell = u64::from(high) << 32 | u64::from(low);
        }
        MinHash(cells)
    }
}

/// Returns the stored value of a bin: 0 if it is empty, else 1 to 3 by the lowest bits of the rank. A smallest rank is
/// small, so its highest bits are not evenly distributed; its lowest ones are.
#[inline(always)]
fn value_of(rank: u32) -> u32 {
    let third = ((rank & 0xffff) * 3) >> 16;
    if rank == EMPTY { 0 } else { 1 + third }
}

/// How two MinHashes compare, bin by bin.
///
/// Among the bins filled in either set, the share *J* has the same smallest hash. A third of the others that are filled in
/// both have the same value by chance. So `equal = J · either + (both - J · either) / 3`, which is solved for *J*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// Bins of equal values.
    equal: u32,
    /// Bins filled in both.
    both: u32,
    /// Bins filled in one or both.
    either: u32,
}

impl Estimate {
    /// Returns the estimate if only the equality of the documents is known: 1 or 0.
    pub(crate) fn of_equality(is_equal: bool) -> Self {
        let equal = u32::from(is_equal);
        Estimate { equal, both: equal, either: 1 }
    }

    /// Returns the resemblance as numerator and denominator. Integers, so that every machine orders candidates alike.
    fn ratio(&self) -> (u32, u32) {
        match self.either {
            0 => (1, 1),
            either => ((3 * self.equal).saturating_sub(self.both), 2 * either),
        }
    }

    /// Returns the resemblance, from 0 to 1; two empty sets have resemblance 1.
    pub(crate) fn resemblance(&self) -> f64 {
        let (shared, all) = self.ratio();
        f64::from(shared) / f64::from(all)
    }

    /// Orders two estimates by their resemblance, exactly.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let ((a, all), (b, all_other)) = (self.ratio(), other.ratio());
        (a * all_other).cmp(&(b * all))
    }
}
