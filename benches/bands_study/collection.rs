//! Mistakes on a collection of real documents.
//!
//! Both are per 100,000 documents. *Wrong*: a document that is dropped although no kept one resembles it by .4 or more. *Left*: a
//! document that is kept although an earlier kept one resembles it by .7 or more.

use std::collections::HashSet;
use std::fs;

use nearprint::{Fingerprinter, Scheme};
use unicode_normalization::UnicodeNormalization;

use crate::search::{self, Document};

pub struct Collection {
    texts: Vec<String>,
    pub documents: Vec<Document>,
    /// For each document the others that resemble it by .4 or more, and a thousand times their resemblance.
    near: Vec<Vec<(u32, u32)>>,
}

impl Collection {
    pub fn load(directory: &str, limit: usize) -> Self {
        let read = |name| fs::read_to_string(format!("{directory}/{name}")).expect("a collection");
        let mut texts: Vec<(usize, String)> = read("docs.jsonl")
            .lines()
            .map(|line| {
                let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let id = value["id"].as_u64().expect("an id") as usize;
                (id, value["text"].as_str().expect("a text").into())
            })
            .collect();
        texts.sort();
        texts.truncate(limit);
        let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        let mut fingerprinter = Fingerprinter::new(Scheme::default()).expect("the default");
        let documents: Vec<Document> =
            texts.iter().map(|text| Document::new(&mut fingerprinter, text)).collect();
        let mut near = vec![Vec::new(); documents.len()];
        for line in read("pairs.tsv").lines().skip(1) {
            let mut fields = line.split('\t').map(|field| field.parse::<u32>().expect("a number"));
            let [a, b, permille] = std::array::from_fn(|_| fields.next().expect("three numbers"));
            if (a.max(b) as usize) < documents.len() {
                near[a as usize].push((b, permille));
                near[b as usize].push((a, permille));
            }
        }
        Collection { texts, documents, near }
    }

    /// Returns the numbers of documents that are dropped, dropped wrongly, and left. `partners` names the kept document for
    /// which each other one is dropped.
    fn judge(&self, partners: &[Option<u32>]) -> [usize; 3] {
        let [mut dropped, mut wrong, mut left] = [0; 3];
        for (at, (near, partner)) in self.near.iter().zip(partners).enumerate() {
            let mut kept = near.iter().filter(|(other, _)| partners[*other as usize].is_none());
            match *partner {
                None => left += usize::from(kept.any(|&(b, j)| (b as usize) < at && j >= 700)),
                Some(partner) => {
                    dropped += 1;
                    let text = &self.texts[partner as usize];
                    wrong += usize::from(
                        kept.next().is_none() && resemblance(&self.texts[at], text) < 0.4,
                    );
                }
            }
        }
        [dropped, wrong, left]
    }
}

pub fn run(directory: &str, limit: usize, designs: &[&str]) {
    let collection = Collection::load(directory, limit);
    let count = collection.documents.len();
    println!("{count} documents\n");
    println!("| design | dropped | wrong | left | look-ups | entries read | verified |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for design in designs {
        let mut set = search::set_of(design);
        let mut partners = Vec::with_capacity(count);
        for (number, document) in (0..).zip(&collection.documents) {
            let partner = set.nearest(document);
            if partner.is_none() {
                set.add(number, document);
            }
            partners.push(partner);
        }
        let [dropped, wrong, left] = collection.judge(&partners);
        let per = |mistakes: usize| mistakes as f64 * 1e5 / count as f64;
        let work = set.work().map_or("| | | |".into(), |work| {
            let [lookups, read, verified] = work.map(|total| total as f64 / count as f64);
            format!("| {lookups:.1} | {read:.1} | {verified:.2} |")
        });
        println!("| {design} | {dropped} | {:.1} | {:.1} {work}", per(wrong), per(left));
    }
}

/// Returns the resemblance that defines the truth.
fn resemblance(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(tokens);
    if a.width == b.width {
        return share(&a, &b, a.width);
    }
    share(&a, &b, a.width).max(share(&a, &b, b.width))
}

struct Tokens {
    tokens: Vec<String>,
    /// Tokens of a shingle: 5 characters if most tokens are of a dense script, else 3 words.
    width: usize,
}

fn tokens(text: &str) -> Tokens {
    let mut tokens = vec![String::new()];
    let mut dense = 0;
    for character in text.nfkc().collect::<String>().to_lowercase().chars() {
        let code = u32::from(character);
        let is_mark = matches!(code, 0x300..=0x36f | 0x900..=0x97f);
        let is_inside = !tokens[tokens.len() - 1].is_empty();
        if matches!(code, 0xe00..=0xe7f | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
        {
            tokens.extend([character.into(), String::new()]);
            dense += 1;
        } else if character.is_alphabetic() || character.is_numeric() || is_inside && is_mark {
            tokens.last_mut().expect("one token").push(character);
        } else {
            tokens.push(String::new());
        }
    }
    tokens.retain(|token| !token.is_empty());
    let width = if dense * 2 > tokens.len() { 5 } else { 3 };
    Tokens { tokens, width }
}

fn share(a: &Tokens, b: &Tokens, width: usize) -> f64 {
    let [a, b] = [a, b].map(|Tokens { tokens, .. }| -> HashSet<&[String]> {
        tokens.windows(width.min(tokens.len()).max(1)).collect()
    });
    let shared = a.intersection(&b).count();
    shared as f64 / (a.len() + b.len() - shared).max(1) as f64
}
