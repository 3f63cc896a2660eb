//! A fixed workload whose instructions are counted: additions, queries, a join, removals and a snapshot of an index; then search,
//! verification and additions of a deduplicator.

use nearprint::dedupe::{Decision, Deduplicator, Options, Sketch, SketchScheme};
use nearprint::hash::fmix64;
use nearprint::simhash::index::{NearIndex, Settings};

/// Distinct texts; two more documents in ten are near one of them or equal to it.
const TEXTS: u64 = 20_000;

fn fingerprint(number: u64) -> u128 {
    let text = fmix64(number % TEXTS + 1);
    let flips = if number < TEXTS { 0 } else { fmix64(number) % 4 };
    (0..flips).fold(text, |text, flip| text ^ 1 << (fmix64(number + flip) % 64)).into()
}

/// A sketch in its binary form: a fifth of them are near-duplicates of an earlier one, and share half of their keys.
fn sketch(number: u64) -> Sketch {
    let text = number % TEXTS + 1;
    let mut bytes = b"\x02s1\x02".to_vec();
    // The hashes of a text that is neither brief nor blank.
    bytes.extend((fmix64(text) & !3).to_le_bytes());
    bytes.extend((fingerprint(number) as u64).to_le_bytes());
    // The odd sketch: the highest 16 bits of each half have its number of features, 100.
    for cell in 0..8 {
        let count = if cell % 4 == 3 { 100 } else { fmix64(cell) & 0xffff };
        bytes.extend((fmix64(text << 32 | cell) >> 16 | count << 48).to_le_bytes());
    }
    for key in 0..12 {
        let version = number / TEXTS * (key % 2);
        bytes.extend(fmix64(text << 32 | key << 8 | version).to_le_bytes());
    }
    Sketch::from_bytes(&bytes).unwrap()
}

fn main() {
    let mut sum = 0;
    for max_distance in [3, 8] {
        let mut index = NearIndex::new(Settings::default().max_distance(max_distance)).unwrap();
        let ids: Vec<u64> = (0..TEXTS).map(|number| number ^ 5).collect();
        let fingerprints: Vec<u128> = (0..TEXTS).map(fingerprint).collect();
        let (first, rest) = (ids.len() / 2, ids.len() / 2 + 100);
        let documents: Vec<(u64, u128)> = ids.into_iter().zip(fingerprints).collect();
        index.add_all(documents[..first].iter().copied()).unwrap();
        index.add_all(documents[first..rest].iter().copied()).unwrap();
        for number in rest as u64..TEXTS * 12 / 10 {
            index.add(number ^ 5, fingerprint(number)).unwrap();
        }
        for number in TEXTS..TEXTS + 2000 {
            let hits = index.query(fingerprint(number), max_distance, usize::MAX).unwrap();
            sum += hits.iter().map(|hit| hit.id).sum::<u64>();
        }
        sum += index.pairs(3).unwrap().count() as u64;
        index = NearIndex::from_bytes(&index.to_bytes().unwrap()).unwrap();
        for id in (0..TEXTS).filter(|id| id % 4 != 0) {
            sum += u64::from(index.remove(id));
        }
        sum += (0..TEXTS).filter(|&id| index.contains(id)).count() as u64;
        sum += index.len() as u64;
    }
    let mut kept = Deduplicator::new(SketchScheme::default()).unwrap();
    for number in 0..TEXTS * 12 / 10 {
        let decision = kept.observe(number, &sketch(number), &Options::default()).unwrap();
        sum += if let Decision::Duplicate(hit) = decision { hit.id } else { 0 };
    }
    sum += (0..TEXTS).filter(|&id| id % 4 != 0 && kept.remove(id)).count() as u64;
    println!("{sum}");
}
