//! Measures the native speed of the chain from text to fingerprint:
//!
//!     cargo bench --package nearprint-tests --bench chain [-- FILE]

use std::hint::black_box;
use std::time::Instant;

use nearprint::hash::fnv1_64;
use nearprint::simhash::{Fingerprinter, Scheme};

const SAMPLE: &str = include_str!("../examples/sample.jsonl");

/// Bytes per second, the best of 20 rounds.
fn speed(bytes: usize, mut run: impl FnMut()) -> f64 {
    let round = || {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    bytes as f64 / std::iter::repeat_with(round).take(20).fold(f64::MAX, f64::min)
}

fn main() {
    let path = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let text = path.map_or(SAMPLE.repeat(20), |path| std::fs::read_to_string(path).unwrap());
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(3000));
        pieces.push(piece);
        rest = more;
    }
    let clock = speed(text.len(), || {
        black_box(fnv1_64(black_box(text.as_bytes())));
    });
    println!("{:<16} {:>6.0} MB/s", "FNV-1", clock / 1e6);
    for id in ["v1:64", "v1:128", "v1:64:words1:tf", "v1:64:chars2:tf"] {
        let mut fingerprinter = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
        let speed = speed(text.len(), || {
            for piece in &pieces {
                black_box(fingerprinter.fingerprint(black_box(piece)));
            }
        });
        println!("{id:<16} {:>6.0} MB/s, {:.3} of FNV-1", speed / 1e6, speed / clock);
    }
}
