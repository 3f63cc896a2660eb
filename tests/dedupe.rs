//! The deduplicator against a plain model, on random operations over texts that are often near-duplicates.

use std::collections::BTreeMap;

use nearprint::{
    Deduplicator, Fingerprinter, Scheme, Sketch,
    dedupe::{Hit, MIN_FEATURES},
};
use proptest::prelude::*;

/// What the deduplicator does, without tables: every kept document is compared with every query.
#[derive(Default)]
struct Model {
    /// Insertion order, longer texts first.
    long: Vec<(u64, Sketch)>,
    short: Vec<(u64, Sketch)>,
}

/// The query's probes of each block, by trying every set of flipped bits: sum of squared margins, then the order in which
/// a best-first search meets sets of equal sums. Only sums below the cut are certain, so the model knows three answers.
fn probed(query: &Sketch, kept: &Sketch, probes: usize) -> Option<bool> {
    let bytes = query.to_bytes();
    let margins = &bytes[bytes.len() - 32..];
    let margin = |bit: usize| u32::from(margins[bit / 2] >> (4 * (bit % 2)) & 15);
    let differing = query.fingerprint() ^ kept.fingerprint();
    let mut uncertain = false;
    for block in 0..4 {
        let cost = |set: u32| -> u32 {
            (0..16)
                .filter(|bit| set >> bit & 1 == 1)
                .map(|bit| (2 * margin(16 * block + bit) + 1).pow(2))
                .sum()
        };
        let mut costs: Vec<u32> = (0..1 << 16).map(cost).collect();
        let own = cost((differing >> (16 * block)) as u32 & 0xffff);
        costs.sort_unstable();
        if own < costs[probes] || own <= costs[probes - 1] && costs[probes - 1] < costs[probes] {
            return Some(true);
        }
        uncertain |= own == costs[probes - 1];
    }
    if uncertain { None } else { Some(false) }
}

impl Model {
    fn documents(&mut self, sketch: &Sketch) -> &mut Vec<(u64, Sketch)> {
        if sketch.is_short() { &mut self.short } else { &mut self.long }
    }

    fn remove(&mut self, id: u64) -> bool {
        let before = self.long.len() + self.short.len();
        self.long.retain(|&(other, _)| other != id);
        self.short.retain(|&(other, _)| other != id);
        before > self.long.len() + self.short.len()
    }

