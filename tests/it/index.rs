//! The index against brute force.

use nearprint::simhash::{
    Width,
    index::{Hit, NearIndex, Pair, Settings, block_keys},
};
use nearprint_reference::seal;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{random::Random, tier};

/// The naive model: a list.
#[derive(Clone, Default)]
struct Naive(Vec<(u64, u128)>);

impl Naive {
    fn add(&mut self, id: u64, fingerprint: u128) {
        if !self.0.contains(&(id, fingerprint)) {
            self.remove(id);
            self.0.push((id, fingerprint));
        }
    }

    fn remove(&mut self, id: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|document| document.0 != id);
        self.0.len() < before
    }

    fn query(&self, query: u128, max_distance: u32, limit: usize) -> Vec<Hit> {
        let hit = |&(id, fingerprint): &(u64, u128)| Hit {
            id,
            fingerprint,
            distance: (query ^ fingerprint).count_ones(),
        };
        let mut hits: Vec<Hit> =
            self.0.iter().map(hit).filter(|hit| hit.distance <= max_distance).collect();
        hits.sort_by_key(|hit| hit.distance);
        hits.truncate(limit);
        hits
    }

    fn pairs(&self, max_distance: u32) -> Vec<Pair> {
        let pair = |(at, &(a, left)): (usize, &(u64, u128))| {
            let rest = self.0[at + 1..].to_vec();
            rest.into_iter().map(move |(b, right)| Pair {
                a,
                b,
                distance: (left ^ right).count_ones(),
            })
        };
        self.0
            .iter()
            .enumerate()
            .flat_map(pair)
            .filter(|pair| pair.distance <= max_distance)
            .collect()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Add(u64, u128),
    AddAll(Vec<(u64, u128)>),
    /// The last fingerprint is too wide, so nothing is added.
    FailToAdd(Vec<(u64, u128)>),
    Remove(u64),
    /// Removes as many ids from this one on, so that tables shrink and holes are closed.
    RemoveRun(u64, u64),
    Query(u128, u32, usize),
    Snapshot,
    Pairs(u32),
    Clear,
}

fn width(bits: u32) -> Width {
    Width::try_from(bits).unwrap()
}

fn new_index(width: Width, max_distance: u32, scheme: &str) -> NearIndex {
    NearIndex::new(Settings::default().width(width).max_distance(max_distance).scheme(scheme))
        .unwrap()
}

/// A quarter of the bits: the widest search.
fn cap(bits: u32) -> u32 {
    bits / 4
}

fn low(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// Uniform, or close to one of a few centres so that there is something to find, or one of very few values.
fn fingerprint(bits: u32) -> impl Strategy<Value = u128> {
    let near = (0..4u32, vec(0..bits, 0..8)).prop_map(move |(centre, flips)| {
        let centre = u128::from(centre).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        flips.into_iter().fold(centre & low(bits), |fingerprint, bit| fingerprint ^ 1 << bit)
    });
    prop_oneof![
        2 => any::<u128>().prop_map(move |fingerprint| fingerprint & low(bits)),
        4 => near,
        1 => 0..3u128,
    ]
}

fn id() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..60u64, 1 => (u64::MAX - 5)..=u64::MAX]
}

fn step(bits: u32) -> impl Strategy<Value = Step> {
    let documents = || vec((id(), fingerprint(bits)), 0..150);
    prop_oneof![
        12 => (id(), fingerprint(bits)).prop_map(|(id, fingerprint)| Step::Add(id, fingerprint)),
        3 => documents().prop_map(Step::AddAll),
        1 => documents().prop_map(Step::FailToAdd),
        6 => id().prop_map(Step::Remove),
        1 => (0..60u64, 0..60u64).prop_map(|(id, count)| Step::RemoveRun(id, count)),
        8 => (fingerprint(bits), 0..=cap(bits), prop_oneof![Just(usize::MAX), 0..5usize])
            .prop_map(|(fingerprint, distance, limit)| Step::Query(fingerprint, distance, limit)),
        2 => Just(Step::Snapshot),
        1 => (0..=cap(bits)).prop_map(Step::Pairs),
        1 => Just(Step::Clear),
    ]
}

