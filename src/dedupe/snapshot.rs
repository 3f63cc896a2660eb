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

use alloc::{string::String, vec::Vec};

use super::{
    Deduplicator,
    error::{Error, Kind},
    sketch::{Content, Sketch},
};
use crate::{
    index::snapshot::{checksum, number, put},
    simhash::{Scheme, minhash::MinHash},
};

const MAGIC: [u8; 8] = *b"NearDup\0";
const VERSION: u16 = 1;
const HEADER: usize = 44;

impl Deduplicator {
    /// The documents as bytes, the same on every machine. O(n).
    ///
    /// # Panics
    /// A lack of memory.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.try_to_bytes_with(&[]).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`to_bytes`](Self::to_bytes), with a note of the caller's, and an error for a lack of memory.
    pub(crate) fn try_to_bytes_with(&self, note: &[u8]) -> Result<Vec<u8>, Error> {
        let entries = &self.long.entries;
        let id_bytes = if self.ids().fold(0, |all, id| all | id) >> 32 == 0 { 4 } else { 8 };
        let scheme = String::from(*self.scheme());
        let documents = self.len() * id_bytes + entries.len() * (8 + 64) + self.short.len() * 16;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(HEADER + scheme.len() + documents + note.len() + 8)?;
        bytes.extend_from_slice(&MAGIC);
        for (value, size) in [
            (u64::from(VERSION), 2),
            (id_bytes as u64, 1),
            (0, 1),
            (entries.len() as u64, 4),
            (self.short.len() as u64, 4),
            (scheme.len() as u64, 4),
            (note.len() as u64, 8),
            (self.min_resemblance().to_bits(), 8),
            (self.probes() as u64, 4),
        ] {
            put(&mut bytes, value.into(), size);
        }
        bytes.extend_from_slice(scheme.as_bytes());
        for id in self.ids() {
            put(&mut bytes, id.into(), id_bytes);
        }
        for entry in entries.iter() {
            put(&mut bytes, entries.fingerprint(entry), 8);
        }
        for entry in entries.iter() {
            for &cell in &self.minhashes.get(entry).0 {
                put(&mut bytes, cell.into(), 8);
            }
        }
        self.short.documents(0, &mut |_, key| put(&mut bytes, key, 16));
        bytes.extend_from_slice(note);
        let sum = checksum(&bytes);
        put(&mut bytes, sum.into(), 8);
        Ok(bytes)
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
        let parts = Parts::of(bytes).map_err(Kind::Snapshot)?;
        let mut read = Deduplicator::new(parts.scheme)?
            .with_min_resemblance(parts.min_resemblance)
            .and_then(|read| read.with_probes(parts.probes))
            .map_err(|_| Kind::Snapshot("its header is not valid"))?;
        let long = parts.fingerprints.len() / 8;
        for (at, id) in parts.ids.chunks_exact(parts.id_bytes).enumerate() {
            let id = number(id) as u64;
            if read.has(id) {
                return Err(Kind::Snapshot("it has an id twice").into());
            }
            let (fingerprint, content) = if at < long {
                let cells = &parts.minhashes.as_chunks().0[at];
                let fingerprint = number(&parts.fingerprints[8 * at..][..8]);
                (fingerprint, Content::Features(MinHash::from_bytes(cells)))
            } else {
                let key = number(&parts.keys[16 * (at - long)..][..16]);
                (key, Content::Words((key >> 64) as u64))
            };
            read.insert(id, &Sketch::new(parts.scheme, fingerprint as u64, content, None))?;
        }
        Ok((read, parts.note))
    }
}

/// The parts of a snapshot whose lengths and checksum are correct.
struct Parts<'a> {
    scheme: Scheme,
    min_resemblance: f64,
    probes: usize,
    id_bytes: usize,
    ids: &'a [u8],
    fingerprints: &'a [u8],
    minhashes: &'a [u8],
    keys: &'a [u8],
    note: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts of these bytes, or what is wrong with them. Nothing is allocated for them, whatever their lengths.
    fn of(bytes: &'a [u8]) -> Result<Self, &'static str> {
        const CUT_OFF: &str = "it is cut off";
        if bytes.starts_with(b"NearIdx\0") {
            return Err("got one of a NearIndex, which has no sketches: read the documents anew");
        }
        if !bytes.starts_with(&MAGIC) {
            return Err("got other bytes");
        }
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(CUT_OFF)?;
        let (header, mut rest) = content.split_at_checked(HEADER).ok_or(CUT_OFF)?;
        let field = |from: usize, to: usize| number(&header[from..to]) as u64;
        if field(8, 10) != u64::from(VERSION) {
            return Err("it has another version");
        }
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err("it is cut off or changed");
        }
        let id_bytes = header[10];
        if !matches!(id_bytes, 4 | 8) || header[11] != 0 {
            return Err("its header is not valid");
        }
        let (long, short) = (field(12, 16), field(16, 20));
        let sizes = [
            field(20, 24),
            (long + short) * u64::from(id_bytes),
            8 * long,
            64 * long,
            16 * short,
            field(24, 32),
        ];
        let mut parts = [&[][..]; 6];
        for (part, size) in parts.iter_mut().zip(sizes) {
            let size = usize::try_from(size).map_err(|_| CUT_OFF)?;
            *part = rest.split_off(..size).ok_or(CUT_OFF)?;
        }
        let [scheme, ids, fingerprints, minhashes, keys, note] = parts;
        if !rest.is_empty() {
            return Err("its length is not the one in its header");
        }
        let scheme: Option<Scheme> =
            core::str::from_utf8(scheme).ok().and_then(|id| id.parse().ok());
        let scheme = scheme.ok_or("its scheme is not valid")?;
        let min_resemblance = f64::from_bits(field(32, 40));
        let probes = field(40, 44) as usize;
        let id_bytes = id_bytes.into();
        Ok(Parts {
            scheme,
            min_resemblance,
            probes,
            id_bytes,
            ids,
            fingerprints,
            minhashes,
            keys,
            note,
        })
    }
}
