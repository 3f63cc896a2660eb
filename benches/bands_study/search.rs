//! The search by bands in hash maps, and the `Deduplicator`.

use std::cmp::Reverse;
use std::collections::HashMap;

use nearprint::{
    Deduplicator, Fingerprinter, Key, Scheme, Sketch,
    dedupe::{BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE, MIN_RESEMBLANCE, Options},
};

use crate::sketch::{self, MinHash, Odd};

pub struct Document {
    sketch: Sketch,
    /// The hash of the words.
    words: u64,
    is_brief: bool,
    /// The mixed hashes of the features of several words, ascending.
    pub features: Vec<u64>,
}

impl Document {
    pub fn new(fingerprinter: &mut Fingerprinter, text: &str) -> Self {
        let set = fingerprinter.feature_set(Key::new([0; 16]), text);
        let features = set.hashes().to_vec();
        let is_brief =
            features.len() < BRIEF_FEATURES && fingerprinter.features(text).len() < BRIEF_FEATURES;
        Document { sketch: fingerprinter.sketch(text), words: set.words_hash(), is_brief, features }
    }

    pub fn resemblance(&self, other: &Self) -> f64 {
        sketch::jaccard(&self.features, &other.features)
    }
}

pub trait Set<'a> {
    /// Returns the number of the nearest document that is near enough.
    fn nearest(&mut self, document: &Document) -> Option<u32>;
    fn add(&mut self, number: u32, document: &'a Document);
    /// Returns the look-ups, the entries read, and the candidates verified, if they are counted.
    fn work(&self) -> Option<[usize; 3]>;
}

/// Returns an empty set of this design.
pub fn set_of<'a>(design: &str) -> Box<dyn Set<'a> + 'a> {
    if design == "Deduplicator" {
        return Box::new(Deduplicator::new(Scheme::default()).expect("the default"));
    }
    let design = Design::parse(design);
    Box::new(Bands { design, entries: vec![], postings: HashMap::new(), work: [0; 3] })
}

impl Set<'_> for Deduplicator {
    fn nearest(&mut self, document: &Document) -> Option<u32> {
        let hits = self.query(&document.sketch, 1, &Options::default()).expect("memory");
        hits.first().map(|hit| hit.id as u32)
    }

    fn add(&mut self, number: u32, document: &Document) {
        Deduplicator::add(self, number.into(), &document.sketch, &Options::default())
            .expect("memory");
    }

    fn work(&self) -> Option<[usize; 3]> {
        None
    }
}

#[derive(Clone, Copy)]
enum Estimator {
    Odd,
    MinHash,
    Exact,
}

struct Design {
    bands: usize,
    rows: usize,
    by_rarity: bool,
    estimator: Estimator,
    cap: usize,
    values: usize,
    bits: usize,
    read: usize,
    verify: usize,
    threshold: f64,
}

impl Design {
    fn parse(design: &str) -> Self {
        let mut parsed = Design {
            bands: 12,
            rows: 3,
            by_rarity: true,
            estimator: Estimator::Odd,
            cap: 400,
            values: 40,
            bits: 20,
            read: 64,
            verify: 32,
            threshold: MIN_RESEMBLANCE,
        };
        for part in design.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let number = || value.parse().expect("a number");
            match name {
                "rarity" | "shared" => parsed.by_rarity = part == "rarity",
                "odd" => parsed.estimator = Estimator::Odd,
                "minhash" => parsed.estimator = Estimator::MinHash,
                "exact" => parsed.estimator = Estimator::Exact,
                "cap" => parsed.cap = number(),
                "values" => parsed.values = number(),
                "bits" => parsed.bits = number(),
                "read" => parsed.read = number(),
                "verify" => parsed.verify = number(),
                "threshold" => parsed.threshold = value.parse().expect("a number"),
                _ => {
                    let (bands, rows) = part.split_once('x').expect("a part of a design");
                    parsed.bands = bands.parse().expect("a number");
                    parsed.rows = rows.parse().expect("a number");
                }
            }
        }
        parsed
    }
}

enum Summary<'a> {
    Odd(Odd),
    MinHash(Box<MinHash>),
    Exact(&'a [u64]),
}

