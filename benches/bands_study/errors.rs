//! The error of the odd sketch and of the MinHash, on random sets and on long documents of a collection.

use std::collections::HashMap;

use nearprint::dedupe::MIN_RESEMBLANCE;

use crate::collection;
use crate::search::Document;
use crate::sketch::{self, MinHash, Odd};
use crate::templates::Random;

const SIZES: [usize; 14] = [40, 41, 45, 50, 60, 80, 100, 150, 300, 500, 800, 1000, 2000, 4000];
const RESEMBLANCES: [f64; 8] = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9];
const TRIALS: usize = 4000;

/// Names of the estimators, and their estimates of two sets.
const NAMES: [&str; 4] = ["odd, 400", "odd, 300", "odd, 512", "MinHash"];

fn estimates(a: &[u64], b: &[u64]) -> [f64; 4] {
    let odd = |cap| Odd::new(a, cap, 40, 12).estimate(&Odd::new(b, cap, 40, 12));
    [odd(400), odd(300), odd(512), MinHash::new(a).estimate(&MinHash::new(b))]
}

/// The errors of pairs with about the same resemblance.
#[derive(Clone, Copy, Default)]
struct Errors {
    pairs: usize,
    squares: [f64; 4],
    above: [usize; 4],
}

impl Errors {
    fn add(&mut self, truth: f64, estimates: [f64; 4]) {
        self.pairs += 1;
        for (at, estimate) in estimates.into_iter().enumerate() {
            self.squares[at] += (estimate - truth).powi(2);
            self.above[at] += usize::from(estimate >= MIN_RESEMBLANCE);
        }
    }

    fn print(&self, first: &str) {
        let root = self.squares.map(|sum| format!("{:.4}", (sum / self.pairs as f64).sqrt()));
        let above =
            self.above.map(|count| format!("{:.2}", 100.0 * count as f64 / self.pairs as f64));
        println!("| {first} | {} | {} | {} |", self.pairs, root.join(" | "), above.join(" | "));
    }
}

fn heading(first: &str) {
    let names = NAMES.join(" | ");
    println!(
        "\n| {first} | pairs | error: {names} | estimates from {MIN_RESEMBLANCE}, %: {names} |"
    );
    println!("| --- | ---: {}|", "| ---: ".repeat(2 * NAMES.len()));
}

pub fn run(directory: Option<&str>) {
    match directory {
        None => simulate(),
        Some(directory) => measure(&collection::load(directory, usize::MAX)),
    }
}

/// Two sets of equal size, with as many common features as the resemblance asks for.
fn simulate() {
    heading("features, resemblance");
    let mut random = Random(0);
    for size in SIZES {
        for resemblance in RESEMBLANCES {
            let shared = (2.0 * size as f64 * resemblance / (1.0 + resemblance)).round() as usize;
            let truth = shared as f64 / (2 * size - shared) as f64;
            let mut errors = Errors::default();
            for _ in 0..TRIALS {
                let all: Vec<u64> = (0..2 * size - shared).map(|_| random.next()).collect();
                errors.add(truth, estimates(&all[..size], &all[size - shared..]));
            }
            errors.print(&format!("{size}, {truth:.3}"));
        }
    }
}

/// Pairs of documents of the collection that share one of 36 minima, by features and exact resemblance.
fn measure(documents: &[Document]) {
    const RESEMBLANCES: [f64; 9] = [0.3, 0.4, 0.5, 0.6, 0.67, 0.7, 0.8, 0.9, 1.01];
    const SIZES: [usize; 6] = [41, 101, 401, 1001, 4001, usize::MAX];
    /// Documents under a minimum, and pairs of a document: the errors in a family of documents are alike.
    const MAX_SHARED: usize = 4;
    let place =
        |values: &[f64], value: f64| values.windows(2).position(|w| (w[0]..w[1]).contains(&value));
    let sizes = SIZES.map(|size| size as f64);
    let mut all = [[Errors::default(); RESEMBLANCES.len() - 1]; SIZES.len() - 1];
    let mut pairs = vec![0; documents.len()];
    let mut by_minimum: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, document) in documents.iter().enumerate() {
        if document.features.len() < SIZES[0] {
            continue;
        }
        let mut others = Vec::new();
        for key in sketch::band_keys(&document.features, 36, 1) {
            let known = by_minimum.entry(key).or_default();
            others.extend(known.iter().copied());
            if known.len() < MAX_SHARED {
                known.push(at);
            }
        }
        others.sort_unstable();
        others.dedup();
        for other in others {
            let [a, b] = [at, other].map(|at| &documents[at].features);
            let truth = sketch::jaccard(a, b);
            let size = place(&sizes, a.len().min(b.len()) as f64);
            let (Some(row), Some(size)) = (place(&RESEMBLANCES, truth), size) else { continue };
            if pairs[at].max(pairs[other]) < MAX_SHARED {
                all[size][row].add(truth, estimates(a, b));
                pairs[at] += 1;
                pairs[other] += 1;
            }
        }
    }
    heading("features, resemblance");
    for (sizes, row) in SIZES.windows(2).zip(all) {
        for (resemblances, errors) in RESEMBLANCES.windows(2).zip(row) {
            if errors.pairs > 0 {
                errors.print(&format!(
                    "from {}, {} to {}",
                    sizes[0], resemblances[0], resemblances[1]
                ));
            }
        }
    }
}
