//! Sketches equal those of the reference implementation, and chunk borders change nothing, also inside a character, in invalid
//! UTF-8 and in a word that is broken at a line end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint::dedupe::{Scope, SketchScheme, Sketcher};

const IDS: [&str; 6] = ["s1", "s1:words1", "s1:words3", "s1:chars1", "s1:chars5", "s1:chars64"];

fuzz_target!(|input: (u8, bool, Vec<u8>, &[u8])| {
    let (choice, has_scope, lengths, bytes) = input;
    let id = IDS[usize::from(choice) % IDS.len()];
    let scope_name = if has_scope { "news" } else { "" };
    let scope = Scope::new(scope_name);
    let mut sketcher = Sketcher::new(id.parse::<SketchScheme>().unwrap()).unwrap();
    let mut stream = sketcher.stream_in(scope);
    let mut rest = bytes;
    for length in lengths {
        let (chunk, more) = rest.split_at(usize::from(length).min(rest.len()));
        stream.update_bytes(chunk);
        // A sketch of the text so far leaves the stream as it is.
        if length % 8 == 0 {
            let so_far = &bytes[..bytes.len() - more.len()];
            assert_eq!(stream.sketch(), sketcher.sketch_bytes_in(scope, so_far), "{id}");
        }
        rest = more;
    }
    stream.update_bytes(rest);
    let text = String::from_utf8_lossy(bytes);
    let whole = sketcher.sketch_in(scope, &text);
    assert_eq!(stream.sketch(), whole, "{id}");
    assert_eq!(sketcher.sketch_bytes_in(scope, bytes), whole, "{id}");
    assert_eq!(whole.to_bytes(), nearprint_reference::sketch(id, scope_name, &text), "{id}");
});
