//! SipHash-1-3 with a secret key (Aumasson and Bernstein, *SipHash: a fast short-input PRF*, 2012).
//!
//! Everyone can compute FNV, and so choose words whose sketch resembles the sketch of a predicted text. The hash of a word with
//! a key can only be computed with the key.

use core::{fmt, hash};

/// A secret key of 16 bytes, or only its check value, which is public.
///
/// Keys are equal if their check values are. The secret is not in the [`Debug`](fmt::Debug) form.
#[derive(Clone, Copy)]
pub struct Key {
    check: u64,
    secret: Option<[u64; 2]>,
}

/// The bytes whose hash is the public check value. They are neither a word nor a character, so it is the hash of no feature.
const CHECKED: &[u8] = b"\0nearprint";

impl Key {
    /// Returns the key of these bytes.
    ///
    /// ```
    /// use nearprint::Key;
    /// assert_eq!(format!("{:?}", Key::new(*b"sixteen bytes!!!")), "Key(6b05b8960e676da0)");
    /// ```
    pub fn new(bytes: [u8; 16]) -> Self {
        let number = u128::from_le_bytes(bytes);
        let secret = [number as u64, (number >> 64) as u64];
        Key { check: siphash(secret, CHECKED), secret: Some(secret) }
    }

    /// Returns the key with this check value, without its secret.
    pub(crate) const fn of_check(check: u64) -> Self {
        Key { check, secret: None }
    }

    /// Returns the check value, which names the key in the id of a scheme.
    pub const fn check(&self) -> u64 {
        self.check
    }

    /// Returns whether the secret is known, which the hash of a word needs.
    pub(crate) const fn is_secret_known(&self) -> bool {
        self.secret.is_some()
    }

    /// Returns the hash of the bytes of a word or of a character. O(bytes).
    ///
    /// # Panics
    ///
    /// The secret is unknown.
    pub(crate) fn hash(&self, bytes: &[u8]) -> u64 {
        let Some(secret) = self.secret else { panic!("the secret of the key is unknown") };
        siphash(secret, bytes)
    }
}

impl From<[u8; 16]> for Key {
    fn from(bytes: [u8; 16]) -> Self {
        Key::new(bytes)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.check == other.check
    }
}

impl Eq for Key {}

impl hash::Hash for Key {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.check.hash(state);
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:016x})", self.check)
    }
}

/// Computes SipHash with one round for each eight bytes and three at the end.
fn siphash(key: [u64; 2], bytes: &[u8]) -> u64 {
    let mut state = [
        key[0] ^ 0x736f_6d65_7073_6575,
        key[1] ^ 0x646f_7261_6e64_6f6d,
        key[0] ^ 0x6c79_6765_6e65_7261,
        key[1] ^ 0x7465_6462_7974_6573,
    ];
    let (words, rest) = bytes.as_chunks::<8>();
    // The bytes that are left, and the length in the highest byte.
    let rest = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let last = rest | (bytes.len() as u64) << 56;
    for word in words.iter().map(|word| u64::from_le_bytes(*word)).chain([last]) {
        state[3] ^= word;
        round(&mut state);
        state[0] ^= word;
    }
    state[2] ^= 0xff;
    (0..3).for_each(|_| round(&mut state));
    state.into_iter().fold(0, |hash, part| hash ^ part)
}

fn round(state: &mut [u64; 4]) {
    let [a, b, c, d] = state;
    *a = a.wrapping_add(*b);
    *c = c.wrapping_add(*d);
    *b = b.rotate_left(13) ^ *a;
    *d = d.rotate_left(16) ^ *c;
    *a = a.rotate_left(32).wrapping_add(*d);
    *c = c.wrapping_add(*b);
    *b = b.rotate_left(17) ^ *c;
    *d = d.rotate_left(21) ^ *a;
    *c = c.rotate_left(32);
}
