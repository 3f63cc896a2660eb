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
        // The cost of each bit, and its position in the lowest four bits, ascending.
        let mut bits = [0_u32; BLOCK_BITS];
        for at in 0..BLOCK_BITS {
            // Half a level is added, since a bit of margin 0 costs something too.
            let root = 2 * u32::from(self.0[first_bit + at]) + 1;
            let bit = (root * root) << 4 | at as u32;
            // An insertion sort: for 16 items, the code of the standard library's sorts is needlessly large.
            let mut place = at;
            while place > 0 && bits[place - 1] > bit {
                bits[place] = bits[place - 1];
                place -= 1;
            }
            bits[place] = bit;
        }
        let cost = |rank: usize| bits[rank] >> 4;
        // Best first, over sets of ranks. A set has two successors: one with the rank after its last added, and one with
        // that rank in place of its last. Every set is the successor of exactly one other, and costs no less.
        // All sets of the cheapest bits cost at most as much as the set of all of them, and so do the sets wanted.
        let cheapest = flips.len().next_power_of_two().ilog2() as usize;
        let bound = ((0..cheapest).map(cost).sum::<u32>() + 1) << 16;
        let mut queue = Queue { items: [0; MOST_PROBES + 1], first: 0, end: 0 };
        queue.push(cost(0) << 16 | 1, flips.len());
        flips.fill(0);
        for at in 1..flips.len() {
            let item = queue.pop();
            let mut ranks = item as u16;
            let last = ranks.ilog2() as usize;
            while ranks != 0 {
                flips[at] |= 1 << (bits[ranks.trailing_zeros() as usize] & 15);
                ranks &= ranks - 1;
            }
            if last + 1 < BLOCK_BITS {
                let left = flips.len() - at;
                let added = item + (cost(last + 1) << 16) + (2 << last);
                for successor in [added, added - (cost(last) << 16) - (1 << last)] {
                    if successor < bound {
                        queue.push(successor, left);
                    }
                }
            }
        }
    }
}

/// The most probes of a block.
pub(crate) const MOST_PROBES: usize = 256;

/// A short priority queue of sets of ranks: a sorted list, of which only the cheapest are kept.
struct Queue {
    /// A set in the low half of each, and its cost in the high one.
    items: [u32; MOST_PROBES + 1],
    first: usize,
    end: usize,
}

impl Queue {
    /// Adds a set, of which at most the `most` cheapest will be taken.
    #[inline]
    fn push(&mut self, item: u32, most: usize) {
        if self.end - self.first < most {
            self.end += 1;
        } else if item >= self.items[self.end - 1] {
            return;
        }
        let mut at = self.end - 1;
        while at > self.first && self.items[at - 1] > item {
            self.items[at] = self.items[at - 1];
            at -= 1;
        }
        self.items[at] = item;
    }

    /// Takes the cheapest set. There is one: 16 bits have more sets than there are probes.
    #[inline]
    fn pop(&mut self) -> u32 {
        self.first += 1;
        self.items[self.first - 1]
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
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
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
