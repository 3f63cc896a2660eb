//! Sketches: their binary form, their keys, and the resemblance that two of them estimate.

use std::collections::HashSet;

use crate::folded::{Parts, parts};
use crate::{GOLDEN, fmix64, fnv};

/// Returns the sketch of a text in a scope, in its binary form, by the scheme `id`: `s1`, and `words` or `chars` and a number.
pub fn sketch(id: &str, scope: &str, text: &str) -> Vec<u8> {
    keyed_sketch(id, id, None, scope, text)
}

/// Returns the sketch of a text by the scheme `id` and a key, if there is one. `written` is the id in the binary form, which
/// names the key.
pub fn keyed_sketch(
    written: &str,
    id: &str,
    key: Option<&[u8; 16]>,
    scope: &str,
    text: &str,
) -> Vec<u8> {
    let choices: Vec<&str> = id.split(':').collect();
    let Parts { count, several, mut tokens, changes } = parts(&choices, key, text);
    let is_short = count < 8;
    // The scope changes everything, so sketches of different scopes share neither features nor keys.
    let scope = if scope.is_empty() { 0 } else { fmix64(fnv(scope, false)) };
    let flags = 2 * u64::from(tokens.is_empty()) + u64::from(count < 16);
    if !changes.is_empty() {
        tokens.extend(states(&changes));
    }
    // The lowest bit of the first hash is 1 for fewer than 16 features, the next one for no tokens.
    let [first, second] = states(&tokens).map(|state| fmix64(state ^ scope));
    let mut numbers = vec![first / 4 * 4 + flags, second];
    if !is_short {
        let hashes = several.into_iter().map(|feature| fmix64(feature) ^ scope).collect();
        numbers.extend(OddSketch::new(&hashes).numbers());
        numbers.extend(band_keys(&minima(&hashes)));
    }
    let mut bytes = vec![written.len() as u8];
    bytes.extend(written.as_bytes());
    bytes.push(if is_short { 0 } else { 2 });
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Returns two hashes of tokens in their order.
fn states(tokens: &[u64]) -> [u64; 2] {
    tokens.iter().fold([0; 2], |[a, b], token| {
        let a = (a ^ token).wrapping_mul(0xbf58476d1ce4e5b9);
        let b = b.wrapping_add(*token).wrapping_mul(0xd1342543de82ef95);
        [a ^ a >> 32, b ^ b >> 29]
    })
}

/// Returns the numbers that follow the kind in the binary form of a sketch: the two hashes of the tokens, and if the text is not
/// short, 8 of the odd sketch and the keys of 12 bands.
fn numbers(sketch: &[u8]) -> Vec<u64> {
    let kind = 1 + usize::from(sketch[0]);
    sketch[kind + 1..]
        .chunks(8)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
        .collect()
}

/// Returns whether the numbers are those of a text without words and symbols.
fn is_blank(numbers: &[u64]) -> bool {
    numbers[0] & 2 == 2
}

/// Returns the keys of a sketch: those of the 12 bands, unless the text is short, and one of the two hashes, unless the text is
/// blank.
pub fn keys(sketch: &[u8]) -> Vec<u64> {
    let numbers = numbers(sketch);
    if is_blank(&numbers) {
        return Vec::new();
    }
    let bands = numbers.get(10..22).unwrap_or_default();
    [bands, &[key(12, &numbers[..2])]].concat()
}

/// Estimates the Jaccard similarity of the features of two texts from their sketches.
pub fn resemblance(a: &[u8], b: &[u8]) -> f64 {
    let (a, b) = (numbers(a), numbers(b));
    let (Some(x), Some(y)) = (OddSketch::read(&a), OddSketch::read(&b)) else {
        return if a[..2] == b[..2] && !is_blank(&a) { 1.0 } else { 0.0 };
    };
    if x.is_exact() && y.is_exact() {
        let width = x.width().min(y.width());
        let (x, y) = (x.values(width), y.values(width));
        let (mut common, mut all) = (0, 0);
        for value in x.iter().chain(&y).collect::<HashSet<_>>() {
            let times = [&x, &y].map(|values| values.iter().filter(|&v| v == value).count());
            common += times[0].min(times[1]);
            all += times[0].max(times[1]);
        }
        return if all == 0 { 1.0 } else { common as f64 / all as f64 };
    }
    let (x, y) = if x.level <= y.level { (x, y) } else { (y, x) };
    let (a, b) = (x.toggled(), y.toggled());
    let count_different = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    let (different, features) = match y.level - x.level {
        0 => {
            let features = x.counts.iter().chain(&y.counts).sum::<u64>();
            (count_different(&a, &b).min(239), features)
        }
        // The higher level counts features of half 0 of the lower level. These toggle 240 bits, so both numbers are doubled.
        1 => {
            let both: Vec<bool> = b[..240].iter().zip(&b[240..]).map(|(a, b)| a ^ b).collect();
            let features = x.counts[0] + y.counts.iter().sum::<u64>();
            ((2 * count_different(&a[..240], &both)).min(238), 2 * features)
        }
        _ => return 0.0,
    };
    if features == 0 {
        return 1.0;
    }
    // The expected number of features of one text only that toggle so many of 480 bits, in multiples of 2^-16.
    let features = (features << 16) as f64;
    let of_one = (65536.0 * -240.0 * (1.0 - 2.0 * different as f64 / 480.0).ln()).round();
    let of_one = of_one.min(features);
    (features - of_one) / (features + of_one)
}

/// A set of features as 480 bits (Mitzenmacher, Pagh and Pham, *Efficient Estimation for High Similarities using Odd
/// Sketches*, 2014), in two halves. A set of at most 40 features is exact: its bits are numbers of 12 to 20 bits, one a feature.
/// In a larger set, each feature toggles a bit.
struct OddSketch {
    /// Features count whose hash begins with at least so many zeros.
    level: u64,
    /// The number of features in each half. Half 1 has those whose hash begins with no more zeros.
    counts: [u64; 2],
    bits: [bool; 480],
}

impl OddSketch {
    fn new(features: &HashSet<u64>) -> Self {
        let mut hashes: Vec<u64> =
            features.iter().map(|f| fmix64(f ^ 0x2545f4914f6cdd1d)).collect();
        let mut level = 0;
        while hashes.len() > 400 {
            level += 1;
            hashes.retain(|hash| u64::from(hash.leading_zeros()) >= level);
        }
        // A value of 20 bits: the half, the lowest 11 bits of the hash, which choose the bit to toggle, and the next 8 bits.
        let half = |hash: u64| u64::from(u64::from(hash.leading_zeros()) == level);
        let value = |&hash: &u64| half(hash) << 19 | (hash & 0x7ff) << 8 | hash >> 11 & 0xff;
        let mut values: Vec<u64> = hashes.iter().map(value).collect();
        values.sort_unstable();
        let counts = [0, 1].map(|half| values.iter().filter(|&v| v >> 19 == half).count() as u64);
        let mut sketch = OddSketch { level, counts, bits: [false; 480] };
        if sketch.is_exact() {
            let width = sketch.width();
            let kept = values.iter().map(|value| value >> (20 - width));
            let bits = kept.flat_map(|value| (0..width).map(move |bit| value >> bit & 1 == 1));
            sketch.bits.iter_mut().zip(bits).for_each(|(to, bit)| *to = bit);
        } else {
            sketch.bits = toggle(values.iter().map(|value| value >> 8));
        }
        sketch
    }

    /// Reads the odd sketch among the numbers of a sketch.
    fn read(numbers: &[u64]) -> Option<Self> {
        let numbers = numbers.get(2..10)?;
        let mut bits = [false; 480];
        for (at, bit) in bits.iter_mut().enumerate() {
            *bit = numbers[place(at).0] >> place(at).1 & 1 == 1;
        }
        let counts = [numbers[3] >> 48, numbers[7] >> 48 & 511];
        Some(OddSketch { level: numbers[7] >> 57, counts, bits })
    }

    fn numbers(&self) -> [u64; 8] {
        let mut numbers = [0; 8];
        for (at, &bit) in self.bits.iter().enumerate() {
            numbers[place(at).0] |= u64::from(bit) << place(at).1;
        }
        numbers[3] |= self.counts[0] << 48;
        numbers[7] |= self.counts[1] << 48 | self.level << 57;
        numbers
    }

    fn count(&self) -> usize {
        (self.counts[0] + self.counts[1]) as usize
    }

    fn is_exact(&self) -> bool {
        self.level == 0 && self.count() <= 40
    }

    /// Returns the number of bits of each value, if it is exact.
    fn width(&self) -> usize {
        20.min(480 / self.count().max(1))
    }

    /// Returns so many of the highest bits of the value of each feature, if it is exact.
    fn values(&self, highest: usize) -> Vec<u64> {
        let read = |bits: &[bool]| {
            let bits = bits.iter().rev().take(highest);
            bits.fold(0, |value, &bit| value << 1 | u64::from(bit))
        };
        self.bits.chunks(self.width()).take(self.count()).map(read).collect()
    }

    /// Returns the bits that the features toggle.
    fn toggled(&self) -> [bool; 480] {
        if self.is_exact() { toggle(self.values(12).into_iter()) } else { self.bits }
    }
}

/// Returns the bits that features toggle: the highest 12 bits of a value choose the half and one of its 240 bits.
fn toggle(values: impl Iterator<Item = u64>) -> [bool; 480] {
    let mut bits = [false; 480];
    for value in values {
        let slot = ((value & 0x7ff) * 240) >> 11;
        bits[(240 * (value >> 11) + slot) as usize] ^= true;
    }
    bits
}

/// Returns the number and the bit of it that hold a bit of an odd sketch. Each half has four numbers, and leaves 16 bits free.
fn place(at: usize) -> (usize, usize) {
    (at / 240 * 4 + at % 240 / 64, at % 240 % 64)
}

/// Returns the minima of 36 slots over the features. Two sets of features have the same minimum in a slot with a probability
/// that is about their Jaccard similarity.
pub fn minima(features: &HashSet<u64>) -> [u64; 36] {
    // The highest 8 bits of a feature choose one of 256 bins, the 32 bits after them are its rank there. Each bin keeps its
    // smallest rank.
    let mut ranks = [u32::MAX; 256];
    for feature in features {
        let (bin, rank) = ((feature >> 56) as usize, (feature >> 24) as u32);
        ranks[bin] = ranks[bin].min(rank);
    }
    let items = (0_u64..).zip(ranks).filter(|&(_, rank)| rank < u32::MAX);
    let items: Vec<u64> = items.map(|(bin, rank)| bin << 32 | u64::from(rank)).collect();
    // Each round gives every item to a slot of its own choice. From round 36 on, one slot after another gets all items.
    let mut minima = [u64::MAX; 36];
    for round in 0..72 {
        for item in &items {
            let mut x = item ^ GOLDEN.wrapping_mul(round + 1);
            x = x.wrapping_mul(0xff51afd7ed558ccd);
            x = (x ^ x >> 32).wrapping_mul(0xc4ceb9fe1a85ec53);
            let slot = if round < 36 { ((x >> 32) * 36) >> 32 } else { round - 36 } as usize;
            minima[slot] = minima[slot].min(round << 32 | x & 0xffffffff);
        }
        if !minima.contains(&u64::MAX) {
            break;
        }
    }
    minima
}

/// Returns the key of each band of three minima, or zeros if there are no minima.
fn band_keys(minima: &[u64; 36]) -> [u64; 12] {
    if minima.contains(&u64::MAX) {
        return [0; 12];
    }
    let values = minima.map(|value| (value ^ value >> 29) & 0xffffffff);
    std::array::from_fn(|band| key(band as u64, &values[3 * band..][..3]))
}

/// Returns a key of some values. `kind` is the number of the band, or 12 for the hashes of the tokens.
fn key(kind: u64, values: &[u64]) -> u64 {
    values.iter().fold(kind + 1, |key, value| fmix64(key.wrapping_mul(GOLDEN) ^ value))
}
