//! `jieba`: weighted keywords, Jenkins' lookup3 hash.

use alloc::string::String;

use super::{Scheme, sums::Sums};
use crate::Error;

/// Returns the fingerprint of weighted keywords.
///
/// The original takes UTF-8, so a keyword with a lone surrogate is an error.
pub(super) fn fingerprint<'a>(
    pairs: impl IntoIterator<Item = (&'a [u16], f64)>,
) -> Result<u128, Error> {
    let mut sums = Sums::<f64, 64>::new();
    for (keyword, weight) in pairs {
        if !weight.is_finite() {
            return Err(Scheme::Jieba.refuse("weight", "a finite number", "another"));
        }
        let keyword = String::from_utf16(keyword).map_err(|_| {
            Scheme::Jieba.refuse(
                "keyword",
                "a string with a UTF-8 form",
                "one with a lone surrogate",
            )
        })?;
        sums.add(hashlittle2(keyword.as_bytes()).into(), weight);
    }
    Ok(sums.sign(|sum| sum > 0.0))
}

/// Computes Jenkins' `hashlittle2` with both seeds 0: `c` in the high 32 bits, `b` in the low ones.
/// Source: <https://www.burtleburtle.net/bob/c/lookup3.c>.
fn hashlittle2(bytes: &[u8]) -> u64 {
    // The length is taken modulo 2³², as in the original.
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
    let mut state = [start; 3];
    let mut rest = bytes;
    // The last block is not mixed here, even if it is full.
    while let Some((block, after)) =
        rest.split_first_chunk::<12>().filter(|(_, after)| !after.is_empty())
    {
        add(&mut state, block);
        mix(&mut state);
        rest = after;
    }
    if !rest.is_empty() {
        let mut block = [0; 12];
        block[..rest.len()].copy_from_slice(rest);
        add(&mut state, &block);
        finish(&mut state);
    }
    let [_, b, c] = state;
    u64::from(c) << 32 | u64::from(b)
}

/// Adds a block as three little-endian 32-bit numbers.
fn add(state: &mut [u32; 3], block: &[u8; 12]) {
    let (numbers, _) = block.as_chunks();
    for (sum, &number) in state.iter_mut().zip(numbers) {
        *sum = sum.wrapping_add(u32::from_le_bytes(number));
    }
}

/// Mixes the state as lookup3's `mix`: the same step six times, with the variables rotated.
fn mix(state: &mut [u32; 3]) {
    let (mut x, mut y, mut z) = (state[0], state[1], state[2]);
    for shift in [4, 6, 8, 16, 19, 4] {
        x = x.wrapping_sub(z) ^ z.rotate_left(shift);
        z = z.wrapping_add(y);
        (x, y, z) = (y, z, x);
    }
    *state = [x, y, z];
}

/// Finishes the state as lookup3's `final`: the same step seven times, with the variables rotated.
fn finish(state: &mut [u32; 3]) {
    let [mut a, mut b, mut c] = *state;
    for shift in [14, 11, 25, 16, 4, 14, 24] {
        c = (c ^ b).wrapping_sub(b.rotate_left(shift));
        (a, b, c) = (b, c, a);
    }
    // Seven rotations of three variables leave each of them one place off.
    *state = [c, a, b];
}
