//! Prints what overlapping cache misses are worth to a search in a million fingerprints: microseconds of processor time for
//! a query. Runs on Linux.
//!
//!     cargo bench --bench interleaving
//!
//! A model of `src/index/probe.rs` on random fingerprints: 100 buckets of 16 bits, 6 bytes for an item. Every query first
//! requests the cache lines of its buckets, or a group of queries requests all of theirs, and then the items are compared.

use std::fs;
use std::hint::black_box;
use std::ops::Range;

use nearprint::mix::fmix64;

const COUNT: u64 = 1_000_000;
const QUERIES: u64 = 20_000;
const STRIDE: usize = 6;
const GROUPS: [usize; 6] = [0, 1, 2, 4, 8, 16];
const ROUNDS: usize = 7;

/// The buckets of one block: where each starts, and the other bytes of the items.
struct Table {
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

impl Table {
    fn new(block: u32) -> Self {
        let mut keys: Vec<u64> =
            (0..COUNT).map(|number| fmix64(number + 1).rotate_left(16 * block)).collect();
        keys.sort_unstable();
        let starts = (0..=1 << 16).map(|bucket| keys.partition_point(|key| key >> 48 < bucket));
        let starts = starts.map(|start| start * STRIDE).collect();
        let mut bytes: Vec<u8> =
            keys.iter().flat_map(|key| key.to_le_bytes().into_iter().take(STRIDE)).collect();
        bytes.extend([0; 8]);
        Table { starts, bytes }
    }
}

/// The processor time of this thread so far, in nanoseconds.
fn processor_time() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    stat.split(' ').next().expect("three numbers").parse().expect("a number")
}

/// Returns the table and the byte range of each of the 100 buckets that a query probes.
fn buckets(tables: &[Table], query: u64) -> impl Iterator<Item = (usize, Range<usize>)> {
    (0..100).map(move |probe| {
        let starts = &tables[probe / 25].starts;
        let bucket = (fmix64(query) >> (probe % 25) & 0xffff) as usize;
        (probe / 25, starts[bucket]..starts[bucket + 1])
    })
}

fn main() {
    let tables: Vec<Table> = (0..4).map(Table::new).collect();
    let name = |group: usize| match group {
        0 => "nothing requested ahead".into(),
        _ => format!("requested ahead for groups of {group}"),
    };
    let mut best = GROUPS.map(|_| f64::MAX);
    // The best of several rounds in turn: other programs disturb single ones.
    for _ in 0..ROUNDS {
        for (best, group) in best.iter_mut().zip(GROUPS) {
            let start = processor_time();
            black_box(search(&tables, group));
            let time = (processor_time() - start) as f64 / 1e3 / QUERIES as f64;
            *best = best.min(time);
        }
    }
    for (best, group) in best.into_iter().zip(GROUPS) {
        println!("{}: {best:.1}", name(group));
    }
}

/// Searches for all queries in groups of this many, or without requests ahead for 0. Returns the number of candidates.
fn search(tables: &[Table], group: usize) -> u32 {
    let mut found = 0;
    let mut probes = Vec::new();
    for first in (COUNT..COUNT + QUERIES).step_by(group.max(1)) {
        probes.clear();
        for query in first..first + group.max(1) as u64 {
            probes.extend(buckets(tables, query).map(|(table, range)| (query, table, range)));
        }
        if group > 0 {
            let mut read = 0;
            for (_, table, range) in &probes {
                let bytes = &tables[*table].bytes;
                read |= bytes[range.clone()].iter().step_by(64).fold(0, |read, byte| read | byte);
                read |= bytes[range.end];
            }
            black_box(read);
        }
        for (query, table, range) in &probes {
            for at in range.clone().step_by(STRIDE) {
                let item = tables[*table].bytes[at..].first_chunk().expect("the padding");
                let differing = (u64::from_le_bytes(*item) ^ query) << 16;
                found += u32::from(differing.count_ones() <= 14);
            }
        }
    }
    found
}
