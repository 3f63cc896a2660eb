//! Prints how the choices behind the deduplicator trade wrong drops for missed near-duplicates.
//!
//!     cargo bench --bench dedupe_study -- DIRECTORY [DOCUMENTS]
//!
//! DIRECTORY has `docs.jsonl` (`id` from 0, in the order of arrival, and `text`) and `pairs.tsv` (a header, then `a`, `b` and a
//! thousand times their exact resemblance, every pair of .4 or more).
//!
//! Both figures are per 100,000 documents. *Wrong*: a document that is dropped although no kept one resembles it by .4 or
//! more. *Left*: a document that is kept although an earlier kept one resembles it by .7 or more.

use std::collections::{BinaryHeap, HashMap};
use std::fs;

use nearprint::{
    Deduplicator, Fingerprinter, Scheme, Sketch,
    dedupe::{
        BRIEF_FEATURES, Decision, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES, MIN_RESEMBLANCE, Options,
        PROBES,
    },
};

struct Document {
    fingerprint: u64,
    sums: [i32; 64],
    /// The hashes of the features, of those with several words, and of the longest that ends with each word.
    features: [Vec<u64>; 3],
    /// The words of a short text, which matches by equal words only.
    words: Option<String>,
    is_brief: bool,
    sketch: Sketch,
}

struct Truth {
    /// For every document those that resemble it, and a thousand times their resemblance.
    near: Vec<Vec<(u32, u32)>>,
}

#[derive(Clone)]
struct Choice {
    name: &'static str,
    sketch: Summary,
    probes: usize,
    hamming: u32,
    threshold: f64,
    /// Levels of a stored margin, 0 for exact ones.
    levels: u32,
}

/// Which set of features a sketch is of: an index into `Document::features`.
type Set = usize;
const ALL: Set = 0;
const GRAMS: Set = 1;
const LONGEST: Set = 2;

#[derive(Clone, Copy)]
enum Summary {
    /// The exact resemblance.
    Exact(Set),
    /// One permutation: bins, and values of a bin that is not empty.
    Bins(usize, u32, Set),
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let [directory, rest @ ..] = &args[..] else {
        println!("give a directory with docs.jsonl and pairs.tsv");
        return;
    };
    let limit = rest.first().map_or(usize::MAX, |n| n.parse().unwrap());
    let (documents, truth) = load(directory, limit);
    println!("{} documents", documents.len());
    let base = Choice {
        name: "256x3 grams",
        sketch: Summary::Bins(256, 3, GRAMS),
        probes: PROBES,
        hamming: 16,
        threshold: MIN_RESEMBLANCE,
        levels: 16,
    };
    let mut choices = Vec::new();
    for threshold in [MIN_RESEMBLANCE, 0.70] {
        for (name, sketch) in [
            ("256x3 grams", Summary::Bins(256, 3, GRAMS)),
            ("256x3 longest", Summary::Bins(256, 3, LONGEST)),
            ("256x3 all", Summary::Bins(256, 3, ALL)),
            ("exact grams", Summary::Exact(GRAMS)),
            ("exact longest", Summary::Exact(LONGEST)),
        ] {
            choices.push(Choice { name, sketch, threshold, ..base.clone() });
        }
    }
    // 0 stands for exact margins.
    for levels in [0, 4, 64] {
        choices.push(Choice { levels, ..base.clone() });
    }
    for hamming in [14, 18] {
        choices.push(Choice { hamming, ..base.clone() });
    }
    println!(
        "| sketch | probes | levels | hamming | threshold | wrong | left | examined | verified |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for probes in [10, 25, 40, PROBES, 60, 100] {
        run_deduplicator(probes, MIN_RESEMBLANCE, &documents, &truth);
    }
    for threshold in [0.65, 0.68, 0.70] {
        run_deduplicator(PROBES, threshold, &documents, &truth);
    }
    for choice in choices {
        run(&choice, &documents, &truth);
    }
}

