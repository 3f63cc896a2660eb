//! Prints what a search and an addition cost in a large deduplicator, native, on random sketches: microseconds of processor
//! time and bytes for a document. Runs on Linux.
//!
//!     cargo bench --bench search [-- THOUSANDS...]
//!
//! For every size, the deduplicator is filled without searches, and then 20,000 more documents are searched and added. No
//! two of them share a key, except by chance; `benches/million.mjs` has real texts.

use std::fs;

use nearprint::{Deduplicator, Scheme, Sketch, dedupe::Options};

/// Documents that are searched.
const SEARCHED: u64 = 20_000;

/// The `number`-th of a sequence of random numbers (SplitMix64).
fn random(number: u64) -> u64 {
    nearprint::mix::fmix64(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A random sketch in its binary form.
fn sketch(document: u64) -> Sketch {
    let mut bytes = b"\x05v1:64\x02".to_vec();
    // The fingerprint, the hash of the words, 8 cells of odd sketch and 12 keys.
    (0..22).for_each(|cell| bytes.extend(random(22 * document + cell).to_le_bytes()));
    // The text is neither brief nor blank. Both halves of the odd sketch have 240 features, at level 0.
    bytes[15] &= !3;
    for at in [53, 85] {
        bytes[at..at + 2].copy_from_slice(&[240, 0]);
    }
    Sketch::from_bytes(&bytes).expect("the bytes of a sketch")
}

/// The processor time of this thread so far, in nanoseconds.
fn processor_time() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let time = stat.split(' ').next().expect("three numbers");
    time.parse().expect("a number")
}

fn main() {
    let args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let mut sizes: Vec<u64> =
        args.map(|size| 1000 * size.parse::<u64>().expect("thousands of documents")).collect();
    if sizes.is_empty() {
        sizes = vec![10_000, 100_000, 1_000_000, 10_000_000];
    }
    println!(
        "| kept | addition, µs | search and addition, µs | bytes |\n| ---: | ---: | ---: | ---: |"
    );
    for size in sizes {
        let mut kept = Deduplicator::new(Scheme::default()).expect("a scheme");
        let mut adding = 0;
        let mut searching = 0;
        // In portions, so that making them takes little memory and is not measured.
        for from in (0..size + SEARCHED).step_by(1000) {
            let sketches: Vec<Sketch> = (from..from + 1000).map(sketch).collect();
            let start = processor_time();
            for (id, sketch) in (from..).zip(&sketches) {
                if from < size {
                    kept.add(id, sketch, &Options::default()).expect("memory");
                } else {
                    kept.observe(id, sketch, &Options::default()).expect("memory");
                }
            }
            *(if from < size { &mut adding } else { &mut searching }) += processor_time() - start;
        }
        println!(
            "| {size} | {:.1} | {:.1} | {:.1} |",
            adding as f64 / 1e3 / size as f64,
            searching as f64 / 1e3 / SEARCHED as f64,
            kept.bytes() as f64 / kept.len() as f64
        );
    }
}
