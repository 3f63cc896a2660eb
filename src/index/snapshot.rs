//! Snapshots: an index as bytes, the same on every machine.
//!
//! Invariant: `read` takes exactly what `write` returns, and compares every length with the bytes that are there before it
//! allocates. Numbers are little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | the magic `NearIdx\0` |
//! | 2 | version, 1 |
//! | 1 | bits: 32, 64 or 128 |
//! | 1 | maxDistance |
//! | 1 | bytes of an id: 4 or 8 |
//! | 3 | zero |
//! | 4 | documents, *n* |
//! | 4 | bytes of the scheme's id |
//! | 8 | bytes of the note |
//! | | the scheme's id, UTF-8 |
//! | *n* × 4 or 8 | ids, in insertion order |
//! | *n* × bits / 8 | fingerprints, in the same order |
//! | | the note |
//! | 8 | FNV-1a of everything before, see `checksum` |
//!
//! The tables are not part of it: building them anew is faster than reading them, and a snapshot stays valid when the
//! tables of a later version differ.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{MAX_DOCUMENTS, NearIndex, blocks};
use crate::Error;

const MAGIC: [u8; 8] = *b"NearIdx\0";
const VERSION: u16 = 1;
const HEADER: usize = 32;

/// FNV-1a over cells of 64 bits, the last one padded with zeros (Fowler, Noll and Vo; RFC 9923), with a shift after every
/// step. Each step is a bijection of the state and of the cell, so a change within one cell is always detected.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |state: u64, chunk| {
        let mut cell = [0; 8];
        cell[..chunk.len()].copy_from_slice(chunk);
        let mixed = (state ^ u64::from_le_bytes(cell)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 32
    })
}

/// Appends the low `size` bytes of a number. Returns true, so that a callback can end with it.
#[inline(never)]
pub(crate) fn put(bytes: &mut Vec<u8>, value: u128, size: usize) -> bool {
    bytes.extend_from_slice(&value.to_le_bytes()[..size]);
    true
}

/// The little-endian number in `bytes`, at most 16 of them.
#[inline(never)]
pub(crate) fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Splits `size` bytes off the front; none if there are fewer.
fn take<'a>(bytes: &mut &'a [u8], size: u64) -> Option<&'a [u8]> {
    let size = usize::try_from(size).ok()?;
    let (front, rest) = bytes.split_at_checked(size)?;
    *bytes = rest;
    Some(front)
}

/// The snapshot of an index with a note of the caller's.
pub(crate) fn write(index: &NearIndex, note: &[u8]) -> Result<Vec<u8>, Error> {
    let mut ids = 0;
    index.page(0, &mut |id, _| {
        ids |= id;
        true
    });
    let id_bytes = if ids >> 32 == 0 { 4 } else { 8 };
    let bits = index.bits();
    let scheme = index.scheme().as_bytes();
    let fingerprint_bytes = bits as usize / 8;
    let size =
        HEADER + scheme.len() + index.len() * (id_bytes + fingerprint_bytes) + note.len() + 8;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size)?;
    bytes.extend_from_slice(&MAGIC);
    let header = [
        (u64::from(VERSION), 2),
        (bits.into(), 1),
        (index.max_distance().into(), 1),
        (id_bytes as u64, 4),
        (index.len() as u64, 4),
        (scheme.len() as u64, 4),
        (note.len() as u64, 8),
    ];
    for (value, size) in header {
        put(&mut bytes, value.into(), size);
    }
    bytes.extend_from_slice(scheme);
    index.page(0, &mut |id, _| put(&mut bytes, id.into(), id_bytes));
    index.page(0, &mut |_, fingerprint| put(&mut bytes, fingerprint, fingerprint_bytes));
    bytes.extend_from_slice(note);
    let sum = checksum(&bytes);
    put(&mut bytes, sum.into(), 8);
    Ok(bytes)
}

/// The error for bytes that are not a snapshot; `got` describes them.
#[cold]
fn damaged(got: impl Into<Cow<'static, str>>) -> Error {
    Error::argument("bytes", "a whole, unchanged snapshot of a NearIndex, version 1", got)
}

/// The error for a field of the header with a value that no index has.
#[cold]
fn bad_field(name: &str, value: u64) -> Error {
    damaged(format!("a header with {name} {value}"))
}

/// The index of a snapshot, and its note.
pub(crate) fn read(bytes: &[u8]) -> Result<(NearIndex, &[u8]), Error> {
    if !bytes.starts_with(&MAGIC) {
        return Err(damaged("other bytes"));
    }
    let cut_off = || damaged(format!("{} bytes of a longer snapshot", bytes.len()));
    let (mut rest, sum) = bytes.split_last_chunk::<8>().ok_or_else(cut_off)?;
    let header = take(&mut rest, HEADER as u64).ok_or_else(cut_off)?;
    let field = |from: usize, to: usize| number(&header[from..to]) as u64;
    if field(8, 10) != u64::from(VERSION) {
        return Err(damaged(format!("a snapshot of version {}", field(8, 10))));
    }
    let (found, computed) = (u64::from_le_bytes(*sum), checksum(&bytes[..bytes.len() - 8]));
    if found != computed {
        let got = format!("a damaged one, checksum {found:016x} instead of {computed:016x}");
        return Err(damaged(got));
    }
    let (bits, max_distance, id_bytes) = (header[10].into(), header[11].into(), header[12]);
    if !matches!(id_bytes, 4 | 8) {
        return Err(bad_field("bytes of an id", id_bytes.into()));
    }
    if field(13, 16) != 0 {
        return Err(bad_field("reserved bytes", field(13, 16)));
    }
    let count = field(16, 20);
    if count > MAX_DOCUMENTS as u64 {
        return Err(bad_field("documents", count));
    }
    let scheme = take(&mut rest, field(20, 24)).ok_or_else(cut_off)?;
    let ids = take(&mut rest, count * u64::from(id_bytes)).ok_or_else(cut_off)?;
    let fingerprints = take(&mut rest, count * u64::from(bits / 8)).ok_or_else(cut_off)?;
    if field(24, 32) != rest.len() as u64 {
        let (found, stated) = (rest.len(), field(24, 32));
        return Err(damaged(format!("a note of {found} bytes where the header says {stated}")));
    }
    let scheme = core::str::from_utf8(scheme).map_err(|_| damaged("a scheme that is not UTF-8"))?;
    if blocks::check_bits(bits).is_err() {
        return Err(bad_field("bits", bits.into()));
    }
    if blocks::check_distance(bits, max_distance).is_err() {
        return Err(bad_field("maxDistance", max_distance.into()));
    }
    let mut own = String::new();
    own.try_reserve_exact(scheme.len())?;
    own.push_str(scheme);
    let mut index = NearIndex::new(bits, max_distance, own)?;
    let ids = ids.chunks_exact(id_bytes.into()).map(|id| number(id) as u64);
    let fingerprints = fingerprints.chunks_exact(bits as usize / 8).map(number);
    index.extend(count as usize, 0, &mut ids.zip(fingerprints))?;
    if index.len() as u64 != count {
        let ids = index.len();
        return Err(damaged(format!("{count} documents with only {ids} different ids")));
    }
    Ok((index, rest))
}
