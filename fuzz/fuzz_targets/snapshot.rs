//! Bytes are a snapshot or an error. What is read is a whole index, which a snapshot of it gives again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint::index::NearIndex;

/// The checksum of a snapshot (src/index/snapshot.rs).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |state: u64, chunk| {
        let mut cell = [0; 8];
        cell[..chunk.len()].copy_from_slice(chunk);
        let mixed = (state ^ u64::from_le_bytes(cell)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 32
    })
}

fn check(bytes: &[u8]) {
    let Ok((mut index, note)) = NearIndex::from_bytes_with(bytes) else { return };
    let documents: Vec<_> = index.iter().collect();
    assert_eq!(documents.len(), index.len());
    for &(id, fingerprint) in documents.iter().take(50) {
        assert_eq!(index.get(id), Some(fingerprint));
        let hits = index.query(fingerprint, index.max_distance(), usize::MAX).unwrap();
        assert!(hits.iter().any(|hit| hit.id == id && hit.distance == 0));
    }
    let again = index.to_bytes_with(note).unwrap();
    let (same, same_note) = NearIndex::from_bytes_with(&again).unwrap();
    assert_eq!((same.iter().collect::<Vec<_>>(), same_note), (documents.clone(), note));
    for (id, _) in documents {
        assert!(index.remove(id) && !index.contains(id));
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // With the magic, the version and the checksum that belong there, most bytes get past the first checks.
    let mut forged = [b"NearIdx\0\x01\0", bytes].concat();
    let sum = checksum(&forged);
    forged.extend(sum.to_le_bytes());
    check(&forged);
});
