//! Chunk borders change nothing, also inside a character and in invalid UTF-8.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint::simhash::Fingerprinter;

fuzz_target!(|input: (Vec<u8>, &[u8])| {
    let (lengths, bytes) = input;
    let mut fingerprinter = Fingerprinter::default();
    let mut stream = fingerprinter.stream();
    let mut rest = bytes;
    for length in lengths {
        let (chunk, more) = rest.split_at(usize::from(length).min(rest.len()));
        stream.update_bytes(chunk);
        rest = more;
    }
    stream.update_bytes(rest);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(stream.digest(), fingerprinter.fingerprint(&text));
    assert_eq!(fingerprinter.fingerprint_bytes(bytes), fingerprinter.fingerprint(&text));
});
