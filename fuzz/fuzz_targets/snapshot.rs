//! Bytes are a snapshot or an error. What is read is a whole index or deduplicator, which a snapshot of it gives again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint::dedupe::{Deduplicator, Linkage, Options};
use nearprint::simhash::NearIndex;
use nearprint_reference::seal;

fn check_index(bytes: &[u8]) {
    let Ok((mut index, ids, note)) = NearIndex::from_bytes_with(bytes) else {
        assert!(NearIndex::from_bytes(bytes).is_err());
        return;
    };
    let documents: Vec<_> = index.iter().collect();
    assert_eq!(documents.len(), index.len());
    for &(id, fingerprint) in documents.iter().take(50) {
        assert_eq!(index.get(id), Some(fingerprint));
        let hits = index.query(fingerprint, index.max_distance(), usize::MAX).unwrap();
        assert!(hits.iter().any(|hit| hit.id == id && hit.distance == 0));
    }
    let ids: Vec<u64> = ids.collect();
    let again = index.to_bytes_with(ids.iter().copied(), note).unwrap();
    let (same, same_ids, same_note) = NearIndex::from_bytes_with(&again).unwrap();
    assert_eq!((same.iter().collect::<Vec<_>>(), same_note), (documents.clone(), note));
    assert!(same_ids.eq(ids.iter().copied()));
    if let Ok(named) = NearIndex::from_bytes(bytes) {
        assert!(note.is_empty() && named.iter().map(|(id, _)| id).eq(ids));
    }
    for (id, _) in documents {
        assert!(index.remove(id) && !index.contains(id));
    }
}

fn check_deduplicator(bytes: &[u8]) {
    let Ok((mut kept, ids, note)) = Deduplicator::from_bytes_with(bytes) else {
        assert!(Deduplicator::from_bytes(bytes).is_err());
        return;
    };
    let ids: Vec<u64> = ids.collect();
    let again = kept.to_bytes_with(ids.iter().copied(), note).unwrap();
    let (same, same_ids, same_note) = Deduplicator::from_bytes_with(&again).unwrap();
    assert!(same.iter().eq(kept.iter()) && same_note == note && same.len() == kept.len());
    assert!(same_ids.eq(ids.iter().copied()));
    assert_eq!(same.to_bytes_with(ids.iter().copied(), note).unwrap(), again);
    if let Ok(named) = Deduplicator::from_bytes(bytes) {
        assert!(note.is_empty() && named.ids().eq(ids));
    }
    kept.pairs(&Options::default()).unwrap().for_each(drop);
    drop(kept.clusters(Linkage::Star, &Options::default()).unwrap());
    kept.prune(u64::MAX - 1);
    for id in kept.ids().collect::<Vec<_>>() {
        assert!(kept.remove(id) && kept.get(id).is_none());
    }
}

fuzz_target!(|bytes: &[u8]| {
    check_index(bytes);
    check_deduplicator(bytes);
    // With the magic, the version and the checksum that belong there, most bytes get past the first checks.
    let forge = |magic: &[u8]| seal([magic, bytes].concat());
    check_index(&forge(b"NearIdx\0\x01\0"));
    check_deduplicator(&forge(b"NearDup\0\x01\0"));
});
