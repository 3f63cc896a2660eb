//! Sketches one file and files the sketch twice, to count the instructions of: `npm run test:campaign -- instructions`.

use std::env::args_os;
use std::fs::read;

use nearprint::dedupe::Deduplicator;
use nearprint::{Fingerprinter, Scheme};

fn main() {
    let text =
        read(args_os().nth(1).expect("the name of a file")).expect("a file that can be read");
    let scheme = Scheme::default();
    let sketch = Fingerprinter::new(scheme).unwrap().sketch_bytes(&text);
    let mut deduplicator = Deduplicator::new(scheme).unwrap();
    let isolated = deduplicator.add_if_new(1, &sketch).unwrap();
    let found = deduplicator.add_if_new(2, &sketch).unwrap();
    println!("{:016x} {} {}", sketch.fingerprint(), isolated.is_some(), found.is_some());
}
