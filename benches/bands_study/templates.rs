//! Pages of one template, which differ in some numbers: how many are dropped although they resemble no kept page by the
//! threshold, and how often the original of an edited page is found.

use std::fs;

use nearprint::{
    Deduplicator, Fingerprinter, Scheme,
    dedupe::{MIN_RESEMBLANCE, Options},
    index::Linkage,
    mix::fmix64,
};

use crate::search::{self, Document};

/// Words of a page, and the numbers among them. A page has a feature for each pair of words and each number that two words
/// follow: 26, 32, 35, 38, 27, 42, 47, 64 and 108.
const SHAPES: [(usize, usize); 9] =
    [(24, 3), (30, 3), (33, 3), (36, 3), (26, 2), (40, 3), (44, 4), (60, 5), (100, 9)];

/// Templates of each shape: the common features of a template decide how well its pages are told apart.
const TEMPLATES: u64 = 6;

/// Pages at which the share of the originals found is measured.
const MARKS: [usize; 4] = [1000, 10_000, 100_000, 200_000];

/// Edited pages of each measurement.
const EDITS: usize = 500;

/// A sequence of random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        fmix64(self.0)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

struct Template {
    /// The words of the template, with nothing where a number is.
    words: Vec<Option<String>>,
    random: Random,
}

impl Template {
    fn new(number: u64, (words, numbers): (usize, usize)) -> Self {
        let mut random = Random(number);
        let mut words: Vec<_> = (0..words).map(|_| Some(format!("w{}", random.next()))).collect();
        for at in 0..numbers {
            let middle = (2 * at + 1) * words.len() / (2 * numbers);
            words[middle] = None;
        }
        Template { words, random }
    }

    fn page(&mut self) -> Vec<String> {
        let Template { words, random } = self;
        let word = |word: &Option<String>| {
            word.clone().unwrap_or_else(|| random.below(1_000_000_000).to_string())
        };
        words.iter().map(word).collect()
    }

    /// Returns the page with another word in place of one that is not one of its numbers.
    fn edit(&mut self, page: &[String]) -> Vec<String> {
        let mut page = page.to_vec();
        let at = loop {
            let at = self.random.below(page.len());
            if self.words[at].is_some() {
                break at;
            }
        };
        page[at] = format!("x{}", self.random.next());
        page
    }
}

pub fn run(pages: usize, shape: Option<(usize, usize)>, designs: &[&str]) {
    println!(
        "| design | words | numbers | resemblance | pages | wrong, % | most | found, % | least |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let marks: Vec<usize> = MARKS.into_iter().filter(|&mark| mark <= pages).collect();
    for &(words, numbers) in shape.as_ref().map_or(&SHAPES[..], std::slice::from_ref) {
        for design in designs {
            // At each mark, the shares of each template that are wrong and found.
            let mut all: Vec<[Vec<f64>; 2]> = vec![Default::default(); marks.len()];
            let mut resemblance = 0.0;
            for template in 0..TEMPLATES {
                let mut template = Template::new(template, (words, numbers));
                resemblance = measure(&mut template, design, &marks, &mut all);
            }
            for (mark, shares) in marks.iter().zip(all) {
                let [wrong, found] =
                    shares.each_ref().map(|all| all.iter().sum::<f64>() / all.len() as f64);
                let most = shares[0].iter().copied().fold(0.0, f64::max);
                let least = shares[1].iter().copied().fold(100.0, f64::min);
                let shares = format!("{wrong:.2} | {most:.2} | {found:.1} | {least:.1}");
                println!(
                    "| {design} | {words} | {numbers} | {resemblance:.3} | {mark} | {shares} |"
                );
            }
        }
    }
}

/// Adds the shares of one template at each mark, and returns the exact resemblance of two pages.
fn measure(
    template: &mut Template,
    design: &str,
    marks: &[usize],
    all: &mut [[Vec<f64>; 2]],
) -> f64 {
    let mut fingerprinter = Fingerprinter::new(Scheme::default()).expect("the default");
    let mut document = |page: &[String]| Document::new(&mut fingerprinter, &page.join(" "));
    let pages: Vec<_> = (0..marks[marks.len() - 1]).map(|_| template.page()).collect();
    let documents: Vec<_> = pages.iter().map(|page| document(page)).collect();
    let mut set = search::set_of(design);
    let (mut kept, mut wrong) = (Vec::new(), 0);
    for (at, page) in documents.iter().enumerate() {
        match set.nearest(page) {
            None => {
                set.add(at as u32, page);
                kept.push(at);
            }
            Some(other) => {
                wrong += u32::from(page.resemblance(&documents[other as usize]) < MIN_RESEMBLANCE);
            }
        }
        let Some(mark) = marks.iter().position(|mark| *mark == at + 1) else { continue };
        let mut found = 0;
        for _ in 0..EDITS {
            let original = kept[template.random.below(kept.len())];
            let edit = document(&template.edit(&pages[original]));
            found += u32::from(set.nearest(&edit) == Some(original as u32));
        }
        all[mark][0].push(100.0 * f64::from(wrong) / (at + 1) as f64);
        all[mark][1].push(100.0 * f64::from(found) / EDITS as f64);
    }
    documents[0].resemblance(&documents[1])
}

/// The processor time of this thread so far, in seconds.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    stat.split(' ').next().expect("three numbers").parse::<f64>().expect("a number") / 1e9
}

/// Prints the time of `pairs()` and `clusters()` on pages of one template.
pub fn pairs(pages: usize) {
    let mut fingerprinter = Fingerprinter::new(Scheme::default()).expect("the default");
    let mut kept = Deduplicator::new(Scheme::default()).expect("the default");
    let mut template = Template::new(0, SHAPES[2]);
    for id in 0..pages as u64 {
        let sketch = fingerprinter.sketch(&template.page().join(" "));
        kept.add(id, &sketch, &Options::default()).expect("memory");
    }
    for min_resemblance in [0.5, MIN_RESEMBLANCE, 0.9] {
        let options = Options { min_resemblance, ..Options::default() };
        let start = processor_time();
        let found = kept.pairs(&options).expect("memory").count();
        let middle = processor_time();
        let clusters = kept.clusters(Linkage::Star, &options).expect("memory").len();
        let end = processor_time();
        println!(
            "{pages} pages, from {min_resemblance}: {found} pairs in {:.1} s, {clusters} clusters in {:.1} s",
            middle - start,
            end - middle,
        );
    }
}
