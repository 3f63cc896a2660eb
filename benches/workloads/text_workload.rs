//! A workload whose instructions `npm run test:campaign -- instructions` counts: sketches a file, and adds the sketch twice.

use std::env::args_os;
use std::fs::read;

use nearprint::dedupe::{Deduplicator, Options, Sketcher};

fn main() {
    let text =
        read(args_os().nth(1).expect("the name of a file")).expect("a file that can be read");
    let mut sketcher = Sketcher::default();
    let sketch = sketcher.sketch_bytes(&text);
    let mut deduplicator = Deduplicator::new(*sketcher.scheme()).unwrap();
    let isolated = deduplicator.observe(1, &sketch, &Options::default()).unwrap();
    let found = deduplicator.observe(2, &sketch, &Options::default()).unwrap();
    println!("{:016x} {isolated:?} {found:?}", sketch.hashes()[0]);
}
