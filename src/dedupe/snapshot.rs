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
    index::snapshot::{DEDUPLICATOR, id_bytes, number, put, seal},
    simhash::minhash::MinHash,
};

/// The sizes of the numbers in the header after the version, in bytes.
const HEADER: [usize; 7] = [1, 1, 4, 4, 4, 8, 4];

impl Deduplicator {
    /// Returns the documents as bytes, the same on every machine. O(n).
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(&[])
    }

    /// Returns the documents as [`to_bytes`](Self::to_bytes) does, with a note: any bytes, such as the names of the ids.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn to_bytes_with(&self, note: &[u8]) -> Result<Vec<u8>, Error> {
        let Deduplicator { long, short, .. } = self;
        let (long_len, short_len) = (long.kept.entries.len(), short.entries.len());
        let id_bytes = id_bytes(self.ids());
        let has_expiry = self.places().any(|place| self.expires_at(place) != NEVER);
        let scheme = String::from(*self.scheme());
        let expiry = usize::from(has_expiry);
        let header =
            [id_bytes, expiry, long_len, short_len, scheme.len(), note.len(), self.probes()];
        let each = id_bytes + 8 * expiry;
        let documents = self.len() * each + long_len * (8 + 8 + 64) + short_len * 16;
        let size = 36 + scheme.len() + documents + note.len() + 8;
        let mut bytes = DEDUPLICATOR.begin(size, HEADER, header.map(|number| number as u64))?;
        bytes.extend_from_slice(scheme.as_bytes());
        self.ids().for_each(|id| put(&mut bytes, id.into(), id_bytes));
        let entries = || long.kept.entries.iter();
        entries().for_each(|entry| put(&mut bytes, long.fingerprint(entry).into(), 8));
        entries().for_each(|entry| put(&mut bytes, long.record(entry).words.0.into(), 8));
        for entry in entries() {
            let MinHash(cells) = &long.record(entry).minhash;
            cells.iter().for_each(|&cell| put(&mut bytes, cell.into(), 8));
        }
        let keys = short.entries.iter().map(|entry| short.entries.fingerprint(entry));
        keys.for_each(|key| put(&mut bytes, key, 16));
        if has_expiry {
            self.places().for_each(|place| put(&mut bytes, self.expires_at(place).into(), 8));
        }
        Ok(seal(bytes, note))
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes. O(n).
    ///
    /// # Errors
    /// The bytes are cut off, changed, or not a snapshot of a deduplicator; or there is not enough memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_with(bytes).map(|(deduplicator, _)| deduplicator)
    }

    /// Reads what [`to_bytes_with`](Self::to_bytes_with) writes, and returns the note too. O(n).
    ///
    /// # Errors
    /// The errors of [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let mut reader = DEDUPLICATOR.open(bytes)?;
        let [id_bytes, has_expiry, long, short, scheme_bytes, note_bytes, probes] =
            reader.numbers(HEADER)?;
        if !matches!(id_bytes, 4 | 8) || has_expiry > 1 {
            return Err(DEDUPLICATOR.bad_header());
        }
        let scheme = reader.scheme(scheme_bytes)?.parse();
        let ids = reader.take((long + short) * id_bytes)?;
        let (fingerprints, words) = (reader.take(8 * long)?, reader.take(8 * long)?);
        let (minhashes, keys) = (reader.take(64 * long)?, reader.take(16 * short)?);
        let times = reader.take(8 * has_expiry * (long + short))?;
        let note = reader.note(note_bytes)?;
        let scheme = scheme.map_err(|_| DEDUPLICATOR.bad_header())?;
        let empty = Deduplicator::new(scheme)?.with_probes(probes as usize);
        let mut read = empty.map_err(|_| DEDUPLICATOR.bad_header())?;
        let cell = |column: &[u8], at: usize| number(&column[8 * at..][..8]) as u64;
        let long = long as usize;
        for (at, id) in ids.chunks_exact(id_bytes as usize).enumerate() {
            let id = number(id) as u64;
            if read.contains(id) {
                return Err(DEDUPLICATOR.damaged("one with an id twice"));
            }
            let (fingerprint, words, minhash) = if at < long {
                let minhash = MinHash::from_bytes(&minhashes.as_chunks().0[at]);
                (cell(fingerprints, at), cell(words, at), Some(minhash))
            } else {
                let at = 2 * (at - long);
                // The lowest bit states that the text is short: forged bytes may lack it.
                (cell(keys, at), cell(keys, at + 1) | 1, None)
            };
            let content = Content { fingerprint, words: WordsHash(words), minhash };
            let expires = if times.is_empty() { NEVER } else { cell(times, at) };
            read.put(None, id, &content, Some(expires))?;
        }
        Ok((read, note))
    }
}