impl Summary<'_> {
    fn estimate(&self, other: &Self) -> f64 {
        match (self, other) {
            (Summary::Odd(a), Summary::Odd(b)) => a.estimate(b),
            (Summary::MinHash(a), Summary::MinHash(b)) => a.estimate(b),
            (Summary::Exact(a), Summary::Exact(b)) => sketch::jaccard(a, b),
            _ => unreachable!("a set has one design"),
        }
    }
}

struct Entry<'a> {
    number: u32,
    document: &'a Document,
    summary: Summary<'a>,
}

struct Bands<'a> {
    design: Design,
    entries: Vec<Entry<'a>>,
    postings: HashMap<u64, Vec<u32>>,
    work: [usize; 3],
}

impl Bands<'_> {
    fn keys(&self, document: &Document) -> Vec<u64> {
        let Design { bands, rows, .. } = self.design;
        let mut keys = vec![sketch::equality_key(document.words, bands)];
        if !document.sketch.is_short() {
            keys.extend(sketch::band_keys(&document.features, bands, rows));
        }
        keys
    }

    fn entry<'a>(&self, number: u32, document: &'a Document) -> Entry<'a> {
        let features = &document.features;
        let summary = match self.design.estimator {
            Estimator::Odd => {
                let Design { cap, values, bits, .. } = self.design;
                Summary::Odd(Odd::new(features, cap, values, bits))
            }
            Estimator::MinHash => Summary::MinHash(Box::new(MinHash::new(features))),
            Estimator::Exact => Summary::Exact(features),
        };
        Entry { number, document, summary }
    }

    /// Returns the entries to verify, in the order of their addition.
    fn candidates(&mut self, keys: &[u64]) -> Vec<u32> {
        let mut found: Vec<(u32, u64)> = Vec::new();
        for entries in keys.iter().filter_map(|key| self.postings.get(key)) {
            let weight = if self.design.by_rarity { 65536 / entries.len() as u64 } else { 1 };
            found.extend(entries.iter().map(|&entry| (entry, weight)));
        }
        found.sort_unstable();
        let mut candidates: Vec<(Reverse<u64>, u32)> = found
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| (Reverse(same.iter().map(|(_, weight)| weight).sum()), same[0].0))
            .collect();
        candidates.sort_unstable();
        candidates.truncate(self.design.verify);
        let work = [keys.len(), found.len(), candidates.len()];
        self.work.iter_mut().zip(work).for_each(|(total, work)| *total += work);
        let mut entries: Vec<u32> = candidates.into_iter().map(|(_, entry)| entry).collect();
        entries.sort_unstable();
        entries
    }

    /// Returns the resemblance of two documents if one is a duplicate of the other.
    fn resemblance(&self, a: &Entry<'_>, b: &Entry<'_>) -> Option<f64> {
        if a.document.words == b.document.words {
            return Some(1.0);
        }
        let is_brief = a.document.is_brief || b.document.is_brief;
        let min = self.design.threshold.max(if is_brief { MIN_BRIEF_RESEMBLANCE } else { 0.0 });
        let estimate = a.summary.estimate(&b.summary);
        (estimate >= min && !a.document.sketch.is_short()).then_some(estimate)
    }
}

impl<'a> Set<'a> for Bands<'a> {
    fn nearest(&mut self, document: &Document) -> Option<u32> {
        let query = self.entry(0, document);
        let mut best = None;
        for at in self.candidates(&self.keys(document)) {
            let entry = &self.entries[at as usize];
            let Some(resemblance) = self.resemblance(&query, entry) else { continue };
            let distance = document.sketch.distance(&entry.document.sketch).expect("one scheme");
            let nearness = (resemblance, Reverse(distance));
            // Ties go to the oldest.
            if best.is_none_or(|(most, _)| nearness > most) {
                best = Some((nearness, entry.number));
            }
        }
        best.map(|(_, number)| number)
    }

    fn add(&mut self, number: u32, document: &'a Document) {
        for key in self.keys(document) {
            let entries = self.postings.entry(key).or_default();
            if entries.len() < self.design.read {
                entries.push(self.entries.len() as u32);
            }
        }
        let entry = self.entry(number, document);
        self.entries.push(entry);
    }

    fn work(&self) -> Option<[usize; 3]> {
        Some(self.work)
    }
}
