//! `jieba`: weighted keywords, Jenkins' lookup3 hash.

use alloc::string::String;

use super::Scheme;
use crate::Error;

/// Returns the hash of a keyword. The original takes UTF-8, so a keyword with a lone surrogate is an error.
pub(super) fn hash(keyword: &[u16]) -> Result<u128, Error> {
    let utf8 = String::from_utf16(keyword).map_err(|_| {
        let requirement = "a string with a UTF-8 form";
        Scheme::Jieba.refuse("keyword", requirement, "one with a lone surrogate")
    })?;
    Ok(hashlittle2(utf8.as_bytes()).into())
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
