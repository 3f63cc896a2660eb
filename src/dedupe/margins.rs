//! Margins: how close the votes on each bit of a fingerprint were.
//!
//! An edit of the text flips the bits whose margins are small, and the margins are known to the query. So a query probes
//! the block values that small margins make likely first: query-directed multi-probe search (Lv et al., *Multi-Probe LSH*,
//! VLDB 2007) with SimHash's own sums as the scores.

/// Bits of a block.
pub(crate) const BLOCK_BITS: usize = 16;
/// Blocks of a fingerprint.
pub(crate) const BLOCKS: usize = 4;

/// The largest margin that is stored.
const LARGEST: u8 = 15;

/// The margins of the 64 bits of a fingerprint, relative to each other, from 0 to 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Margins(pub(crate) [u8; 64]);

impl Margins {
    /// Equal margins, for a fingerprint whose sums are not known: probes come in the order of their Hamming distance.
    pub(crate) const UNKNOWN: Margins = Margins([LARGEST; 64]);

    /// The margins of these sums. The scale is the mean margin, so that the length of a text does not matter: a margin of
    /// 15/16 of the mean or more is stored as 15.
    pub(crate) fn new(sums: &[i64; 64]) -> Self {
        let margins = sums.map(i64::unsigned_abs);
        let mean = (margins.iter().sum::<u64>() / 64).max(1);
        // `16 * margin / mean` for all margins below the mean, with one division. It is exact for means below 2^28.
        let inverse = (1 << 60) / mean + 1;
        let level =
            |margin: u64| if margin < mean { ((margin * inverse) >> 56) as u8 } else { LARGEST };
        Margins(margins.map(level))
    }

    /// Four bits a margin, that of the lowest bit first.
    pub(crate) fn packed(&self) -> [u8; 32] {
        core::array::from_fn(|at| self.0[2 * at] | self.0[2 * at + 1] << 4)
    }

    pub(crate) fn unpack(packed: &[u8; 32]) -> Self {
        Margins(core::array::from_fn(|at| packed[at / 2] >> (4 * (at % 2)) & 15))
    }

    /// Fills `flips` with the sets of bits of a block that are most likely to differ from the query: in ascending order of
    /// the sum of the squared margins of their bits. The first is the empty set.
    pub(crate) fn flips(&self, block: usize, flips: &mut [u16]) {
        let first_bit = (BLOCKS - 1 - block) * BLOCK_BITS;
        // The margin of each bit, and its position in the lowest four bits.
        let mut bits = [0_u8; BLOCK_BITS];
        for (at, bit) in bits.iter_mut().enumerate() {
            *bit = self.0[first_bit + at] << 4 | at as u8;
        }
        // Sorted by counting for each the smaller ones, which the compiler does by vectors.
        let mut ranks = [0_u8; BLOCK_BITS];
        for other in bits {
            for (rank, bit) in ranks.iter_mut().zip(bits) {
                *rank += u8::from(other < bit);
            }
        }
        let mut ascending = [0; BLOCK_BITS];
        for (rank, bit) in ranks.into_iter().zip(bits) {
            ascending[usize::from(rank) % BLOCK_BITS] = bit;
        }
        let mut sets = Sets::of_no_bits(flips.len());
        for (rank, bit) in ascending.into_iter().enumerate() {
            // Half a level is added, since a bit of margin 0 costs something too.
            let root = 2 * u64::from(bit >> 4) + 1;
            let item = (root * root) << 32 | 1 << (16 + rank) | 1 << (bit & 15);
            if !sets.add(item) {
                break;
            }
        }
        for (flip, item) in flips.iter_mut().zip(sets.items) {
            *flip = item as u16;
        }
    }
}

/// The most probes of a block.
pub(crate) const MOST_PROBES: usize = 256;

/// The cheapest sets of bits, in ascending order.
///
/// An item is a set: its cost in the high half, then the ranks of its bits, which decide between equal costs, then the bits
/// themselves. So the item of a set with one bit more is the sum of both items.
struct Sets {
    /// The first `len` are in use, at most the first `most`.
    items: [u64; MOST_PROBES],
    len: usize,
    most: usize,
}

impl Sets {
    fn of_no_bits(most: usize) -> Self {
        Sets { items: [0; MOST_PROBES], len: 1, most }
    }

    /// Merges the sets with those that also have this bit. False if none of these is cheap enough: then no set with a bit
    /// that costs as much is.
    #[inline]
    fn add(&mut self, bit: u64) -> bool {
        let items = &mut self.items;
        // Of the sets without the bit and of those with it, so many are the cheapest.
        let mut with = self.len.min(self.most - self.len);
        let mut without = self.len;
        while with < without && items[with] + bit < items[without - 1] {
            with += 1;
            without -= 1;
        }
        self.len = with + without;
        if with == 0 {
            return false;
        }
        // From the end, so that nothing is overwritten that is still to be read.
        while with > 0 {
            let (a, b) = (items[without - 1], items[with - 1] + bit);
            items[without + with - 1] = a.max(b);
            // Arithmetic instead of a branch, which would be mispredicted half of the time.
            let takes_b = usize::from(a < b);
            with -= takes_b;
            without -= 1 - takes_b;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    fn margins() -> impl Strategy<Value = Margins> {
        prop::collection::vec(0..=LARGEST, 64)
            .prop_map(|margins| Margins(margins.try_into().expect("64 margins")))
    }

    /// The cost of every set of bits of a block, by a plain sum.
    fn costs(margins: &Margins, block: usize) -> Vec<u32> {
        let of_bit = |bit: usize| (2 * u32::from(margins.0[16 * (3 - block) + bit]) + 1).pow(2);
        (0..1_usize << 16)
            .map(|set| (0..16).filter(|bit| set >> bit & 1 == 1).map(of_bit).sum())
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 64 }))]

        #[test]
        #[cfg_attr(miri, ignore = "sorts 65,536 sets in each case")]
        fn flips_are_the_cheapest_sets_in_order(margins in margins(), block in 0..BLOCKS, count in 1..=MOST_PROBES) {
            let mut flips = [0; MOST_PROBES];
            margins.flips(block, &mut flips[..count]);
            let costs = costs(&margins, block);
            let found: Vec<u32> = flips[..count].iter().map(|&set| costs[usize::from(set)]).collect();
            let mut expected = costs;
            expected.sort();
            prop_assert_eq!(&found[..], &expected[..count]);
            let mut distinct = flips[..count].to_vec();
            distinct.sort();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), count);
        }

        #[test]
        fn packing_keeps_margins(margins in margins()) {
            prop_assert_eq!(Margins::unpack(&margins.packed()), margins);
        }

        #[test]
        fn margins_ascend_with_sums(sums in prop::collection::vec(-1000_i64..1000, 64)) {
            let sums: [i64; 64] = sums.try_into().expect("64 sums");
            let margins = Margins::new(&sums);
            for (a, b) in sums.iter().zip(&sums[1..]).enumerate().map(|(at, (a, b))| ((at, a), (at + 1, b))) {
                if a.1.abs() <= b.1.abs() {
                    prop_assert!(margins.0[a.0] <= margins.0[b.0]);
                }
            }
        }
    }

    #[test]
    fn without_margins_probes_come_by_distance() {
        let mut flips = [0; 25];
        Margins::UNKNOWN.flips(0, &mut flips);
        let weights: Vec<u32> = flips.iter().map(|set| set.count_ones()).collect();
        assert_eq!(weights[..17], [[0].as_slice(), &[1; 16]].concat());
        assert_eq!(weights[17..], [2; 8]);
    }
}
