//! Fingerprints equal those of the reference implementation, for any text and several schemes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint::simhash::{Fingerprinter, Scheme};

const IDS: [&str; 8] = [
    "v1:64",
    "v1:128",
    "v1:64:verbatim",
    "v1:64:words1:tf",
    "v1:64:words3:raw:binary",
    "v1:64:chars2:tf",
    "v1:64:chars5:fnv1a",
    "v1:32:verbatim:chars3",
];

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let id = IDS[usize::from(choice) % IDS.len()];
    let mut fingerprinter = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
    for _ in 0..2 {
        assert_eq!(fingerprinter.fingerprint(text), nearprint_reference::fingerprint(id, text), "{id}");
    }
});
