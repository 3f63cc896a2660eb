//! Snapshots that JavaScript writes and reads too: `tests/js/ids.test.mjs` has the same documents.

use nearprint::dedupe::{Deduplicator, Options, Sketcher};
use nearprint::simhash::{NearIndex, index::Settings};
use serde_json::Value;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots.json");
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Returns the bytes of a snapshot of the file.
fn snapshot(name: &str) -> Vec<u8> {
    let all: Value = serde_json::from_slice(&std::fs::read(PATH).unwrap()).unwrap();
    let hex = all[name].as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn a_deduplicator_is_the_same_in_javascript() {
    let mut sketcher = Sketcher::default();
    let mut kept = Deduplicator::with_salt(*sketcher.scheme(), 7).unwrap();
    let text =
        "The river burst its banks early on Tuesday, the council said, and the road is closed.";
    let again = format!("{text} Again.");
    let expiring = Options::default().expires_in(999_999_000_000);
    for (id, text, options) in [
        (3, text, Options::default()),
        (MAX_SAFE_INTEGER, "Good news", expiring.now(1_000_000)),
        (0, &again, Options::default().now(1_000_000)),
    ] {
        kept.add(id, &sketcher.sketch(text), &options).unwrap();
    }
    assert_eq!(kept.to_bytes().unwrap(), snapshot("deduplicator"));
    let read = Deduplicator::from_bytes(&snapshot("deduplicator")).unwrap();
    assert_eq!(read.ids().collect::<Vec<_>>(), [3, MAX_SAFE_INTEGER, 0]);
}

#[test]
fn an_index_is_the_same_in_javascript() {
    let settings = Settings::default().max_distance(3);
    let mut index = NearIndex::new(settings).unwrap();
    let documents = [(3, 5), (MAX_SAFE_INTEGER, u64::MAX.into()), (0, 7)];
    index.add_all(documents).unwrap();
    assert_eq!(index.to_bytes().unwrap(), snapshot("index"));
    assert!(NearIndex::from_bytes(&snapshot("index")).unwrap().iter().eq(documents));
}

/// String ids are in a note. A binding reads it; without it, the ids would be positions.
#[test]
fn string_ids_are_not_lost() {
    let mut index = NearIndex::from_bytes(&snapshot("index")).unwrap();
    let bytes = index.to_bytes_with(0..3, b"\"a\"\n\"b\"\n\"c\"\n").unwrap();
    let error = NearIndex::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.ends_with(", got one with a note, such as string or negative ids"), "{error}");
    index.remove(MAX_SAFE_INTEGER);
    let bytes = index.to_bytes_with([8, 9].into_iter(), b"note").unwrap();
    let (read, ids, note) = NearIndex::from_bytes_with(&bytes).unwrap();
    assert!(read.iter().eq([(0, 5), (1, 7)]));
    assert_eq!((ids.collect::<Vec<_>>(), note), (vec![8, 9], &b"note"[..]));
}
