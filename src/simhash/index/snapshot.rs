//! Snapshots: an index as bytes. [`format`](crate::rows::format) has the frame.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the magic `NearIdx\0` |
//! | 2 | version, 1 |
//! | 1 | bits: 32, 64 or 128 |
//! | 1 | maxDistance |
//! | 4 | bytes of an id: 4 or 8 |
//! | 4 | documents, *n* |
//! | 4 | bytes of the scheme's id |
//! | 8 | bytes of the note |
//! | | the scheme's id, UTF-8 |
//! | *n* × 4 or 8 | ids, in insertion order; positions if a note of JavaScript has the ids |
//! | *n* × bits / 8 | fingerprints, in the same order |
//! | | the note |
//! | 8 | FNV-1a of everything before, see `checksum` |
//!
//! The tables are not part of it: rebuilding them is faster than reading them, and a snapshot stays valid if a later version
//! has other tables.

use alloc::{string::String, vec::Vec};

use super::{NearIndex, Settings, blocks};
use crate::{
    Error,
    rows::{
        MAX_DOCUMENTS,
        format::{INDEX, check_count, id_bytes, number, numbers_in, put, seal},
    },
    simhash::Width,
};

/// The sizes of the numbers in the header after the version, in bytes.
const HEADER: [usize; 6] = [1, 1, 4, 4, 4, 8];

impl NearIndex {
    /// Returns the index as bytes, the same on every machine: documents in insertion order, distance and scheme, with a
    /// checksum. O(n).
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(self.iter().map(|(id, _)| id), &[])
    }

    /// Returns the index as [`to_bytes`](Self::to_bytes) does, with another id for each document, in the order of
    /// [`iter`](Self::iter), and with a note: any bytes, such as ids that are not numbers.
    /// [`from_bytes_with`](Self::from_bytes_with) returns the note; [`from_bytes`](Self::from_bytes) refuses a snapshot with
    /// one.
    ///
    /// # Errors
    /// There are not as many ids as documents, or there is not enough memory.
    pub fn to_bytes_with(
        &self,
        ids: impl Iterator<Item = u64> + Clone,
        note: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let (bits, scheme, count) = (self.width.bits(), self.scheme.as_bytes(), self.len());
        check_count(ids.clone().count(), count)?;
        let id_bytes = id_bytes(ids.clone());
        let distance = self.max_distance as usize;
        let header = [bits as usize, distance, id_bytes, count, scheme.len(), note.len()];
        let fingerprint_bytes = bits as usize / 8;
        let size = 32 + scheme.len() + count * (id_bytes + fingerprint_bytes) + note.len() + 8;
        let mut bytes = INDEX.begin(size, HEADER, header.map(|number| number as u64))?;
        bytes.extend_from_slice(scheme);
        ids.for_each(|id| put(&mut bytes, id.into(), id_bytes));
        self.iter().for_each(|(_, fingerprint)| put(&mut bytes, fingerprint, fingerprint_bytes));
        Ok(seal(bytes, note))
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes, and the snapshots of JavaScript whose ids are non-negative
    /// integers. O(n).
    ///
    /// # Errors
    /// The bytes are cut off, changed, or not a snapshot of an index; its ids are others; or there is not enough memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (index, _, note) = Self::read_snapshot(bytes, |_, id| id)?;
        INDEX.check_ids(note)?;
        Ok(index)
    }

    /// Reads a snapshot with a note, or without one: the ids of the documents become 0, 1, 2 and so on. Returns their own ids
    /// and the note too.
    ///
    /// # Errors
    /// The errors of [`from_bytes`](Self::from_bytes), but for a note.
    pub fn from_bytes_with(
        bytes: &[u8],
    ) -> Result<(Self, impl ExactSizeIterator<Item = u64>, &[u8]), Error> {
        Self::read_snapshot(bytes, |at, _| at)
    }

    /// Reads a snapshot. `id_of` chooses between the position of a document and its id.
    fn read_snapshot(
        bytes: &[u8],
        id_of: fn(u64, u64) -> u64,
    ) -> Result<(Self, impl ExactSizeIterator<Item = u64>, &[u8]), Error> {
        let mut reader = INDEX.open(bytes)?;
        let [bits, max_distance, id_bytes, count, scheme_bytes, note_bytes] =
            reader.numbers(HEADER)?;
        let (bits, max_distance) = (bits as u32, max_distance as u32);
        if !matches!(id_bytes, 4 | 8) || count > MAX_DOCUMENTS as u64 {
            return Err(INDEX.bad_header());
        }
        let width = Width::try_from(bits).map_err(|_| INDEX.bad_header())?;
        blocks::check_distance(bits, max_distance).map_err(|_| INDEX.bad_header())?;
        let scheme = reader.scheme(scheme_bytes)?;
        let ids = numbers_in(reader.take(count * id_bytes)?, id_bytes);
        let fingerprints = reader.take(count * u64::from(bits / 8))?;
        let note = reader.note(note_bytes)?;
        let mut name = String::new();
        name.try_reserve_exact(scheme.len())?;
        name.push_str(scheme);
        let mut index = NearIndex::new(Settings { width, max_distance, scheme: name })?;
        let fingerprints = fingerprints.chunks_exact(bits as usize / 8).map(number);
        let own = (0..).zip(ids.clone()).map(|(at, id)| id_of(at, id));
        index.add_documents(count as usize, &mut own.zip(fingerprints))?;
        if index.len() as u64 != count {
            return Err(INDEX.damaged("one with an id twice"));
        }
        Ok((index, ids, note))
    }
}