    /// The documents that a query may return: all that are as good as the best one that is certainly probed.
    fn hits(
        &self,
        query: &Sketch,
        min_resemblance: f64,
        probes: usize,
    ) -> (Vec<(u64, f64, u32)>, bool) {
        let documents = if query.is_short() { &self.short } else { &self.long };
        let mut certain: Vec<(u64, f64, u32)> = Vec::new();
        let mut maybe = Vec::new();
        for (id, kept) in documents {
            let (resemblance, distance) = (kept.resemblance(query).unwrap(), kept.distance(query));
            if resemblance < min_resemblance || distance > 16 {
                continue;
            }
            match if query.is_short() { Some(true) } else { probed(query, kept, probes) } {
                Some(true) => certain.push((*id, resemblance, distance)),
                Some(false) => {}
                None => maybe.push((*id, resemblance, distance)),
            }
        }
        // A stable sort: the first kept of equals comes first.
        certain.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
        certain.truncate(1);
        let is_certain = !certain.is_empty();
        certain.extend(maybe);
        (certain, is_certain)
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Add(u64, usize),
    AddIfNew(u64, usize),
    Query(usize),
    Remove(u64),
    Reload,
    MergeInto,
}

fn operation() -> impl Strategy<Value = Operation> {
    let (id, text) = (0..24_u64, 0..40_usize);
    prop_oneof![
        2 => (id.clone(), text.clone()).prop_map(|(id, text)| Operation::Add(id, text)),
        6 => (id.clone(), text.clone()).prop_map(|(id, text)| Operation::AddIfNew(id, text)),
        4 => text.prop_map(Operation::Query),
        3 => id.prop_map(Operation::Remove),
        1 => Just(Operation::Reload),
        1 => Just(Operation::MergeInto),
    ]
}

/// Texts in families: ten words or a hundred, with some replaced.
fn text(number: usize) -> String {
    let (family, edit) = (number / 8, number % 8);
    let len = if family == 0 { 6 } else { 60 + 20 * family };
    let word = |at: usize| {
        let is_edited = edit > 0 && at % 17 == edit;
        format!("word{}{}", family * 1000 + at * 7 % 97, if is_edited { "x" } else { "" })
    };
    (0..len).map(word).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn does_what_the_model_does(
        operations in prop::collection::vec(operation(), 1..60),
        probes in 1..40_usize,
        min_resemblance in prop::sample::select(vec![0.3, 0.5, 0.7, 0.9, 1.0]),
    ) {
        let mut fingerprinter = Fingerprinter::default();
        let sketches: Vec<Sketch> = (0..40).map(|number| fingerprinter.sketch(&text(number))).collect();
        let empty = || Deduplicator::new(Scheme::default()).unwrap().with_probes(probes).unwrap()
            .with_min_resemblance(min_resemblance).unwrap();
        let mut kept = empty();
        let mut model = Model::default();
        for operation in operations {
            match operation {
                Operation::Add(id, text) => {
                    kept.add(id, &sketches[text]).unwrap();
                    let sketch = sketches[text].without_margins();
                    if !model.documents(&sketch).contains(&(id, sketch.clone())) {
                        model.remove(id);
                        model.documents(&sketch).push((id, sketch));
                    }
                }
                Operation::AddIfNew(id, text) => {
                    let sketch = sketches[text].without_margins();
                    let added = kept.add_if_new(id, &sketches[text]);
                    if model.documents(&sketch).contains(&(id, sketch.clone())) {
                        prop_assert_eq!(added, Ok(None));
                        continue;
                    }
                    let (hits, is_certain) = model.hits(&sketches[text], min_resemblance, probes);
                    let is_taken = model.long.iter().chain(&model.short).any(|&(other, _)| other == id);
                    match added {
                        Ok(Some(hit)) => {
                            prop_assert!(hits.contains(&(hit.id, hit.resemblance, hit.distance)));
                        }
                        Ok(None) => {
                            prop_assert!(!is_certain && !is_taken);
                            model.documents(&sketch).push((id, sketch));
                        }
                        Err(error) => {
                            prop_assert!(is_taken && !is_certain, "{error}");
                            prop_assert!(error.to_string().contains(&id.to_string()));
                        }
                    }
                }
                Operation::Query(text) => {
                    let (hits, is_certain) = model.hits(&sketches[text], min_resemblance, probes);
                    match kept.query(&sketches[text]).unwrap() {
                        Some(hit) => prop_assert!(hits.contains(&(hit.id, hit.resemblance, hit.distance))),
                        None => prop_assert!(!is_certain),
                    }
                }
                Operation::Remove(id) => prop_assert_eq!(kept.remove(id), model.remove(id)),
                Operation::Reload => {
                    let bytes = kept.to_bytes();
                    kept = Deduplicator::from_bytes(&bytes).unwrap();
                    prop_assert_eq!((kept.min_resemblance(), kept.probes()), (min_resemblance, probes));
                    prop_assert_eq!(kept.to_bytes(), bytes);
                }
                Operation::MergeInto => {
                    let mut other = empty();
                    other.merge(&kept).unwrap();
                    kept = other;
                }
            }
            prop_assert_eq!(kept.len(), model.long.len() + model.short.len());
            let expected: Vec<_> = model.long.iter().chain(&model.short).cloned().collect();
            prop_assert_eq!(kept.iter().collect::<Vec<_>>(), expected.clone());
            for (id, sketch) in expected {
                prop_assert_eq!(kept.get(id), Some(sketch));
            }
        }
    }
}

/// A sketch of a longer text without margins, in its binary form.
fn sketch_of(fingerprint: u64, minhash: &[u8; 64]) -> Sketch {
    let head = [b"\x05v1:64\x01".as_slice(), &fingerprint.to_le_bytes()].concat();
    Sketch::from_bytes(&[head.as_slice(), minhash].concat()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// More candidates than are verified together. All share the first block, so every query probes all of them.
    #[test]
    fn the_best_of_many_candidates_are_found(
        documents in prop::collection::vec((prop::collection::vec(0..48_u32, 0..6), 0..64_usize, 0..4_u8), 1..200),
        query in 0..64_usize,
        limit in 0..200_usize,
    ) {
        let minhash = |edits: usize, value: u8| {
            let mut minhash = [0b01_10_11_01; 64];
            minhash[..edits].fill(value * 0b01_01_01_01);
            minhash
        };
        let mut kept = Deduplicator::new(Scheme::default()).unwrap().with_min_resemblance(0.01).unwrap();
        let sketches: Vec<Sketch> = documents.iter().map(|(bits, edits, value)| {
            let fingerprint = bits.iter().fold(0x0123_4567_89ab_cdef, |print, bit| print ^ 1 << bit);
            sketch_of(fingerprint, &minhash(*edits, *value))
        }).collect();
        for (id, sketch) in (0..).zip(&sketches) {
            kept.add(id, sketch).unwrap();
        }
        let query = &sketches[query % sketches.len()];
        let mut near: Vec<Hit> = (0..).zip(&sketches).map(|(id, sketch)| {
            let resemblance = sketch.resemblance(query).unwrap();
            Hit { id, resemblance, distance: sketch.distance(query) }
        }).filter(|hit| hit.resemblance >= 0.01).collect();
        // A stable sort: the first kept one of equals comes first.
        near.sort_by(|a, b| b.resemblance.total_cmp(&a.resemblance).then(a.distance.cmp(&b.distance)));
        prop_assert_eq!(kept.query(query).unwrap(), near.first().copied());
        near.truncate(limit);
        prop_assert_eq!(kept.query_all(query, limit).unwrap(), near);
    }
}

/// With more and more documents the tables get more buckets, and the answers stay those of one table per block.
#[test]
fn a_full_table_finds_what_a_small_one_finds() {
    let mut fingerprinter = Fingerprinter::default();
    let body = |number: usize| -> String {
        (0..40).map(|at| format!("w{} ", (number * 7919 + at * 104_729) % 50_021)).collect()
    };
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    let mut expected = BTreeMap::new();
    for number in 0..3000 {
        let sketch = fingerprinter.sketch(&body(number));
        assert!(!sketch.is_short());
        kept.add(number as u64, &sketch).unwrap();
    }
    for number in (0..3000).step_by(100) {
        let mut small = Deduplicator::new(Scheme::default()).unwrap();
        small.add(number as u64, &fingerprinter.sketch(&body(number))).unwrap();
        let edited = fingerprinter.sketch(&body(number).replacen('w', "v", 3));
        expected.insert(number, small.query(&edited).unwrap());
        assert_eq!(kept.query(&edited).unwrap(), expected[&number]);
    }
    assert!(expected.values().filter(|hit| hit.is_some()).count() > 20);
    assert!(kept.bytes() / kept.len() < 140, "{}", kept.bytes() / kept.len());
}

#[test]
fn sketches_of_streams_and_bytes_are_those_of_texts() {
    for id in
        ["v1:64", "v1:128", "v1:32", "v1:64:tf", "v1:64:chars3", "v1:64:words2:binary", "v1:64:raw"]
    {
        let mut fingerprinter = Fingerprinter::new(id.parse().unwrap()).unwrap();
        for text in ["", "one", "Good news, everyone: good news!", &text(30), &text(30).repeat(40)]
        {
            let sketch = fingerprinter.sketch(text);
            assert_eq!(fingerprinter.sketch_bytes(text.as_bytes()), sketch, "{id} {text}");
            let mut stream = fingerprinter.stream();
            for chunk in text.as_bytes().chunks(7) {
                stream.update_bytes(chunk);
            }
            assert_eq!(stream.sketch(), sketch, "{id} {text}");
            assert_eq!(sketch.fingerprint() as u32, fingerprinter.fingerprint(text) as u32);
            assert_eq!(Sketch::from_bytes(&sketch.to_bytes()).as_ref(), Ok(&sketch));
            let features = fingerprinter.features(text).len();
            assert_eq!(sketch.is_short(), features < MIN_FEATURES);
        }
    }
}

#[test]
fn short_texts_match_by_equal_words() {
    let mut fingerprinter = Fingerprinter::default();
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    let mut add =
        |id, text| kept.add_if_new(id, &fingerprinter.sketch(text)).unwrap().map(|hit| hit.id);
    assert_eq!(add(1, "Good news"), None);
    assert_eq!(add(2, "GOOD  NEWS!"), Some(1));
    assert_eq!(add(3, "news good"), None);
    assert_eq!(add(4, "good good news"), None);
    // The same pairs of words in another order.
    assert_eq!(add(5, "a b a c a"), None);
    assert_eq!(add(6, "a c a b a"), None);
    assert_eq!(add(7, ""), None);
    assert_eq!(add(8, " ... "), Some(7));
}

#[test]
fn errors_name_the_argument() {
    let mut fingerprinter = Fingerprinter::default();
    let mut other = Fingerprinter::new("v1:64:words2".parse().unwrap()).unwrap();
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    let error = kept.add(1, &other.sketch("text")).unwrap_err().to_string();
    assert_eq!(error, "sketch: takes one of the scheme v1:64, but got one of v1:64:words2");
    let error = kept.clone().with_probes(0).map(drop).unwrap_err().to_string();
    assert_eq!(error, "probes: takes 1 to 256, but got 0");
    for wrong in [0.0, -1.0, 1.1, f64::NAN] {
        assert!(kept.clone().with_min_resemblance(wrong).is_err());
    }
    kept.add(1, &fingerprinter.sketch("text")).unwrap();
    let error = kept.add_if_new(1, &fingerprinter.sketch("another")).unwrap_err().to_string();
    assert_eq!(error, "id: takes an id that no other kept document has, but got 1");
    assert!(Sketch::from_bytes(&[3, 4]).is_err());
}

proptest! {
    #[test]
    fn damaged_bytes_are_refused_or_read(bytes: Vec<u8>, at: prop::sample::Index, byte: u8) {
        let mut fingerprinter = Fingerprinter::default();
        let sketch = fingerprinter.sketch(&text(20));
        let _ = Sketch::from_bytes(&bytes);
        let mut damaged = sketch.to_bytes();
        let at = at.index(damaged.len());
        damaged[at] = byte;
        let _ = Sketch::from_bytes(&damaged);
        let mut kept = Deduplicator::new(Scheme::default()).unwrap();
        kept.add(1, &sketch).unwrap();
        kept.add(2, &fingerprinter.sketch("short")).unwrap();
        let snapshot = kept.to_bytes();
        let mut damaged = snapshot.clone();
        let at = at % damaged.len();
        damaged[at] = byte;
        prop_assert_eq!(Deduplicator::from_bytes(&damaged).is_ok(), damaged == snapshot);
        prop_assert!(Deduplicator::from_bytes(&snapshot[..at]).is_err());
        prop_assert!(Deduplicator::from_bytes(&bytes).is_err());
    }
}

/// Bytes a document, as DESIGN has them: the MinHash is 64 of them.
#[test]
fn memory_is_what_the_documentation_says() {
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    assert!(kept.is_empty());
    for id in 0..30_000 {
        kept.add(id, &sketch_of(nearprint::mix::fmix64(id), &[0b01_10_11_01; 64])).unwrap();
    }
    assert!(!kept.is_empty());
    let each = kept.bytes() as f64 / 30_000.0;
    assert!((105.0..125.0).contains(&each), "{each} bytes a document");
    let before = kept.bytes();
    let mut fingerprinter = Fingerprinter::default();
    for id in 0..1000 {
        kept.add(100_000 + id, &fingerprinter.sketch(&format!("short {id}"))).unwrap();
    }
    assert!(kept.bytes() > before + 1000 * 24, "short texts take memory too");
    let [long, short] = [kept.get(7).unwrap(), kept.get(100_007).unwrap()];
    kept.clear();
    assert!(kept.is_empty());
    assert_eq!((kept.query(&long), kept.query(&short)), (Ok(None), Ok(None)));
    assert!(kept.bytes() < before / 2);
}

/// At every size, so that the MinHash of the new document begins a page of memory too.
#[test]
fn a_replaced_document_comes_last() {
    let sketch = |number: u64| sketch_of(nearprint::mix::fmix64(number), &[number as u8 | 1; 64]);
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    for number in 0..2100 {
        kept.add(number, &sketch(number)).unwrap();
        let mut replaced = kept.clone();
        replaced.add(number / 2, &sketch(number + 5000)).unwrap();
        assert_eq!(replaced.get(number / 2), Some(sketch(number + 5000)));
        assert_eq!(replaced.ids().last(), Some(number / 2));
        assert_eq!(replaced.len(), kept.len());
    }
}
