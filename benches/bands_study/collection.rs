//! What designs drop in a collection of real documents, and what their search costs. `benches/corpus.mjs` judges the drops.

use std::fmt::Write as _;
use std::fs;

use nearprint::{Fingerprinter, Scheme};

use crate::search::{self, Document};

/// Returns the documents of a collection, the first ones of them.
pub fn load(directory: &str, limit: usize) -> Vec<Document> {
    let lines = fs::read_to_string(format!("{directory}/docs.jsonl")).expect("a collection");
    let mut texts: Vec<(usize, String)> = lines
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let id = value["id"].as_u64().expect("an id") as usize;
            (id, value["text"].as_str().expect("a text").into())
        })
        .collect();
    texts.sort();
    texts.truncate(limit);
    let mut fingerprinter = Fingerprinter::new(Scheme::default()).expect("the default");
    texts.iter().map(|(_, text)| Document::new(&mut fingerprinter, text)).collect()
}

pub fn run(directory: &str, limit: usize, designs: &[&str]) {
    let documents = load(directory, limit);
    let count = documents.len();
    println!("{count} documents\n");
    println!("| design | dropped | look-ups | entries read | verified |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for design in designs {
        let mut set = search::set_of(design);
        let mut dropped = String::new();
        for (number, document) in (0..).zip(&documents) {
            match set.nearest(document) {
                None => set.add(number, document),
                Some(partner) => writeln!(dropped, "{number}\t{partner}").expect("memory"),
            }
        }
        fs::write(format!("{directory}/{design}.tsv"), &dropped).expect("a folder for the drops");
        let work = set.work().map_or("| | | |".into(), |work| {
            let [lookups, read, verified] = work.map(|total| total as f64 / count as f64);
            format!("| {lookups:.1} | {read:.1} | {verified:.2} |")
        });
        println!("| {design} | {} {work}", dropped.lines().count());
    }
}
