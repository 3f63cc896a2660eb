//! Snapshots: a deduplicator as bytes.
//!
//! All numbers are little-endian. Entries are numbered in the order of addition, without holes.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the magic `NearDup\0` |
//! | 2 | version, 1 |
//! | 1 | bytes of an id: 4 or 8 |
//! | 1 | 1 if there are expiry times, else 0 |
//! | 4 | documents, *n* |
//! | 4 | bytes of the scheme's id |
//! | 8 | bytes of the note |
//! | 8 | the salt |
//! | | the scheme's id, ASCII |
//! | *n* × 4 or 8 | ids, in the order of addition |
//! | *n* × 80 | two hashes of the words and symbols, and the odd sketch, of each document |
//! | *n* × 8 | expiry times, if there are any; 2^64 - 1 for none |
//! | 2^*p* × 4 | the number of items of each page of postings; *p* is the smallest for which *n* ≤ 2^(*p* + 4) |
//! | items × 4 | the items of all pages: see `postings.rs` |
//! | | the note: bytes for a binding, such as ids that are not numbers |
//! | 8 | checksum of everything before |

use alloc::{string::String, vec::Vec};

use super::{
    Deduplicator,
    options::NEVER,
    postings::{Postings, page_bits},
};
use crate::{
    Error,
    rows::{
        MAX_DOCUMENTS,
        columns::{collect, filled},
        format::{DEDUPLICATOR, check_count, id_bytes, numbers_in, put, seal},
    },
    sketch::record::Record,
};

/// The sizes of the numbers in the header after the version, in bytes.
const HEADER: [usize; 6] = [1, 1, 4, 4, 8, 8];

impl Deduplicator {
    /// Returns the kept versions as bytes, the same on every machine. O(n).
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(self.kept.ids.iter().map(|entry| self.kept.ids.id(entry)), &[])
    }

    /// Returns the documents as [`to_bytes`](Self::to_bytes) does, with another id for each kept version, in the order of
    /// addition, and with a note: any bytes, such as ids that are not numbers. [`from_bytes_with`](Self::from_bytes_with)
    /// returns the note; [`from_bytes`](Self::from_bytes) refuses a snapshot with one.
    ///
    /// # Errors
    /// There are not as many ids as documents, or there is not enough memory.
    pub fn to_bytes_with(
        &self,
        ids: impl Iterator<Item = u64> + Clone,
        note: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let kept = &self.kept;
        let entries = || kept.ids.iter();
        check_count(ids.clone().count(), kept.ids.len())?;
        let id_bytes = id_bytes(ids.clone());
        let has_expiry = entries().any(|entry| kept.expires(entry) != NEVER);
        let expiry_bytes = 8 * usize::from(has_expiry);
        let scheme = String::from(*self.scheme());
        let postings = kept.dense_postings(&|entry| kept.ids.is_listed(entry))?;
        let items = postings.pages.iter().map(|page| 1 + page.len()).sum::<usize>();
        let count = kept.ids.len();
        let documents = count * (id_bytes + Record::BYTES + expiry_bytes);
        let size = 44 + scheme.len() + documents + 4 * items + note.len();
        let header = [id_bytes, has_expiry.into(), count, scheme.len(), note.len()];
        let [a, b, c, d, e] = header.map(|number| number as u64);
        let mut bytes = DEDUPLICATOR.begin(size, HEADER, [a, b, c, d, e, kept.salt])?;
        bytes.extend_from_slice(scheme.as_bytes());
        ids.for_each(|id| put(&mut bytes, id.into(), id_bytes));
        let numbers = entries().flat_map(|entry| kept.record(entry).numbers());
        numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        if has_expiry {
            entries().for_each(|entry| put(&mut bytes, kept.expires(entry).into(), 8));
        }
        postings.pages.iter().for_each(|page| put(&mut bytes, page.len() as u128, 4));
        for item in postings.pages.iter().flatten() {
            bytes.extend_from_slice(&item.to_le_bytes());
        }
        Ok(seal(bytes, note))
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes, and the snapshots of JavaScript whose ids are non-negative
    /// integers. O(n).
    ///
    /// # Errors
    /// The bytes are cut off, changed, or not a snapshot of a deduplicator; its ids are others; or there is not enough
    /// memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (deduplicator, _, note) = Self::read_snapshot(bytes, |_, id| id)?;
        DEDUPLICATOR.check_ids(note)?;
        Ok(deduplicator)
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
        let mut reader = DEDUPLICATOR.open(bytes)?;
        let [id_bytes, has_expiry, len, scheme_bytes, note_bytes, salt] = reader.numbers(HEADER)?;
        if !matches!(id_bytes, 4 | 8) || has_expiry > 1 || len > MAX_DOCUMENTS as u64 {
            return Err(DEDUPLICATOR.bad_header());
        }
        let scheme = reader.scheme(scheme_bytes)?.parse();
        let scheme = scheme.map_err(|_| DEDUPLICATOR.bad_header())?;
        let ids = numbers_in(reader.take(len * id_bytes)?, id_bytes);
        let records = reader.take(len * Record::BYTES as u64)?.chunks_exact(Record::BYTES);
        let times = reader.take(8 * has_expiry * len)?;
        let end = len as u32;
        let lens = reader.take(4 << page_bits(end))?;
        let items =
            lens.as_chunks().0.iter().map(|len| u64::from(u32::from_le_bytes(*len))).sum::<u64>();
        let items = reader.take(4 * items)?;
        let note = reader.note(note_bytes)?;
        let postings = Postings::from_pages(read_pages(lens, items)?, end);
        let postings = postings.ok_or_else(|| DEDUPLICATOR.damaged("one with other postings"))?;

        let read = Deduplicator::with_salt(scheme, salt);
        let mut read = read.map_err(|_| DEDUPLICATOR.bad_header())?;
        read.kept.postings = postings;
        let own = (0..).zip(ids.clone()).map(|(at, id)| id_of(at, id));
        let times = times.as_chunks().0.iter().map(|time| u64::from_le_bytes(*time));
        let times = times.chain(core::iter::repeat(NEVER));
        for ((id, record), expires) in own.zip(records.map(read_record)).zip(times) {
            read.change(id, expires, &mut |kept| kept.restore(id, record, expires))?;
        }
        Ok((read, ids, note))
    }
}

/// Reads the pages of postings: how many items each has, and the items.
fn read_pages(lens: &[u8], items: &[u8]) -> Result<Vec<Vec<u32>>, Error> {
    let (lens, mut items) = (lens.as_chunks().0, items.as_chunks().0);
    let mut pages = filled(Vec::new(), lens.len())?;
    for (page, len) in pages.iter_mut().zip(lens) {
        let own =
            items.split_off(..u32::from_le_bytes(*len) as usize).expect("all items were taken");
        *page = collect(own.len(), own.iter().map(|item| u32::from_le_bytes(*item)))?;
    }
    Ok(pages)
}

fn read_record(bytes: &[u8]) -> Record {
    let mut record = Record::read(bytes);
    // A short text has few features, and no other is blank: forged bytes may lack these bits.
    record.sequence = match record.is_short() {
        true => record.sequence.with_few_features(true),
        false => record.sequence.with_content(),
    };
    record
}