fn scenario() -> impl Strategy<Value = (u32, u32, Vec<Step>)> {
    prop_oneof![Just(32u32), Just(64), Just(128)].prop_flat_map(|bits| {
        (Just(bits), prop_oneof![Just(3), 0..=cap(bits), Just(cap(bits))], vec(step(bits), 1..60))
    })
}

fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_by_key(|pair| (pair.a, pair.b));
    pairs
}

proptest! {
    #![proptest_config(tier::cases(2000))]

    #[test]
    fn agrees_with_brute_force((bits, max_distance, steps) in scenario()) {
        let mut index = new_index(width(bits), max_distance, "v1");
        let mut naive = Naive::default();
        for step in steps {
            match step {
                Step::Add(id, fingerprint) => {
                    index.add(id, fingerprint).unwrap();
                    naive.add(id, fingerprint);
                }
                Step::AddAll(documents) => {
                    index.add_all(documents.iter().copied()).unwrap();
                    documents.into_iter().for_each(|(id, fingerprint)| naive.add(id, fingerprint));
                }
                Step::FailToAdd(mut documents) => if bits < 128 {
                    documents.push((7, 1 << bits));
                    prop_assert!(index.add_all(documents).is_err());
                }
                Step::Remove(id) => prop_assert_eq!(index.remove(id), naive.remove(id)),
                Step::RemoveRun(first, count) => {
                    for id in first..first + count {
                        prop_assert_eq!(index.remove(id), naive.remove(id));
                    }
                }
                Step::Query(fingerprint, distance, limit) => {
                    prop_assert_eq!(index.query(fingerprint, distance, limit).unwrap(), naive.query(fingerprint, distance, limit));
                }
                Step::Snapshot => index = NearIndex::from_bytes(&index.to_bytes().unwrap()).unwrap(),
                Step::Pairs(distance) => {
                    // Both name the earlier document first.
                    prop_assert_eq!(sorted(index.pairs(distance).unwrap().collect()), sorted(naive.pairs(distance)));
                }
                Step::Clear => {
                    index.clear();
                    naive.0.clear();
                }
            }
            prop_assert_eq!(index.len(), naive.0.len());
        }
        prop_assert_eq!(index.iter().collect::<Vec<_>>(), naive.0.clone());
        for id in 0..60 {
            let fingerprint = naive.0.iter().find(|document| document.0 == id).map(|document| document.1);
            prop_assert_eq!(index.get(id), fingerprint);
            prop_assert_eq!(index.contains(id), fingerprint.is_some());
        }
    }

    /// Anything done to a snapshot is an error, never a panic.
    #[test]
    fn refuses_damaged_snapshots(
        documents in vec((any::<u64>(), any::<u32>()), 0..40),
        cut in any::<prop::sample::Index>(),
        bit in any::<prop::sample::Index>(),
        noise in vec(any::<u8>(), 0..200),
    ) {
        let mut index = new_index(Width::W32, 3, "v1:32");
        documents.iter().for_each(|&(id, fingerprint)| index.add(id, fingerprint.into()).unwrap());
        let bytes = index.to_bytes().unwrap();
        let again = NearIndex::from_bytes(&bytes).unwrap();
        prop_assert_eq!(again.iter().collect::<Vec<_>>(), index.iter().collect::<Vec<_>>());
        let bytes = index.to_bytes_with(index.iter().map(|(id, _)| id), b"note").unwrap();
        let (again, ids, note) = NearIndex::from_bytes_with(&bytes).unwrap();
        prop_assert_eq!(note, b"note");
        prop_assert!(ids.zip(again.iter().map(|(_, fingerprint)| fingerprint)).eq(index.iter()));
        prop_assert_eq!((again.width(), again.max_distance(), again.scheme()), (Width::W32, 3, "v1:32"));

        let is_refused = |bytes: &[u8]| NearIndex::from_bytes_with(bytes).is_err();
        prop_assert!(is_refused(&bytes[..cut.index(bytes.len())]));
        let mut flipped = bytes.clone();
        let bit = bit.index(8 * bytes.len());
        flipped[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(is_refused(&flipped));
        prop_assert!(is_refused(&noise));
        prop_assert!(is_refused(&[&bytes[..], &noise, b"!"].concat()));
        // Behind a valid header, too.
        let tail: Vec<u8> = bytes.iter().take(12).copied().chain(noise).collect();
        prop_assert!(is_refused(&tail));
    }

    #[test]
    fn near_fingerprints_share_a_key(
        fingerprint in any::<u128>(),
        flips in vec(any::<prop::sample::Index>(), 0..=32),
        bits in prop::sample::select(vec![32u32, 64, 128]),
        distance in any::<prop::sample::Index>(),
    ) {
        let distance = distance.index(cap(bits) as usize + 1);
        let a = fingerprint & low(bits);
        let b = flips.iter().take(distance).fold(a, |b, bit| b ^ 1 << bit.index(bits as usize));
        let keys = |fingerprint| block_keys(fingerprint, width(bits), distance as u32).unwrap();
        let (left, right) = (keys(a), keys(b));
        prop_assert_eq!(left.len(), distance + 1);
        prop_assert!(left.iter().any(|key| right.contains(key)));
        // Only keys of the same block meet.
        for (block, key) in left.iter().enumerate() {
            prop_assert!(right.iter().enumerate().all(|(other, same)| key != same || block == other));
        }
        // Every bit is in exactly one block.
        for bit in 0..bits {
            let flipped = keys(a ^ 1 << bit);
            let changed = left.iter().zip(&flipped).filter(|(key, flipped)| key != flipped);
            prop_assert_eq!(changed.count(), 1, "bit {}", bit);
        }
    }
}

/// Every byte of a snapshot set to a few values, with a checksum that fits: no panic, and what is read is whole.
#[test]
fn forged_headers_are_refused() {
    let mut index = new_index(Width::W64, 3, "v1:64");
    (0..5).for_each(|id| index.add(id, u128::from(id) << 7).unwrap());
    let bytes = index.to_bytes_with(0..5, b"note").unwrap();
    for byte in [0, 1, 4, 8, 32, 64, 127, 128, 255] {
        for at in 0..bytes.len() - 8 {
            let mut content = bytes[..bytes.len() - 8].to_vec();
            content[at] = byte;
            let forged = seal(content);
            let read = NearIndex::from_bytes_with(&forged);
            if at < 32 && forged[at] != bytes[at] {
                // Another distance is another index, and a valid one.
                assert_eq!(read.is_ok(), at == 11 && byte <= 16, "byte {at} = {byte}");
            } else if let Ok((index, _, note)) = read {
                assert_eq!((index.len(), note.len()), (5, 4));
            }
        }
    }
}

/// Large enough that tables grow, shrink and get probed with every kind of radius.
#[test]
fn grows_and_shrinks() {
    for (bits, max_distance) in
        [(32, 3), (32, 8), (64, 0), (64, 1), (64, 3), (64, 8), (64, 16), (128, 16), (128, 32)]
    {
        let mut random = Random(u64::from(bits * 100 + max_distance));
        let mut index = new_index(width(bits), max_distance, "v1");
        let mut naive = Naive::default();
        let check = |index: &NearIndex, naive: &Naive, random: &mut Random| {
            for round in 0..20 {
                let (_, near) = naive.0[random.next() as usize % naive.0.len()];
                let flips = random.next() as u32 % (max_distance + 2);
                let query =
                    (0..flips).fold(near, |query, _| query ^ 1 << (random.next() as u32 % bits));
                let distance = if round % 2 == 0 {
                    max_distance
                } else {
                    random.next() as u32 % (cap(bits) + 1)
                };
                assert_eq!(
                    index.query(query, distance, usize::MAX).unwrap(),
                    naive.query(query, distance, usize::MAX)
                );
            }
        };
        // Half of them share their high bits, which makes large buckets.
        for id in 0..12_000 {
            let skew = if id % 2 == 0 { low(bits) } else { low(bits / 2) };
            let document = (id, random.wide() & skew);
            index.add(document.0, document.1).unwrap();
            naive.0.push(document);
            if id % 3000 == 0 {
                check(&index, &naive, &mut random);
            }
        }
        check(&index, &naive, &mut random);
        naive.0.retain(|document| document.0 % 16 == 5);
        (0..12_000).filter(|id| id % 16 != 5).for_each(|id| assert!(index.remove(id)));
        check(&index, &naive, &mut random);
        assert_eq!(index.iter().collect::<Vec<_>>(), naive.0);
        let distance = max_distance.min(8);
        assert_eq!(sorted(index.pairs(distance).unwrap().collect()), sorted(naive.pairs(distance)));
    }
}

#[test]
fn errors_name_the_argument() {
    let error = |result: Result<NearIndex, nearprint::Error>| result.err().unwrap().to_string();
    let message = Width::try_from(48).unwrap_err().to_string();
    assert_eq!(message, "bits must be 32, 64 or 128, got 48");
    assert_eq!(
        error(NearIndex::new(Settings::default().max_distance(17))),
        "max_distance must be at most 16 for 64 bits, got 17"
    );
    let mut index = new_index(Width::W32, 3, "v1:32");
    let mut cursor = index.pair_cursor(3).unwrap();
    let message = index.add(1, 1 << 32).unwrap_err().to_string();
    assert_eq!(message, "fingerprint must be a number of 32 bits, got 0x100000000");
    assert_eq!(index.next_pair(&mut cursor), Ok(None));
    assert_eq!(index.add_all([(1, 2), (2, 1 << 32)]).unwrap_err().to_string(), message);
    assert!(index.is_empty());
    assert_eq!(index.next_pair(&mut cursor), Err(nearprint::Error::Changed));
    assert!(index.query(0, 9, 1).is_err() && index.pairs(9).is_err());
    assert!(block_keys(0, Width::W64, 17).is_err() && block_keys(1 << 64, Width::W64, 3).is_err());
}

#[test]
fn calls_that_change_nothing_do_not_end_an_iteration() {
    let mut index = new_index(Width::W64, 8, "v1:64");
    index.add_all((0..100_u32).map(|id| (id.into(), u128::from(id) << 32))).unwrap();
    let mut cursor = index.pair_cursor(8).unwrap();
    assert!(index.next_pair(&mut cursor).unwrap().is_some());
    index.add(7, 7 << 32).unwrap();
    assert!(!index.remove(100));
    index.add_all((0..100_u32).map(|id| (id.into(), u128::from(id) << 32))).unwrap();
    assert!(index.next_pair(&mut cursor).unwrap().is_some());
    index.add(7, 8 << 32).unwrap();
    assert_eq!(index.next_pair(&mut cursor), Err(nearprint::Error::Changed));
}

/// 64-bit pointers take 8 bytes more than WebAssembly.
#[test]
fn memory_is_what_the_documentation_says() {
    for (max_distance, order, most) in [(3, 0, 66), (8, 0, 66), (8, 0x5555, 71)] {
        let mut random = Random(3);
        let mut index = new_index(Width::W64, max_distance, "v1");
        let count = 200_000;
        for number in 0..count {
            index.add(number ^ order, random.next().into()).unwrap();
        }
        let bytes = index.bytes() as u64;
        assert!((50 * count..=most * count).contains(&bytes), "{bytes}");
    }
}
