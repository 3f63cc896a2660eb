//! Prints the speed of the index, native. `cargo bench --bench index`
use nearprint::{NearIndex, Width};
use std::time::Instant;

fn main() {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let n = 1_000_000;
    let ids: Vec<u64> = (0..n).collect();
    let fps: Vec<u128> = ids.iter().map(|_| next().into()).collect();
    let mut index = NearIndex::new(Width::W64, 8, "").unwrap();
    let start = Instant::now();
    index.add_all(ids.into_iter().zip(fps)).unwrap();
    println!("add_all {:?}", start.elapsed());
    let queries: Vec<u128> = (0..100_000).map(|_| next().into()).collect();
    for (k, m) in [(0, 100_000), (3, 100_000), (4, 50_000), (6, 50_000), (8, 20_000)] {
        let start = Instant::now();
        let found: usize =
            queries[..m].iter().map(|&q| index.query(q, k, usize::MAX).unwrap().len()).sum();
        println!("k={k} {:.2} us, {found} found", start.elapsed().as_secs_f64() * 1e6 / m as f64);
    }
    for k in [3, 8] {
        let start = Instant::now();
        let found = index.pairs(k).unwrap().count();
        println!("pairs {k} {:?} {found}", start.elapsed());
    }
    println!("{:?}", index.stats());
}