fn load(directory: &str, limit: usize) -> (Vec<Document>, Truth) {
    let text = fs::read_to_string(format!("{directory}/docs.jsonl")).unwrap();
    let mut texts: Vec<(usize, String)> = text
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            (value["id"].as_u64().unwrap() as usize, value["text"].as_str().unwrap().into())
        })
        .collect();
    texts.sort();
    texts.truncate(limit);
    let mut fingerprinter = Fingerprinter::new(Scheme::default()).unwrap();
    let documents: Vec<Document> = texts
        .iter()
        .map(|(_, text)| {
            let features = fingerprinter.features(text);
            let mut sums = [0; 64];
            for feature in &features {
                for (bit, sum) in sums.iter_mut().enumerate() {
                    let weight = feature.weight as i32;
                    *sum += if feature.hash >> bit & 1 == 1 { weight } else { -weight };
                }
            }
            let fingerprint =
                (0..64).filter(|&bit| sums[bit] > 0).fold(0, |print, bit| print | 1_u64 << bit);
            let words =
                (features.len() < MIN_FEATURES).then(|| fingerprinter.words(text).join("\n"));
            let is_brief = features.len() < BRIEF_FEATURES;
            let normalised = fingerprinter.words(text).join("\n");
            let words_of: Vec<&str> = normalised.split('\n').collect();
            let dense: Vec<bool> = words_of.iter().map(|word| is_dense(word)).collect();
            let longest = (0..words_of.len()).filter_map(|at| {
                let span = if at >= 2 && dense[at - 2] { 3 } else { 2.min(at + 1) };
                (span > 1 || !dense[at]).then(|| hash(&words_of[at + 1 - span..=at]))
            });
            let pairs = (1..words_of.len()).map(|at| hash(&words_of[at - 1..=at]));
            let triples = (2..words_of.len())
                .filter(|&at| dense[at - 2])
                .map(|at| hash(&words_of[at - 2..=at]));
            let all = features.iter().map(|f| f.hash as u64).collect();
            let features = [all, pairs.chain(triples).collect(), longest.collect()].map(
                |mut set: Vec<u64>| {
                    set.sort();
                    set.dedup();
                    set
                },
            );
            let sketch = fingerprinter.sketch(text);
            assert_eq!(sketch.fingerprint(), fingerprint);
            Document { fingerprint, sums, features, words, is_brief, sketch }
        })
        .collect();
    let mut near = vec![Vec::new(); documents.len()];
    for line in fs::read_to_string(format!("{directory}/pairs.tsv")).unwrap().lines().skip(1) {
        let mut fields = line.split('\t').map(|field| field.parse::<u32>().unwrap());
        let (a, b, j) = (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap());
        if (a.max(b) as usize) < documents.len() {
            near[a as usize].push((b, j));
            near[b as usize].push((a, j));
        }
    }
    (documents, Truth { near })
}

fn hash(words: &[&str]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(words, &mut hasher);
    std::hash::Hasher::finish(&hasher)
}

fn is_dense(word: &str) -> bool {
    let first = word.chars().find(|c| c.is_alphabetic());
    first.is_none_or(|c| {
        matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3005..=0x30ff | 0x3400..=0x9fff)
    })
}

fn costs(sums: &[i32; 64], levels: u32) -> [u64; 64] {
    let total: u64 = sums.iter().map(|sum| u64::from(sum.unsigned_abs())).sum();
    let mean = (total as f64 / 64.0).max(0.5);
    sums.map(|sum| {
        let margin = f64::from(sum.unsigned_abs());
        let root = if levels == 0 {
            margin * 16.0
        } else {
            // The largest level is the mean margin of a bit.
            (margin / mean * f64::from(levels)).min(f64::from(levels - 1)).floor() * 16.0
        };
        ((root + 8.0) * (root + 8.0)) as u64
    })
}

fn flips(costs: &[u64], count: usize) -> Vec<u16> {
    let mut bits: Vec<(u64, usize)> = costs.iter().enumerate().map(|(i, &c)| (c, i)).collect();
    bits.sort();
    let mut out = vec![0];
    let mut heap = BinaryHeap::new();
    heap.push((std::cmp::Reverse(bits[0].0), 0, 1_u16 << bits[0].1));
    while out.len() < count {
        let Some((std::cmp::Reverse(cost), last, mask)) = heap.pop() else { break };
        out.push(mask);
        if last + 1 < bits.len() {
            let (next, own) = (bits[last + 1], bits[last]);
            heap.push((std::cmp::Reverse(cost + next.0), last + 1, mask | 1 << next.1));
            let replaced = (mask ^ 1 << own.1) | 1 << next.1;
            heap.push((std::cmp::Reverse(cost + next.0 - own.0), last + 1, replaced));
        }
    }
    out
}

fn sketch(document: &Document, sketch: Summary) -> Vec<u64> {
    match sketch {
        Summary::Exact(set) => document.features[set].clone(),
        Summary::Bins(bins, values, set) => {
            let mut ranks = vec![u32::MAX; bins];
            for &hash in &document.features[set] {
                let bin = &mut ranks[((hash >> 48) as usize * bins) >> 16];
                *bin = (*bin).min((hash >> 8) as u32);
            }
            let value = |rank: u32| 1 + u64::from(((rank & 0xffff) * values) >> 16);
            ranks.iter().map(|&r| if r == u32::MAX { 0 } else { value(r) }).collect()
        }
    }
}

fn resemblance(a: &[u64], b: &[u64], sketch: Summary) -> f64 {
    match sketch {
        Summary::Exact(_) => {
            let (mut i, mut j, mut shared) = (0, 0, 0);
            while i < a.len() && j < b.len() {
                match a[i].cmp(&b[j]) {
                    std::cmp::Ordering::Less => i += 1,
                    std::cmp::Ordering::Greater => j += 1,
                    std::cmp::Ordering::Equal => {
                        (i, j, shared) = (i + 1, j + 1, shared + 1);
                    }
                }
            }
            shared as f64 / (a.len() + b.len() - shared).max(1) as f64
        }
        Summary::Bins(_, values, _) => {
            let (mut equal, mut both, mut either) = (0.0, 0.0, 0.0);
            for (&a, &b) in a.iter().zip(b) {
                either += f64::from(u8::from(a | b != 0));
                if a != 0 && b != 0 {
                    both += 1.0;
                    equal += f64::from(u8::from(a == b));
                }
            }
            let chance = 1.0 / f64::from(values);
            (equal - both * chance) / (1.0 - chance) / either
        }
    }
}

