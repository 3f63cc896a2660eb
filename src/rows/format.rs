//! The frame of snapshots: an index or a set as bytes, the same on every machine.
//!
//! Invariant: every length is checked against the bytes present before memory is allocated. Numbers are little-endian. A snapshot
//! begins with a magic of 8 bytes and a version of 2, and ends with a note and a checksum of 8 bytes.

use alloc::{string::String, vec::Vec};

use crate::{Error, error::decimal, hash::fnv};

const VERSION: u64 = 1;

/// A kind of snapshot: its first bytes, and the name of its content.
pub(crate) struct Kind {
    magic: [u8; 8],
    name: &'static str,
}

pub(crate) const INDEX: Kind = Kind { magic: *b"NearIdx\0", name: "NearIndex" };
pub(crate) const DEDUPLICATOR: Kind = Kind { magic: *b"NearDup\0", name: "Deduplicator" };

impl Kind {
    /// Returns the first bytes of a snapshot of `size` bytes: the magic, the version and these numbers, of these sizes.
    pub(crate) fn begin<const N: usize>(
        &self,
        size: usize,
        sizes: [usize; N],
        numbers: [u64; N],
    ) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size)?;
        bytes.extend_from_slice(&self.magic);
        put(&mut bytes, VERSION.into(), 2);
        for (number, size) in numbers.into_iter().zip(sizes) {
            put(&mut bytes, number.into(), size);
        }
        Ok(bytes)
    }

    /// Checks the magic, the version and the checksum, and returns the bytes between version and checksum.
    pub(crate) fn open<'a>(&'a self, bytes: &'a [u8]) -> Result<Reader<'a>, Error> {
        let mut reader = Reader { kind: self, rest: bytes };
        let is_of = |kind: &Kind| bytes.starts_with(&kind.magic);
        if !is_of(self) {
            let other = [INDEX, DEDUPLICATOR].into_iter().find(is_of);
            let got = other.map(|kind| ["a snapshot of a ", kind.name].concat());
            return Err(self.damaged(got.as_deref().unwrap_or("other bytes")));
        }
        reader.take(self.magic.len() as u64)?;
        if reader.numbers([2])? != [VERSION] {
            return Err(self.damaged("one of another version"));
        }
        let (content, sum) = reader.rest.split_last_chunk().ok_or_else(|| self.cut_off())?;
        if checksum(&bytes[..bytes.len() - sum.len()]) != u64::from_le_bytes(*sum) {
            return Err(self.damaged("one that is cut off or changed"));
        }
        Ok(Reader { rest: content, ..reader })
    }

    /// Returns the error for bytes that are not a snapshot of this kind; `got` describes them.
    #[cold]
    pub(crate) fn damaged(&self, got: &str) -> Error {
        let requirement = ["a whole, unchanged snapshot of a ", self.name, ", version 1"].concat();
        Error::argument("bytes", requirement, String::from(got))
    }

    /// Returns the error for a number or an id of the header that no snapshot has.
    #[cold]
    pub(crate) fn bad_header(&self) -> Error {
        self.damaged("one with a header that is not valid")
    }

    /// Checks that a snapshot has no note, in which JavaScript stores string and negative ids.
    pub(crate) fn check_ids(&self, note: &[u8]) -> Result<(), Error> {
        if note.is_empty() {
            Ok(())
        } else {
            Err(self.damaged("one with a note, such as string or negative ids"))
        }
    }

    #[cold]
    fn cut_off(&self) -> Error {
        self.damaged("one that is cut off")
    }
}

/// The bytes of a snapshot that have not been read.
pub(crate) struct Reader<'a> {
    kind: &'a Kind,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns the next `size` bytes.
    pub(crate) fn take(&mut self, size: u64) -> Result<&'a [u8], Error> {
        let front = usize::try_from(size).ok().and_then(|size| self.rest.split_off(..size));
        front.ok_or_else(|| self.kind.cut_off())
    }

    /// Returns the next numbers, of these sizes, each at most 8.
    pub(crate) fn numbers<const N: usize>(&mut self, sizes: [usize; N]) -> Result<[u64; N], Error> {
        let mut numbers = [0; N];
        for (next, size) in numbers.iter_mut().zip(sizes) {
            *next = number(self.take(size as u64)?) as u64;
        }
        Ok(numbers)
    }

    /// Returns the next `size` bytes as the id of a scheme.
    pub(crate) fn scheme(&mut self, size: u64) -> Result<&'a str, Error> {
        core::str::from_utf8(self.take(size)?).map_err(|_| self.kind.bad_header())
    }

    /// Returns the note of `size` bytes, which is last.
    pub(crate) fn note(mut self, size: u64) -> Result<&'a [u8], Error> {
        let note = self.take(size)?;
        if self.rest.is_empty() { Ok(note) } else { Err(self.kind.bad_header()) }
    }
}

/// Appends the note and the checksum.
pub(crate) fn seal(mut bytes: Vec<u8>, note: &[u8]) -> Vec<u8> {
    bytes.extend_from_slice(note);
    let sum = checksum(&bytes);
    put(&mut bytes, sum.into(), 8);
    bytes
}

/// Returns FNV-1a over cells of 64 bits, the last one padded with zeros (Fowler, Noll and Vo; RFC 9923), with a shift after
/// every step. Each step is a bijection of the state and of the cell, so a change within one cell is always detected.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(fnv::OFFSET_64, |state, chunk| {
        let mut cell = [0; 8];
        cell[..chunk.len()].copy_from_slice(chunk);
        let mixed = (state ^ u64::from_le_bytes(cell)).wrapping_mul(fnv::PRIME_64);
        mixed ^ mixed >> 32
    })
}

/// Appends the low `size` bytes of a number.
#[inline(never)]
pub(crate) fn put(bytes: &mut Vec<u8>, value: u128, size: usize) {
    bytes.extend_from_slice(&value.to_le_bytes()[..size]);
}

/// Returns the number in these bytes, at most 16.
#[inline(never)]
pub(crate) fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Returns the numbers in these bytes, of `size` bytes each, at most 8.
pub(crate) fn numbers_in(bytes: &[u8], size: u64) -> impl ExactSizeIterator<Item = u64> + Clone {
    bytes.chunks_exact(size as usize).map(|bytes| number(bytes) as u64)
}

/// Checks the number of the ids that a caller gives for `documents` documents.
pub(crate) fn check_count(ids: usize, documents: usize) -> Result<(), Error> {
    if ids == documents {
        return Ok(());
    }
    let requirement = ["as many as the documents, ", &decimal(documents as u64)].concat();
    Err(Error::number("ids", requirement, ids as u64))
}

/// Returns the number of bytes of an id, 4 or 8, that these ids need.
pub(crate) fn id_bytes(ids: impl Iterator<Item = u64>) -> usize {
    if ids.fold(0, |all, id| all | id) >> 32 == 0 { 4 } else { 8 }
}
