//! Snapshots: a deduplicator as bytes.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the magic `NearDup\0` |
//! | 2 | version, 1 |
//! | 1 | bytes of an id: 4 or 8 |
//! | 1 | 1 if there are expiry times, else 0 |
//! | 4 | documents that are not short, *n* |
//! | 4 | short documents, *m* |
//! | 4 | bytes of the scheme's id |
//! | 8 | bytes of the note |
//! | 4 | probes of a block |
//! | | the scheme's id, ASCII |
//! | (*n* + *m*) × 4 or 8 | ids, in the order of addition, the *n* first |
//! | *n* × 8 | fingerprints |
//! | *n* × 8 | hashes of the words |
//! | *n* × 64 | MinHashes |
//! | *m* × 16 | fingerprint and hash of the words, of short documents |
//! | (*n* + *m*) × 8 | expiry times, if there are any; 2^64 - 1 for none |
//! | | the note |
//! | 8 | checksum of everything before |

use alloc::{string::String, vec::Vec};

use super::{
    Deduplicator,
    kept::NEVER,
    sketch::{Content, WordsHash},
};
use crate::{
    Error,
    index::snapshot::{checksum, number, put},
    simhash::{Scheme, minhash::MinHash},
};

const MAGIC: [u8; 8] = *b"NearDup\0";
const VERSION: u16 = 1;
const HEADER: usize = 36;

/// The error for bytes that are not a snapshot; `got` describes them.
#[cold]
fn damaged(got: &'static str) -> Error {
    Error::argument("bytes", "a whole, unchanged snapshot of a Deduplicator, version 1", got)
}

impl Deduplicator {
    /// The documents as bytes, the same on every machine. O(n).
    ///
    /// # Errors
    /// Too little memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(&[])
    }

    /// The same as [`to_bytes`](Self::to_bytes) with a note: any bytes of the caller's, such as the names of the ids.
    ///
    /// # Errors
    /// Too little memory.
    pub fn to_bytes_with(&self, note: &[u8]) -> Result<Vec<u8>, Error> {
        let Deduplicator { long, short, .. } = self;
        let id_bytes = if self.ids().fold(0, |all, id| all | id) >> 32 == 0 { 4 } else { 8 };
        let has_expiry = long.kept.has_expiry() || short.has_expiry();
        let scheme = String::from(*self.scheme());
        let expiry_bytes = if has_expiry { 8 } else { 0 };
        let documents = self.len() * (id_bytes + expiry_bytes)
            + long.kept.len() * (8 + 8 + 64)
            + short.len() * 16;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(HEADER + scheme.len() + documents + note.len() + 8)?;
        bytes.extend_from_slice(&MAGIC);
        for (value, size) in [
            (u64::from(VERSION), 2),
            (id_bytes as u64, 1),
            (has_expiry.into(), 1),
            (long.kept.len() as u64, 4),
            (short.len() as u64, 4),
            (scheme.len() as u64, 4),
            (note.len() as u64, 8),
            (self.probes() as u64, 4),
        ] {
            put(&mut bytes, value.into(), size);
        }
        bytes.extend_from_slice(scheme.as_bytes());
        self.ids().for_each(|id| _ = put(&mut bytes, id.into(), id_bytes));
        long.kept.iter().for_each(|entry| _ = put(&mut bytes, long.kept.key(entry), 8));
        long.kept
            .iter()
            .for_each(|entry| _ = put(&mut bytes, long.kept.record(entry).words.0.into(), 8));
        for entry in long.kept.iter() {
            let MinHash(cells) = &long.kept.record(entry).minhash;
            cells.iter().for_each(|&cell| _ = put(&mut bytes, cell.into(), 8));
        }
        short.iter().for_each(|entry| _ = put(&mut bytes, short.key(entry), 16));
        if has_expiry {
            let short = short.iter().map(|entry| short.expires(entry));
            let times = long.kept.iter().map(|entry| long.kept.expires(entry)).chain(short);
            times.for_each(|time| _ = put(&mut bytes, time.into(), 8));
        }
        bytes.extend_from_slice(note);
        let sum = checksum(&bytes);
        put(&mut bytes, sum.into(), 8);
        Ok(bytes)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes. O(n).
    ///
    /// # Errors
    /// The bytes are cut off, changed, or not a snapshot of a deduplicator; or too little memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_with(bytes).map(|(deduplicator, _)| deduplicator)
    }

    /// Reads what [`to_bytes_with`](Self::to_bytes_with) writes, and returns the note too. O(n).
    ///
    /// # Errors
    /// The errors of [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let parts = Parts::of(bytes).map_err(damaged)?;
        let bad_probes = |_| damaged("a header that is not valid");
        let mut read =
            Deduplicator::new(parts.scheme)?.with_probes(parts.probes).map_err(bad_probes)?;
        let cell = |column: &[u8], at: usize| number(&column[8 * at..][..8]) as u64;
        let long = parts.fingerprints.len() / 8;
        for (at, id) in parts.ids.chunks_exact(parts.id_bytes).enumerate() {
            let id = number(id) as u64;
            if read.contains(id) {
                return Err(damaged("one with an id twice"));
            }
            let (fingerprint, words, minhash) = if at < long {
                let minhash = MinHash::from_bytes(&parts.minhashes.as_chunks().0[at]);
                (cell(parts.fingerprints, at), cell(parts.words, at), Some(minhash))
            } else {
                let at = 2 * (at - long);
                (cell(parts.keys, at), cell(parts.keys, at + 1), None)
            };
            let words = WordsHash(words);
            let expires = if parts.times.is_empty() { NEVER } else { cell(parts.times, at) };
            read.insert(id, Content { fingerprint, words, minhash }, expires)?;
        }
        Ok((read, parts.note))
    }
}

