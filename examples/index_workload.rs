//! Fixed work of the index, to count the instructions of: additions, queries, a join, removals and a snapshot. Then that of
//! the deduplicator: probing and verification.

use nearprint::dedupe::{Decision, Options};
use nearprint::index::{Linkage, NearIndex};
use nearprint::mix::fmix64;
use nearprint::{Deduplicator, Scheme, Sketch, Width};

/// Distinct texts; two more documents in ten are near one of them or equal to it.
const TEXTS: u64 = 20_000;

fn fingerprint(number: u64) -> u128 {
    let text = fmix64(number % TEXTS + 1);
    let flips = if number < TEXTS { 0 } else { fmix64(number) % 4 };
    (0..flips).fold(text, |text, flip| text ^ 1 << (fmix64(number + flip) % 64)).into()
}

/// A sketch with margins, in its binary form: a fifth of them are near-duplicates of an earlier one.
fn sketch(number: u64) -> Sketch {
    let text = number % TEXTS + 1;
    let mut bytes = b"\x05v1:64\x02".to_vec();
    bytes.extend((fingerprint(number) as u64).to_le_bytes());
    // The hash of the words, of a text that is not brief; then 8 cells of MinHash and 4 of margins.
    bytes.extend((fmix64(text) & !1).to_le_bytes());
    (1..13).for_each(|cell| bytes.extend(fmix64(text << 32 | cell).to_le_bytes()));
    Sketch::from_bytes(&bytes).unwrap()
}

fn main() {
    let mut sum = 0;
    for max_distance in [3, 8] {
        let mut index = NearIndex::new(Width::W64, max_distance, "v1:64").unwrap();
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
        sum += index.clusters(Linkage::Star, 3).unwrap().len() as u64;
        index = NearIndex::from_bytes(&index.to_bytes().unwrap()).unwrap();
        for id in (0..TEXTS).filter(|id| id % 4 != 0) {
            sum += u64::from(index.remove(id));
        }
        sum += (0..TEXTS).filter(|&id| index.contains(id)).count() as u64;
        sum += index.len() as u64;
    }
    // A fixed number of probes, so that the count shows what one costs.
    let mut kept = Deduplicator::new(Scheme::default()).unwrap().with_probes(25).unwrap();
    for number in 0..TEXTS * 12 / 10 {
        let decision = kept.observe(number, &sketch(number), &Options::default()).unwrap();
        sum += if let Decision::Duplicate(hit) = decision { hit.id } else { 0 };
    }
    sum += (0..TEXTS).filter(|&id| id % 4 != 0 && kept.remove(id)).count() as u64;
    println!("{sum}");
}
