//! Snapshots: an index as bytes.
//!
//! All numbers little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | the magic `NearIdx\0` |
//! | 2 | version, 1 |
//! | 1 | bits: 32, 64 or 128 |
//! | 1 | maxDistance |
//! | 1 | bytes an id takes: 4 or 8 |
//! | 3 | zero |
//! | 4 | fingerprints, *n* |
//! | 4 | bytes of the scheme's id |
//! | 8 | bytes of the note |
//! | | the scheme's id, UTF-8 |
//! | *n* × 4 or 8 | ids, in insertion order |
//! | *n* × bits / 8 | fingerprints, in the same order |
//! | | the note |
//! | 8 | checksum of everything before |
//!
//! The tables are not part of it: building them anew takes less time than reading them would save, and a snapshot stays
//! valid when they change.

use alloc::{string::String, vec::Vec};

use super::NearIndex;

const MAGIC: [u8; 8] = *b"NearIdx\0";
const VERSION: u16 = 1;
const HEADER: usize = 32;

/// Why bytes are refused.
type Refusal = &'static str;

/// A refusal that says why.
macro_rules! refuse {
    ($why:literal) => {
        concat!("bytes: ", $why, "; takes a whole, unchanged snapshot of a NearIndex, version 1")
    };
}

/// FNV-1a over 64-bit words, the last one filled up with zeros. Each step is a bijection of both the state and the word,
/// so a change within one word never goes unseen.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |state: u64, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (state ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 32
    })
}

/// Appends the low `size` bytes of a number. True, so that it can be the end of a callback.
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

/// Takes `size` bytes off the front.
fn take<'a>(bytes: &mut &'a [u8], size: u64) -> Result<&'a [u8], Refusal> {
    let (front, rest) = usize::try_from(size)
        .ok()
        .and_then(|size| bytes.split_at_checked(size))
        .ok_or(refuse!("it is cut off"))?;
    *bytes = rest;
    Ok(front)
}

pub(crate) fn write(index: &NearIndex, note: &[u8]) -> Vec<u8> {
    let mut ids = 0;
    index.documents(0, &mut |id, _| {
        ids |= id;
        true
    });
    let id_bytes = if ids >> 32 == 0 { 4 } else { 8 };
    let bits = index.bits();
    let scheme = index.scheme().as_bytes();
    let print_bytes = bits as usize / 8;
    let size = HEADER + scheme.len() + index.len() * (id_bytes + print_bytes) + note.len() + 8;
    let mut bytes = Vec::with_capacity(size);
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
    index.documents(0, &mut |id, _| put(&mut bytes, id.into(), id_bytes));
    index.documents(0, &mut |_, fingerprint| put(&mut bytes, fingerprint, print_bytes));
    bytes.extend_from_slice(note);
    let sum = checksum(&bytes);
    put(&mut bytes, sum.into(), 8);
    bytes
}

pub(crate) fn read(bytes: &[u8]) -> Result<(NearIndex, &[u8]), Refusal> {
    if !bytes.starts_with(&MAGIC) {
        return Err(refuse!("no snapshot"));
    }
    let Some((mut rest, sum)) =
        bytes.split_last_chunk::<8>().filter(|(rest, _)| rest.len() >= HEADER)
    else {
        return Err(refuse!("it is cut off"));
    };
    let field = |from: usize, to: usize| number(&bytes[from..to]) as u64;
    if field(8, 10) != VERSION.into() {
        return Err(refuse!("it has another version"));
    }
    if checksum(rest) != u64::from_le_bytes(*sum) {
        return Err(refuse!("it is cut off or changed"));
    }
    rest = &rest[HEADER..];
    let (bits, max_distance, id_bytes) = (bytes[10].into(), bytes[11].into(), bytes[12]);
    if !matches!(id_bytes, 4 | 8) || bytes[13..16] != [0; 3] {
        return Err(refuse!("its header is not valid"));
    }
    let count = field(16, 20);
    // Every length is checked against the bytes there are before anything is allocated.
    let scheme = take(&mut rest, field(20, 24))?;
    let ids = take(&mut rest, count * u64::from(id_bytes))?;
    let fingerprints = take(&mut rest, count * u64::from(bits / 8))?;
    if field(24, 32) != rest.len() as u64 {
        return Err(refuse!("its length is not what its header tells"));
    }
    let scheme = core::str::from_utf8(scheme).map_err(|_| refuse!("its scheme is not UTF-8"))?;
    let mut index = NearIndex::new(bits, max_distance, String::from(scheme))
        .map_err(|_| refuse!("its header is not valid"))?;
    let ids = ids.chunks_exact(id_bytes.into()).map(|id| number(id) as u64);
    let fingerprints = fingerprints.chunks_exact(bits as usize / 8).map(number);
    index.extend(count as usize, 0, &mut ids.zip(fingerprints)).map_err(|error| error.plain())?;
    if index.len() as u64 != count {
        return Err(refuse!("it has an id twice"));
    }
    Ok((index, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte of a snapshot set to a few values, with a checksum that fits: never a panic, and what is taken is whole.
    #[test]
    fn forged_headers_are_refused() {
        let mut index = NearIndex::new(64, 3, "v1:64").unwrap();
        (0..5).for_each(|id| index.add(id, u128::from(id) << 7).unwrap());
        let bytes = index.to_bytes_with(b"note");
        let forge = |at: usize, byte: u8| {
            let mut forged = bytes.clone();
            forged[at] = byte;
            let end = forged.len() - 8;
            let sum = checksum(&forged[..end]);
            forged[end..].copy_from_slice(&sum.to_le_bytes());
            forged
        };
        for byte in [0, 1, 4, 8, 32, 64, 127, 128, 255] {
            for at in 0..bytes.len() - 8 {
                let forged = forge(at, byte);
                let read = read(&forged);
                if at < HEADER && forged[at] != bytes[at] {
                    // Another distance is another index, and a valid one.
                    assert_eq!(read.is_ok(), at == 11 && byte <= 16, "byte {at} = {byte}");
                } else if let Ok((index, note)) = read {
                    assert_eq!((index.len(), note.len()), (5, 4));
                }
            }
        }
    }
}