/// The parts of a snapshot whose lengths and checksum are correct.
struct Parts<'a> {
    scheme: Scheme,
    probes: usize,
    id_bytes: usize,
    ids: &'a [u8],
    fingerprints: &'a [u8],
    words: &'a [u8],
    minhashes: &'a [u8],
    keys: &'a [u8],
    times: &'a [u8],
    note: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts of these bytes, or a description of bytes that are not a snapshot. Nothing is allocated for them, whatever
    /// their lengths.
    fn of(bytes: &'a [u8]) -> Result<Self, &'static str> {
        const CUT_OFF: &str = "one that is cut off";
        const BAD_HEADER: &str = "a header that is not valid";
        if bytes.starts_with(b"NearIdx\0") {
            return Err("a snapshot of a NearIndex, which has no sketches");
        }
        if !bytes.starts_with(&MAGIC) {
            return Err("other bytes");
        }
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(CUT_OFF)?;
        let (header, mut rest) = content.split_at_checked(HEADER).ok_or(CUT_OFF)?;
        let field = |from: usize, to: usize| number(&header[from..to]) as u64;
        if field(8, 10) != u64::from(VERSION) {
            return Err("one of another version");
        }
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err("one that is cut off or changed");
        }
        let (id_bytes, has_expiry) = (header[10], header[11]);
        if !matches!(id_bytes, 4 | 8) || has_expiry > 1 {
            return Err(BAD_HEADER);
        }
        let (long, short) = (field(12, 16), field(16, 20));
        let sizes = [
            field(20, 24),
            (long + short) * u64::from(id_bytes),
            8 * long,
            8 * long,
            64 * long,
            16 * short,
            8 * u64::from(has_expiry) * (long + short),
            field(24, 32),
        ];
        let mut parts = [&[][..]; 8];
        for (part, size) in parts.iter_mut().zip(sizes) {
            let size = usize::try_from(size).map_err(|_| CUT_OFF)?;
            *part = rest.split_off(..size).ok_or(CUT_OFF)?;
        }
        let [scheme, ids, fingerprints, words, minhashes, keys, times, note] = parts;
        if !rest.is_empty() {
            return Err("one with a length that is not the one in its header");
        }
        let scheme = core::str::from_utf8(scheme).ok().and_then(|id| id.parse().ok());
        let scheme: Scheme = scheme.ok_or(BAD_HEADER)?;
        let probes = field(32, 36) as usize;
        let id_bytes = id_bytes.into();
        Ok(Parts {
            scheme,
            probes,
            id_bytes,
            ids,
            fingerprints,
            words,
            minhashes,
            keys,
            times,
            note,
        })
    }
}
