//! Prints what a large deduplicator costs, native, on random sketches: the processor time of a search and an addition, the
//! memory of a document, and the time and size of a snapshot and of reading it. Runs on Linux.
//!
//!     cargo bench --package nearprint-tests --bench search [-- THOUSANDS...]
//!
//! For every size, that many documents are observed, and the last 20,000 are the measured search and addition. No two of
//! them share a key, except by chance, so all are kept; `benches/million.mjs` has real texts. *Found* is the share of 2,000
//! documents spread over the set that are found again by sketches that share three of their keys, all of them kept.

use std::fs;

use nearprint::dedupe::{Deduplicator, Options, Sketch, SketchScheme};

/// Documents whose search and addition are measured.
const MEASURED: u64 = 20_000;

/// Documents that are searched by a sketch that shares some of their keys.
const COPIES: u64 = 2000;

/// The `number`-th of a sequence of random numbers (SplitMix64).
fn random(number: u64) -> u64 {
    nearprint::hash::fmix64(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The two hashes of equality of a sketch, and its 12 keys, in the binary form.
const HASHES: usize = 4;
const KEYS: usize = 84;

/// A random sketch in its binary form.
fn random_bytes(document: u64) -> Vec<u8> {
    let mut bytes = b"\x02s1\x02".to_vec();
    // The two hashes, 8 cells of odd sketch and 12 keys.
    (0..22).for_each(|cell| bytes.extend(random(22 * document + cell).to_le_bytes()));
    // The text is neither brief nor blank. Both halves of the odd sketch have 240 features, at level 0.
    bytes[HASHES] &= !3;
    for at in [50, 82] {
        bytes[at..at + 2].copy_from_slice(&[240, 0]);
    }
    bytes
}

fn sketch(document: u64) -> Sketch {
    Sketch::from_bytes(&random_bytes(document)).expect("the bytes of a sketch")
}

/// A sketch that resembles the one of a document and has `shared` of its keys.
fn copy(document: u64, shared: usize) -> Sketch {
    let mut bytes = random_bytes(document);
    let other = random_bytes(u64::MAX / 22 - document);
    for changed in [HASHES + 1..HASHES + 8, KEYS + 8 * shared..bytes.len()] {
        bytes[changed.clone()].copy_from_slice(&other[changed]);
    }
    Sketch::from_bytes(&bytes).expect("the bytes of a sketch")
}

/// The processor time of this thread so far, in seconds.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = stat.split(' ').next().expect("three numbers");
    nanoseconds.parse::<u64>().expect("a number") as f64 / 1e9
}

/// Returns a value and the processor time that it took.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = processor_time();
    let value = run();
    (value, processor_time() - start)
}

/// The largest resident memory since the last call, in bytes.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    fs::write("/proc/self/clear_refs", "5").expect("Linux");
    1024 * peak.expect("a line of the peak").parse::<u64>().expect("a number")
}

fn main() {
    let args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let mut sizes: Vec<u64> =
        args.map(|size| 1000 * size.parse::<u64>().expect("thousands of documents")).collect();
    if sizes.is_empty() {
        sizes = vec![100, 1_000, 10_000].into_iter().map(|size| 1000 * size).collect();
    }
    println!(
        "| kept documents | add all, s | each of the last 20,000, µs | bytes per document | peak, GB | found by 1 key, % | by 3 | make a snapshot, s | size of the snapshot, GB | peak, GB | restore it, s | peak, GB |\n|{}",
        " ---: |".repeat(12)
    );
    for size in sizes {
        let options = Options::default();
        let mut kept = Deduplicator::new(SketchScheme::default()).expect("a scheme");
        let [mut all, mut last] = [0.0; 2];
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        peak_memory();
        // In portions, so that making them takes little memory and is not measured.
        for from in (0..size).step_by(1000) {
            let sketches: Vec<Sketch> = (from..from + 1000).map(sketch).collect();
            let ((), seconds) = timed(|| {
                for (id, sketch) in (from..).zip(&sketches) {
                    kept.observe(id, sketch, &options).expect("memory");
                }
            });
            all += seconds;
            if from >= size - MEASURED {
                last += seconds;
            }
        }
        let peak = gigabytes(peak_memory());
        let found = [1, 3].map(|shared| {
            let is_found = |&document: &u64| {
                let hits = kept.query(&copy(document, shared), 1, &options).expect("memory");
                hits.first().is_some_and(|hit| hit.id == document)
            };
            let documents = (0..COPIES).map(|at| at * (size / COPIES));
            100.0 * documents.filter(is_found).count() as f64 / COPIES as f64
        });
        let [len, bytes] = [kept.len(), kept.bytes()];
        print!(
            "| {len} | {all:.0} | {:.1} | {:.1} | {peak:.1} | {:.1} | {:.1} ",
            1e6 * last / MEASURED as f64,
            bytes as f64 / len as f64,
            found[0],
            found[1],
        );
        peak_memory();
        let (snapshot, seconds) = timed(|| kept.to_bytes().expect("memory"));
        print!(
            "| {seconds:.1} | {:.2} | {:.1} ",
            gigabytes(snapshot.len() as u64),
            gigabytes(peak_memory())
        );
        drop(kept);
        let (restored, seconds) =
            timed(|| Deduplicator::from_bytes(&snapshot).expect("a snapshot"));
        assert_eq!(restored.len(), len);
        println!("| {seconds:.1} | {:.1} |", gigabytes(peak_memory()));
    }
}
