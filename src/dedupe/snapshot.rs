//! Snapshots: a deduplicator as bytes.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the magic `NearDup\0` |
//! | 2 | version, 1 |
//! | 1 | bytes of an id: 4 or 8 |
//! | 1 | zero |
//! | 4 | documents of longer texts, *n* |
//! | 4 | documents of short texts, *m* |
//! | 4 | bytes of the scheme's id |
//! | 8 | bytes of the note |
//! | 8 | the smallest resemblance of near-duplicates, a double |
//! | 4 | probes of a block |
//! | | the scheme's id, ASCII |
//! | (*n* + *m*) × 4 or 8 | ids, in the order of addition, those of longer texts first |
//! | *n* × 8 | fingerprints |
//! | *n* × 64 | MinHashes |
//! | *m* × 16 | fingerprint and hash of the words, of short texts |
//! | | the note |
//! | 8 | checksum of everything before |

use alloc::vec::Vec;

use super::{
    Deduplicator,
    error::{Error, Kind},
    sketch::{Content, Sketch},
};
use crate::{
    index::snapshot::{checksum, number, put},
    simhash::minhash::MinHash,
};

const MAGIC: [u8; 8] = *b"NearDup\0";
const VERSION: u16 = 1;
const HEADER: usize = 44;

impl Deduplicator {
    /// The documents as bytes, the same on every machine. O(n).
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with(&[])
    }

    /// [`to_bytes`](Self::to_bytes), with a note of the caller's.
    pub(crate) fn to_bytes_with(&self, note: &[u8]) -> Vec<u8> {
        let (long, short): (Vec<_>, Vec<_>) =
            self.iter().partition(|(_, sketch)| !sketch.is_short());
        let all = || long.iter().chain(&short);
        let is_wide = all().any(|&(id, _)| id > u32::MAX.into());
        let id_bytes = if is_wide { 8 } else { 4 };
        let scheme = alloc::string::String::from(*self.scheme());
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&MAGIC);
        for (value, size) in [
            (u64::from(VERSION), 2),
            (id_bytes as u64, 1),
            (0, 1),
            (long.len() as u64, 4),
            (short.len() as u64, 4),
            (scheme.len() as u64, 4),
            (note.len() as u64, 8),
            (self.min_resemblance().to_bits(), 8),
            (self.probes() as u64, 4),
        ] {
            put(&mut bytes, value.into(), size);
        }
        bytes.extend_from_slice(scheme.as_bytes());
        for &(id, _) in all() {
            put(&mut bytes, id.into(), id_bytes);
        }
        long.iter().for_each(|(_, sketch)| bytes.extend(sketch.fingerprint.to_le_bytes()));
        for (_, sketch) in &long {
            if let Content::Features(MinHash(cells)) = &sketch.content {
                cells.iter().for_each(|cell| bytes.extend(cell.to_le_bytes()));
            }
        }
        for (_, sketch) in &short {
            if let Content::Words(hash) = &sketch.content {
                bytes.extend(sketch.fingerprint.to_le_bytes());
                bytes.extend(hash.to_le_bytes());
            }
        }
        bytes.extend_from_slice(note);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes. O(n).
    ///
    /// # Errors
    /// The bytes are cut off, changed, or no snapshot of a deduplicator.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_with(bytes).map(|(deduplicator, _)| deduplicator)
    }

    /// [`from_bytes`](Self::from_bytes), with the note.
    pub(crate) fn from_bytes_with(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let refuse = |why: &'static str| Error::from(Kind::Snapshot(why));
        if bytes.starts_with(b"NearIdx\0") {
            return Err(refuse(
                "got one of a NearIndex, which has no sketches: read the documents anew",
            ));
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(refuse("got other bytes"));
        }
        let Some((content, sum)) =
            bytes.split_last_chunk::<8>().filter(|(content, _)| content.len() >= HEADER)
        else {
            return Err(refuse("it is cut off"));
        };
        let field = |from: usize, to: usize| number(&bytes[from..to]) as u64;
        if field(8, 10) != VERSION.into() {
            return Err(refuse("it has another version"));
        }
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(refuse("it is cut off or changed"));
        }
        let id_bytes = bytes[10];
        if !matches!(id_bytes, 4 | 8) || bytes[11] != 0 {
            return Err(refuse("its header is not valid"));
        }
        let (long, short) = (field(12, 16), field(16, 20));
        // Every length is checked against the bytes that there are before anything is allocated.
        let mut rest = &content[HEADER..];
        let mut take = |size: u64| {
            let size = usize::try_from(size).map_err(|_| refuse("it is cut off"))?;
            rest.split_off(..size).ok_or(refuse("it is cut off"))
        };
        let scheme = take(field(20, 24))?;
        let ids = take((long + short) * u64::from(id_bytes))?;
        let fingerprints = take(8 * long)?;
        let minhashes = take(64 * long)?;
        let keys = take(16 * short)?;
        let note = take(field(24, 32))?;
        if !rest.is_empty() {
            return Err(refuse("its length is not the one in its header"));
        }
        let scheme = core::str::from_utf8(scheme).ok().and_then(|id| id.parse().ok());
        let scheme = scheme.ok_or(refuse("its scheme is not valid"))?;
        let mut read = Deduplicator::new(scheme)?
            .with_min_resemblance(f64::from_bits(field(32, 40)))
            .and_then(|read| read.with_probes(field(40, 44) as usize))
            .map_err(|_| refuse("its header is not valid"))?;
        let of_long = fingerprints.as_chunks().0.iter().zip(minhashes.as_chunks().0).map(
            |(fingerprint, cells)| {
                (u64::from_le_bytes(*fingerprint), Content::Features(MinHash::from_bytes(cells)))
            },
        );
        let of_short = keys.as_chunks::<16>().0.iter().map(|key| {
            let key = u128::from_le_bytes(*key);
            (key as u64, Content::Words((key >> 64) as u64))
        });
        let ids = ids.chunks_exact(id_bytes.into()).map(|id| number(id) as u64);
        for (id, (fingerprint, content)) in ids.zip(of_long.chain(of_short)) {
            if read.has(id) {
                return Err(refuse("it has an id twice"));
            }
            read.insert(id, &Sketch::new(*read.scheme(), fingerprint, content, None))?;
        }
        Ok((read, note))
    }
}
