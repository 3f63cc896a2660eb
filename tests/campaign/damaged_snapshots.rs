//! Damages snapshots of an index and of a deduplicator, half of them with a valid checksum, and reads them. A snapshot must be
//! refused, or its content must be consistent. `npm run test:campaign -- native-snapshots` runs it with overflow checks.

use std::env::args;
use std::panic;
use std::sync::Mutex;

use nearprint::dedupe::{Deduplicator, Options, SketchScheme, Sketcher};
use nearprint::hash::fmix64;
use nearprint::simhash::index::{NearIndex, Settings};
use nearprint_reference::seal;

/// The snapshot that is being read, for the message of a panic.
static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The header of a deduplicator's snapshot, the longer one.
const HEADER: usize = 44;

/// The numbers of SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (fmix64(self.0) % most as u64) as usize
    }
}

fn damage(snapshot: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = snapshot.to_vec();
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        let kinds = if bytes.len() < HEADER { 4 } else { 5 };
        match random.below(kinds) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = [0, 1, 127, 128, 255][random.below(5)],
            3 => {
                let from = random.below(bytes.len());
                bytes = [&bytes[..at], &bytes[from..]].concat();
            }
            // Most of the reading depends on the numbers of the header.
            _ => bytes[at % HEADER] = random.below(256) as u8,
        }
    }
    bytes
}

/// Returns whether the snapshot of an index is accepted. The index must then answer, and its own snapshot must be accepted too.
fn index(bytes: &[u8]) -> bool {
    let Ok(read) = NearIndex::from_bytes(bytes) else { return false };
    let distance = read.max_distance();
    for (id, fingerprint) in read.iter() {
        let hits = read.query(fingerprint, distance, usize::MAX).unwrap();
        assert!(hits.iter().any(|hit| hit.id == id), "a document finds itself");
    }
    read.pairs(distance).unwrap().for_each(drop);
    let again = NearIndex::from_bytes(&read.to_bytes().unwrap()).unwrap();
    assert!(again.iter().eq(read.iter()));
    true
}

fn deduplicator(bytes: &[u8]) -> bool {
    let Ok(mut read) = Deduplicator::from_bytes(bytes) else { return false };
    read.pairs(&Options::default()).unwrap().for_each(drop);
    let again = Deduplicator::from_bytes(&read.to_bytes().unwrap()).unwrap();
    assert!(again.iter().eq(read.iter()));
    assert!(again.ids().all(|id| read.remove(id)) && read.is_empty());
    true
}

fn main() {
    let count: u64 = args().nth(1).expect("the number of trials").parse().expect("a number");
    panic::set_hook(Box::new(|info| {
        let bytes = BYTES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        eprintln!("{info}\n{bytes:02x?}");
    }));
    let mut random = Random(1);
    let mut near = NearIndex::new(Settings::default().max_distance(3)).unwrap();
    let mut kept = Deduplicator::new(SketchScheme::default()).unwrap();
    let mut sketcher = Sketcher::default();
    for id in 0..4_u64 {
        near.add(id << (id * 12), u128::from(fmix64(id / 2))).unwrap();
        let words: Vec<String> =
            (0..4 + 12 * (id % 2)).map(|word| format!("w{}", word * id)).collect();
        let options = Options::default().expires_in((id > 1).then_some(id));
        kept.add(id << (id * 12), &sketcher.sketch(&words.join(" ")), &options).unwrap();
    }
    let snapshots = [near.to_bytes().unwrap(), kept.to_bytes().unwrap()];
    let mut taken = [0, 0];
    for trial in 0..count {
        let kind = (trial % 2) as usize;
        let mut bytes = damage(&snapshots[kind], &mut random);
        if trial % 4 < 2 {
            // In place of its checksum.
            bytes.truncate(bytes.len().saturating_sub(8));
            bytes = seal(bytes);
        }
        BYTES.lock().unwrap().clone_from(&bytes);
        taken[kind] += u64::from([index, deduplicator][kind](&bytes));
    }
    println!(
        "{count} damaged snapshots: {} of an index and {} of a deduplicator are taken",
        taken[0], taken[1]
    );
}