/// The deduplicator as it is.
fn run_deduplicator(probes: usize, threshold: f64, documents: &[Document], truth: &Truth) {
    let kept = Deduplicator::new(Scheme::default()).unwrap();
    let mut kept = kept.with_probes(probes).unwrap();
    let options = Options { min_resemblance: threshold, ..Options::default() };
    let start = std::time::Instant::now();
    let partner: Vec<u32> = documents
        .iter()
        .enumerate()
        .map(|(at, document)| match kept.observe(at as u64, &document.sketch, &options).unwrap() {
            Decision::Duplicate(hit) => hit.id as u32,
            _ => u32::MAX,
        })
        .collect();
    let time = start.elapsed().as_secs_f64() * 1e6 / documents.len() as f64;
    let (wrong, left) = judge(&partner, truth);
    let per = |count: u32| f64::from(count) * 1e5 / documents.len() as f64;
    println!(
        "| Deduplicator | {probes} | 16 | 16 | {threshold:.3} | {:.1} | {:.0} | {time:.1} us each | {} B each |",
        per(wrong),
        per(left),
        kept.bytes() / kept.len(),
    );
}

fn judge(partner: &[u32], truth: &Truth) -> (u32, u32) {
    let is_kept = |at: usize| partner[at] == u32::MAX;
    let (mut wrong, mut left) = (0, 0);
    for (at, near) in truth.near.iter().enumerate() {
        if is_kept(at) {
            let missed =
                near.iter().any(|&(b, j)| (b as usize) < at && j >= 700 && is_kept(b as usize));
            left += u32::from(missed);
        } else {
            let excused = near.iter().any(|&(b, _)| is_kept(b as usize) || b == partner[at]);
            wrong += u32::from(!excused);
        }
    }
    (wrong, left)
}

fn run(choice: &Choice, documents: &[Document], truth: &Truth) {
    let sketches: Vec<Vec<u64>> = documents.iter().map(|d| sketch(d, choice.sketch)).collect();
    let mut buckets: [HashMap<u16, Vec<u32>>; 4] = Default::default();
    let mut by_words: HashMap<&str, u32> = HashMap::new();
    let mut partner = vec![u32::MAX; documents.len()];
    let mut seen = vec![u32::MAX; documents.len()];
    let (mut examined, mut verified, mut queries) = (0_u64, 0_u64, 0_u64);
    for (at, document) in documents.iter().enumerate() {
        if let Some(words) = &document.words {
            match by_words.get(words.as_str()) {
                Some(&first) => partner[at] = first,
                None => drop(by_words.insert(words, at as u32)),
            }
            continue;
        }
        queries += 1;
        let costs = costs(&document.sums, choice.levels);
        let mut best = (0.0, u32::MAX);
        let block = |fingerprint: u64, k: usize| (fingerprint >> (16 * k)) as u16;
        for k in 0..4 {
            for flip in flips(&costs[16 * k..16 * k + 16], choice.probes) {
                let Some(bucket) = buckets[k].get(&(block(document.fingerprint, k) ^ flip)) else {
                    continue;
                };
                for &other in bucket {
                    examined += 1;
                    if seen[other as usize] == at as u32 {
                        continue;
                    }
                    seen[other as usize] = at as u32;
                    let apart =
                        (documents[other as usize].fingerprint ^ document.fingerprint).count_ones();
                    if apart > choice.hamming {
                        continue;
                    }
                    verified += 1;
                    let (a, b) = (&sketches[other as usize], &sketches[at]);
                    let found = resemblance(a, b, choice.sketch);
                    let is_brief = document.is_brief || documents[other as usize].is_brief;
                    let min =
                        choice.threshold.max(if is_brief { MIN_BRIEF_RESEMBLANCE } else { 0.0 });
                    if found >= min && found > best.0 {
                        best = (found, other);
                    }
                }
            }
        }
        partner[at] = best.1;
        if best.1 == u32::MAX {
            for (k, buckets) in buckets.iter_mut().enumerate() {
                buckets.entry(block(document.fingerprint, k)).or_default().push(at as u32);
            }
        }
    }
    let (wrong, left) = judge(&partner, truth);
    let per = |count: u32| f64::from(count) * 1e5 / documents.len() as f64;
    println!(
        "| {} | {} | {} | {} | {:.2} | {:.1} | {:.0} | {} | {:.1} |",
        choice.name,
        choice.probes,
        choice.levels,
        choice.hamming,
        choice.threshold,
        per(wrong),
        per(left),
        examined / queries,
        verified as f64 / queries as f64,
    );
}
