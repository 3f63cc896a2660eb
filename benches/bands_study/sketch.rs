//! Minima, keys, and the sketches of 64 bytes that estimate a resemblance.

use nearprint::mix::fmix64;

const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bits of half an odd sketch.
const HALF: u64 = 240;

/// Returns the smallest rank of each of 256 bins.
fn bins(features: &[u64]) -> [Option<u32>; 256] {
    let mut bins = [None; 256];
    for feature in features {
        let (bin, rank) = (&mut bins[(feature >> 56) as usize], (feature >> 24) as u32);
        if rank < bin.unwrap_or(u32::MAX) {
            *bin = Some(rank);
        }
    }
    bins
}

/// Returns the minima of a set by fast similarity sketching (Dahlgaard, Knudsen and Thorup 2017).
fn minima(features: &[u64], slots: usize) -> Vec<u64> {
    let numbered = bins(features).into_iter().enumerate();
    let items: Vec<u64> =
        numbered.filter_map(|(bin, rank)| Some((bin as u64) << 32 | u64::from(rank?))).collect();
    let mut minima = vec![u64::MAX; slots];
    for round in 0.. {
        let salt = (round + 1_u64).wrapping_mul(GOLDEN_RATIO);
        for item in &items {
            let mut hash = (item ^ salt).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash = (hash ^ hash >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            let slot = match (round as usize).checked_sub(slots) {
                None => (((hash >> 32) * slots as u64) >> 32) as usize,
                Some(slot) => slot,
            };
            minima[slot] = minima[slot].min(round << 32 | hash & 0xffff_ffff);
        }
        if items.is_empty() || !minima.contains(&u64::MAX) {
            break;
        }
    }
    minima
}

fn fold(key: u64, value: u64) -> u64 {
    fmix64(key.wrapping_mul(GOLDEN_RATIO) ^ value)
}

/// Returns a key of each band.
pub fn band_keys(features: &[u64], bands: usize, rows: usize) -> Vec<u64> {
    let minima = minima(features, bands * rows);
    let key = |(band, minima): (usize, &[u64])| {
        minima.iter().fold(band as u64 + 1, |key, min| fold(key, (min ^ min >> 29) & 0xffff_ffff))
    };
    minima.chunks(rows).enumerate().map(key).collect()
}

/// Returns the key that documents with these words have in common.
pub fn equality_key(words: u64, bands: usize) -> u64 {
    fold(bands as u64 + 1, words)
}

/// One-permutation MinHash: 256 bins of two bits, 0 for an empty bin.
pub struct MinHash([u8; 256]);

impl MinHash {
    pub fn new(features: &[u64]) -> Self {
        let value = |rank: u32| 1 + (((rank & 0xffff) * 3) >> 16) as u8;
        MinHash(bins(features).map(|rank| rank.map_or(0, value)))
    }

    pub fn estimate(&self, other: &Self) -> f64 {
        let (mut equal, mut both, mut either) = (0, 0, 0);
        for (&a, &b) in self.0.iter().zip(&other.0) {
            both += i32::from(a != 0 && b != 0);
            either += i32::from(a | b != 0);
            equal += i32::from(a != 0 && a == b);
        }
        // A third of the different minima have equal values.
        if either == 0 { 1.0 } else { f64::from((3 * equal - both).max(0)) / f64::from(2 * either) }
    }
}

/// An odd sketch (Mitzenmacher, Pagh and Pham 2014) of the features that a level of sampling leaves.
#[derive(Default)]
pub struct Odd {
    level: u32,
    counts: [u32; 2],
    halves: [[u64; 4]; 2],
    /// The bits of a value, and the half and some bits of each feature, ascending, if the set is small enough.
    values: Option<(usize, Vec<u32>)>,
}

impl Odd {
    pub fn new(features: &[u64], cap: usize, max_values: usize, max_bits: usize) -> Self {
        let hashes = features.iter().map(|feature| fmix64(feature ^ 0x2545_f491_4f6c_dd1d));
        let mut by_zeros = [0; 65];
        hashes.clone().for_each(|hash| by_zeros[hash.leading_zeros() as usize] += 1);
        let mut sketch = Odd::default();
        let mut sampled = features.len();
        while sampled > cap {
            sampled -= by_zeros[sketch.level as usize];
            sketch.level += 1;
        }
        let mut values = Vec::new();
        let value_bits = max_bits.min(2 * HALF as usize / features.len().max(1));
        for hash in hashes.filter(|hash| hash.leading_zeros() >= sketch.level) {
            let (half, bits) = (usize::from(hash.leading_zeros() == sketch.level), hash & 0x7ff);
            let slot = (bits * HALF) >> 11;
            sketch.counts[half] += 1;
            sketch.halves[half][slot as usize / 64] ^= 1 << (slot % 64);
            // The 11 bits that decide the slot, then as many others as fit.
            let value = half << 31 | (bits as usize) << 20 | (hash >> 11 & 0xf_ffff) as usize;
            values.push((value >> (32 - value_bits)) as u32);
        }
        values.sort_unstable();
        sketch.values = (features.len() <= max_values).then_some((value_bits, values));
        sketch
    }

    pub fn estimate(&self, other: &Self) -> f64 {
        if let (Some((bits, a)), Some((other_bits, b))) = (&self.values, &other.values) {
            let cut = |values: &[u32], from: &usize| -> Vec<u32> {
                values.iter().map(|value| value >> (from - bits.min(other_bits))).collect()
            };
            return jaccard(&cut(a, bits), &cut(b, other_bits));
        }
        let (a, b) = if self.level <= other.level { (self, other) } else { (other, self) };
        let differing = |a: &[u64], b: &[u64]| -> u32 {
            a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
        };
        let (sum, differing, bits) = match b.level - a.level {
            0 => {
                let halves = differing(a.halves.as_flattened(), b.halves.as_flattened());
                (a.counts.iter().chain(&b.counts).sum::<u32>(), halves, 2 * HALF as u32)
            }
            1 => {
                let [first, second] = b.halves;
                let joined: [u64; 4] = std::array::from_fn(|at| first[at] ^ second[at]);
                (
                    a.counts[0] + b.counts[0] + b.counts[1],
                    differing(&a.halves[0], &joined),
                    HALF as u32,
                )
            }
            _ => return 0.0,
        };
        if sum == 0 {
            return 1.0;
        }
        // Half of the bits differ in sets without a common feature.
        let share = f64::from(differing.min(bits / 2 - 1)) / f64::from(bits);
        let difference = (-0.5 * f64::from(bits) * (1.0 - 2.0 * share).ln()).min(f64::from(sum));
        (f64::from(sum) - difference) / (f64::from(sum) + difference)
    }
}

/// Returns the resemblance of two sets or multisets in ascending order.
pub fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f64 {
    let (mut shared, mut others) = (0, b.iter().peekable());
    for value in a {
        while others.next_if(|other| *other < value).is_some() {}
        shared += usize::from(others.next_if_eq(&value).is_some());
    }
    let all = a.len() + b.len() - shared;
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}
