//! The probes of a sketch against a sort of all sets of bits.

use nearprint::Sketch;
use proptest::prelude::*;

const FINGERPRINT: u64 = 0x0123_4567_89ab_cdef;

/// A sketch of a longer text with these margins, or without any, in its binary form.
fn sketch(margins: &[u8]) -> Sketch {
    let kind = if margins.is_empty() { 1 } else { 2 };
    let head = [b"\x05v1:64", &[kind][..], &FINGERPRINT.to_le_bytes(), &[0; 8 + 64]].concat();
    Sketch::from_bytes(&[&head, margins].concat()).unwrap()
}

/// The sets of bits that the probes invert, for each block, the highest first.
fn flips(sketch: &Sketch, count: usize) -> Vec<Vec<u16>> {
    let probes = sketch.probes(count).unwrap();
    let own = |block: usize| (FINGERPRINT >> (48 - 16 * block)) as u16;
    let blocks = probes.chunks(count).enumerate();
    blocks.map(|(block, values)| values.iter().map(|value| value ^ own(block)).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn probes_are_the_cheapest_sets_in_order(
        margins in prop::array::uniform32(any::<u8>()),
        block in 0..4_usize,
        count in 1..=256_usize,
    ) {
        let flips = &flips(&sketch(&margins), count)[block];
        let cost = |bit: usize| {
            let bit = 16 * (3 - block) + bit;
            (2 * u32::from(margins[bit / 2] >> (4 * (bit % 2)) & 15) + 1).pow(2)
        };
        let costs: Vec<u32> = (0..1_usize << 16)
            .map(|set| (0..16).filter(|bit| set >> bit & 1 == 1).map(cost).sum())
            .collect();
        let found: Vec<u32> = flips.iter().map(|&set| costs[usize::from(set)]).collect();
        let mut expected = costs;
        expected.sort();
        prop_assert_eq!(&found[..], &expected[..count]);
        let mut distinct = flips.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), count);
    }
}

#[test]
fn without_margins_probes_come_by_distance() {
    for flips in flips(&sketch(&[]), 25) {
        let weights: Vec<u32> = flips.iter().map(|set| set.count_ones()).collect();
        assert_eq!(weights[..17], [[0].as_slice(), &[1; 16]].concat());
        assert_eq!(weights[17..], [2; 8]);
    }
}
