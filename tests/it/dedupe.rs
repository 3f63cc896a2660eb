//! The deduplicator against a naive model, on random operations over texts that are often near-duplicates.

use std::collections::BTreeMap;

use nearprint::{
    Deduplicator, Fingerprinter, Scheme, Sketch,
    dedupe::{Decision, Hit, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES, Options},
};
use proptest::prelude::*;

/// A kept document of the model.
#[derive(Clone, Debug)]
struct Document {
    id: u64,
    sketch: Sketch,
    expires: Option<u64>,
}

/// The rules of a deduplicator without tables: every kept document is compared with every sketch.
#[derive(Clone, Default)]
struct Model {
    /// In the order of addition.
    documents: Vec<Document>,
    probes: usize,
}

/// Whether a query probes a kept document, by trying every set of flipped bits. A set whose cost is the cost of the last
/// probe may or may not be probed: then the answer is `None`.
fn probed(query: &Sketch, kept: &Sketch, probes: usize) -> Option<bool> {
    let bytes = query.to_bytes();
    let margins = &bytes[bytes.len() - 32..];
    let margin = |bit: usize| u32::from(margins[bit / 2] >> (4 * (bit % 2)) & 15);
    let differing = query.fingerprint() ^ kept.fingerprint();
    let mut is_uncertain = false;
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
        is_uncertain |= own == costs[probes - 1];
    }
    if is_uncertain { None } else { Some(false) }
}

/// Whether a text has fewer than 16 different features, from the binary form of its sketch.
fn has_few_features(sketch: &Sketch) -> bool {
    let bytes = sketch.to_bytes();
    bytes[1 + usize::from(bytes[0]) + 1 + 8] & 1 == 1
}

impl Model {
    fn prune(&mut self, now: u64) -> usize {
        let before = self.documents.len();
        self.documents.retain(|document| document.expires.is_none_or(|expires| expires > now));
        before - self.documents.len()
    }

    fn get(&self, id: u64) -> Option<&Document> {
        self.documents.iter().find(|document| document.id == id)
    }

    fn remove(&mut self, id: u64) -> bool {
        let before = self.documents.len();
        self.documents.retain(|document| document.id != id);
        before > self.documents.len()
    }

    fn put(&mut self, id: u64, sketch: &Sketch, expires: Option<u64>) {
        self.remove(id);
        self.documents.push(Document { id, sketch: sketch.without_margins(), expires });
    }

    /// The hits that a search may return first: the best one of the documents that are certainly probed, and those that may
    /// be probed. `None` if there may be no hit.
    fn best(&self, query: &Sketch, min_resemblance: f64, except: Option<u64>) -> Vec<Option<Hit>> {
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        for Document { id, sketch, .. } in &self.documents {
            let (resemblance, distance) =
                (sketch.resemblance(query).unwrap(), sketch.distance(query).unwrap());
            let is_brief = has_few_features(sketch) || has_few_features(query);
            let threshold = match min_resemblance {
                min if min > 0.0 && is_brief => min.max(MIN_BRIEF_RESEMBLANCE),
                min => min,
            };
            if Some(*id) == except || resemblance < threshold || distance > 16 {
                continue;
            }
            let hit = Hit { id: *id, resemblance, distance };
            let is_short = query.is_short() || sketch.is_short();
            if is_short && !query.is_equal_document(sketch).unwrap() {
                continue;
            }
            match if is_short { Some(true) } else { probed(query, sketch, self.probes) } {
                Some(true) => certain.push(hit),
                Some(false) => {}
                None => possible.push(hit),
            }
        }
        // A stable sort: the first kept of equals comes first.
        certain.sort_by(|a, b| {
            b.resemblance.total_cmp(&a.resemblance).then(a.distance.cmp(&b.distance))
        });
        let first = certain.first().copied();
        core::iter::once(first).chain(possible.into_iter().map(Some)).collect()
    }

    /// The decisions that `observe` may return.
    fn decide(&self, id: u64, sketch: &Sketch, min_resemblance: f64) -> Vec<Decision> {
        let own = self.get(id);
        if own.is_some_and(|own| own.sketch.is_equal_document(sketch).unwrap()) {
            return vec![Decision::Unchanged];
        }
        let before = own.map(|own| own.sketch.resemblance(sketch).unwrap());
        let decision = |hit: Option<Hit>| match (hit, own, before) {
            (Some(hit), _, before) if before.is_none_or(|before| before < hit.resemblance) => {
                Decision::Duplicate(hit)
            }
            (_, Some(own), Some(resemblance)) => {
                Decision::Changed { resemblance, distance: own.sketch.distance(sketch).unwrap() }
            }
            _ => Decision::New,
        };
        self.best(sketch, min_resemblance, Some(id)).into_iter().map(decision).collect()
    }

    /// All documents as a deduplicator lists them.
    fn list(&self) -> Vec<(u64, Sketch)> {
        let (short, long): (Vec<_>, Vec<_>) =
            self.documents.iter().partition(|document| document.sketch.is_short());
        long.into_iter().chain(short).map(|d| (d.id, d.sketch.clone())).collect()
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Observe(u64, usize, Option<u64>),
    Add(u64, usize, Option<u64>),
    Query(usize),
    Remove(u64),
    Wait(u64),
    Prune,
    Reload,
    MergeInto,
}

fn operation() -> impl Strategy<Value = Operation> {
    let document = || (0..24_u64, 0..48_usize, prop::option::weighted(0.3, 0..40_u64));
    prop_oneof![
        10 => document().prop_map(|(id, text, time)| Operation::Observe(id, text, time)),
        2 => document().prop_map(|(id, text, time)| Operation::Add(id, text, time)),
        4 => (0..48_usize).prop_map(Operation::Query),
        3 => (0..24_u64).prop_map(Operation::Remove),
        2 => (0..20_u64).prop_map(Operation::Wait),
        1 => Just(Operation::Prune),
        1 => Just(Operation::Reload),
        1 => Just(Operation::MergeInto),
    ]
}

/// Texts in families, the first two of few words, with some words replaced.
fn text(number: usize) -> String {
    let (family, edit) = (number / 8, number % 8);
    let len = [3, 7].get(family).copied().unwrap_or(60 + 20 * family);
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
        min_resemblance in prop::sample::select(vec![0.1, 0.3, 0.67, 0.7, 0.9, 1.0]),
    ) {
        let mut fingerprinter = Fingerprinter::default();
        let sketches: Vec<Sketch> = (0..48).map(|number| fingerprinter.sketch(&text(number))).collect();
        let empty = || Deduplicator::new(Scheme::default()).unwrap().with_probes(probes).unwrap();
        let mut kept = empty();
        let mut model = Model { probes, ..Model::default() };
        let mut now = 0;
        for operation in operations {
            let options = |expires_in| Options { min_resemblance, now, expires_in };
            // Expired documents do not exist, whether they are pruned or not.
            let mut live = model.clone();
            live.prune(now);
            match operation {
                Operation::Observe(id, text, time) => {
                    model.prune(now);
                    let sketch = &sketches[text];
                    let expires = time.map(|time| now + time);
                    let decision = kept.observe(id, sketch, &options(time)).unwrap();
                    let expected = live.decide(id, sketch, min_resemblance);
                    prop_assert!(expected.contains(&decision), "{decision:?}, expected {expected:?}");
                    match decision {
                        Decision::New | Decision::Changed { .. } => model.put(id, sketch, expires),
                        Decision::Unchanged if expires.is_some() => {
                            let own = model.documents.iter_mut().find(|own| own.id == id);
                            own.unwrap().expires = expires;
                        }
                        _ => {}
                    }
                }
                Operation::Add(id, text, time) => {
                    model.prune(now);
                    let sketch = &sketches[text];
                    let expires = time.map(|time| now + time);
                    kept.add(id, sketch, &options(time)).unwrap();
                    let equal = |own: &Document| own.sketch.is_equal_document(sketch).unwrap();
                    if !live.get(id).is_some_and(equal) {
                        model.put(id, sketch, expires);
                    } else if expires.is_some() {
                        let own = model.documents.iter_mut().find(|own| own.id == id);
                        own.unwrap().expires = expires;
                    }
                }
                Operation::Query(text) => {
                    for min in [0.0, min_resemblance] {
                        let options = Options { min_resemblance: min, now, expires_in: None };
                        let hit = kept.query(&sketches[text], 1, &options).unwrap().pop();
                        let expected = live.best(&sketches[text], min, None);
                        prop_assert!(expected.contains(&hit), "{hit:?}, expected {expected:?}");
                    }
                }
                Operation::Remove(id) => prop_assert_eq!(kept.remove(id), model.remove(id)),
                Operation::Wait(time) => now += time,
                Operation::Prune => prop_assert_eq!(kept.prune(now), model.prune(now)),
                Operation::Reload => {
                    let bytes = kept.to_bytes().unwrap();
                    kept = Deduplicator::from_bytes(&bytes).unwrap();
                    prop_assert_eq!(kept.probes(), probes);
                    prop_assert_eq!(kept.to_bytes().unwrap(), bytes);
                    // Short documents come last.
                    let (short, long) =
                        model.documents.drain(..).partition(|document| document.sketch.is_short());
                    let _: &Vec<Document> = &long;
                    model.documents = [long, short].concat();
                }
                Operation::MergeInto => {
                    let mut other = empty();
                    other.merge(&kept).unwrap();
                    kept = other;
                }
            }
            prop_assert_eq!(kept.len(), model.documents.len());
            prop_assert_eq!(kept.iter().collect::<Vec<_>>(), model.list());
            for Document { id, sketch, expires } in &model.documents {
                prop_assert_eq!(kept.get(*id), Some(sketch.clone()));
                prop_assert_eq!(kept.expires(*id), *expires);
            }
        }
    }
}

/// A deduplicator of the default scheme.
fn deduplicator() -> Deduplicator {
    Deduplicator::new(Scheme::default()).unwrap()
}

fn hit(kept: &Deduplicator, sketch: &Sketch, min_resemblance: f64) -> Option<Hit> {
    let options = Options { min_resemblance, ..Options::default() };
    kept.query(sketch, 1, &options).unwrap().pop()
}

/// Every row of the table of decisions.
#[test]
fn decisions_follow_the_rules() {
    let mut fingerprinter = Fingerprinter::default();
    let words = |from: usize, len: usize| -> String {
        (from..from + len).map(|at| format!("word{at} ")).collect()
    };
    let a = words(0, 200);
    let a_edited = a.replacen("word50 ", "other ", 1);
    let a_distant = a.replace("word1", "term1"); // half of the words
    let b = words(1000, 200);
    let mut kept = deduplicator();
    let mut observe = |id: u64, text: &str, now: u64, expires_in: Option<u64>| {
        let options = Options { now, expires_in, ..Options::default() };
        kept.observe(id, &fingerprinter.sketch(text), &options).unwrap()
    };
    let duplicate_of = |decision: Decision| match decision {
        Decision::Duplicate(hit) => Some((hit.id, hit.resemblance)),
        _ => None,
    };
    // Rule 3.
    assert_eq!(observe(1, &a, 0, None), Decision::New);
    assert_eq!(duplicate_of(observe(2, &a, 0, None)), Some((1, 1.0)));
    assert!(matches!(duplicate_of(observe(2, &a_edited, 0, None)), Some((1, r)) if r > 0.9));
    // Rule 1. Case and punctuation alone change nothing.
    assert_eq!(observe(1, &a.to_uppercase().replace(' ', ", "), 0, None), Decision::Unchanged);
    // Rule 2: changed, however similar or different the versions are.
    assert!(
        matches!(observe(1, &a_edited, 0, None), Decision::Changed { resemblance, .. } if resemblance > 0.9)
    );
    assert!(
        matches!(observe(1, &b, 0, None), Decision::Changed { resemblance, .. } if resemblance < 0.1)
    );
    // Rule 2: a page that shows another kept page for a day. The version before stays.
    assert_eq!(observe(3, &a, 0, None), Decision::New);
    assert_eq!(duplicate_of(observe(3, &b, 0, None)), Some((1, 1.0)));
    assert_eq!(observe(3, &a, 0, None), Decision::Unchanged);
    // Rule 2: its own version is as similar as the other document.
    assert_eq!(observe(4, &a_distant, 0, None), Decision::New);
    assert!(matches!(observe(4, &a_edited, 0, None), Decision::Duplicate(Hit { id: 3, .. })));
    // Expiry: renewed by unchanged and changed documents, if they are given a time, and not by duplicates.
    assert_eq!(observe(5, &words(3000, 90), 0, Some(10)), Decision::New);
    assert_eq!(observe(5, &words(3000, 90), 9, None), Decision::Unchanged);
    assert_eq!(observe(5, &words(3000, 90), 10, None), Decision::New);
    assert_eq!(observe(6, &words(4000, 90), 0, Some(10)), Decision::New);
    assert_eq!(observe(6, &words(4000, 90), 9, Some(10)), Decision::Unchanged);
    assert_eq!(duplicate_of(observe(7, &words(4000, 90), 18, Some(10))), Some((6, 1.0)));
    assert_eq!(observe(7, &words(4000, 90), 19, Some(10)), Decision::New);
    // Documents without an expiry time stay, whatever the time.
    assert_eq!(observe(3, &a, u64::MAX, None), Decision::Unchanged);
    // Short texts.
    assert_eq!(observe(8, "Good news", 0, Some(10)), Decision::New);
    assert_eq!(duplicate_of(observe(9, "GOOD NEWS!", 9, None)), Some((8, 1.0)));
    assert_eq!(observe(9, "GOOD NEWS!", 10, None), Decision::New);
    assert_eq!(
        observe(9, "Bad news", 10, None),
        Decision::Changed {
            resemblance: 0.0,
            distance: kept.get(9).unwrap().distance(&fingerprinter.sketch("good news")).unwrap()
        }
    );
}

/// One changed word of a long text often changes neither the fingerprint nor any of the 256 bins.
#[test]
fn one_changed_word_of_two_thousand_is_a_change() {
    let mut fingerprinter = Fingerprinter::default();
    let mut equal = 0;
    for number in 0..40 {
        let words: Vec<String> =
            (0..2000).map(|at| format!("w{}", (at * 7919 + number * 31) % 1009)).collect();
        let mut edited = words.clone();
        edited[number * 50] = "edited".into();
        let (a, b) =
            (fingerprinter.sketch(&words.join(" ")), fingerprinter.sketch(&edited.join(" ")));
        let mut kept = deduplicator();
        kept.observe(1, &a, &Options::default()).unwrap();
        let decision = kept.observe(1, &b, &Options::default()).unwrap();
        assert!(
            matches!(decision, Decision::Changed { resemblance, .. } if resemblance > 0.98),
            "{decision:?}"
        );
        equal += usize::from(a.distance(&b) == Ok(0) && a.resemblance(&b) == Ok(1.0));
    }
    assert!(equal > 0, "the test needs texts that fingerprint and MinHash cannot tell apart");
}

/// A polynomial hash of the words modulo 2^64 has equal values for these texts.
#[test]
fn thue_morse_texts_are_not_equal() {
    let mut fingerprinter = Fingerprinter::default();
    for exponent in 3..14 {
        let text = |words: [&str; 2]| -> String {
            (0..1_u32 << exponent).map(|at| words[(at.count_ones() % 2) as usize]).collect()
        };
        let a = fingerprinter.sketch(&text(["red ", "blue "]));
        let b = fingerprinter.sketch(&text(["blue ", "red "]));
        assert_eq!(a.is_equal_document(&b), Ok(false), "2^{exponent} words");
    }
}

/// A sketch of a longer text without margins, in its binary form.
fn sketch_of(fingerprint: u64, minhash: &[u8; 64]) -> Sketch {
    let head = [b"\x05v1:64\x01".as_slice(), &fingerprint.to_le_bytes(), &[0; 8]].concat();
    Sketch::from_bytes(&[head.as_slice(), minhash].concat()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// More candidates than are verified. All share the first block, so every query probes all of them.
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
        let mut kept = deduplicator();
        let sketches: Vec<Sketch> = documents.iter().map(|(bits, edits, value)| {
            let fingerprint = bits.iter().fold(0x0123_4567_89ab_cdef, |print, bit| print ^ 1 << bit);
            sketch_of(fingerprint, &minhash(*edits, *value))
        }).collect();
        for (id, sketch) in (0..).zip(&sketches) {
            kept.add(id, sketch, &Options::default()).unwrap();
        }
        let query = &sketches[query % sketches.len()];
        // The nearest 128 are verified. tests/it/bounds.rs has the bounds.
        let mut verified: Vec<usize> = (0..sketches.len()).collect();
        verified.sort_by_key(|&id| sketches[id].distance(query).unwrap());
        verified.truncate(128);
        verified.sort_unstable();
        let mut near: Vec<Hit> = verified.iter().map(|&id| {
            let resemblance = sketches[id].resemblance(query).unwrap();
            Hit { id: id as u64, resemblance, distance: sketches[id].distance(query).unwrap() }
        }).filter(|hit| hit.resemblance >= 0.01).collect();
        // A stable sort: the first kept one of equals comes first.
        near.sort_by(|a, b| b.resemblance.total_cmp(&a.resemblance).then(a.distance.cmp(&b.distance)));
        prop_assert_eq!(hit(&kept, query, 0.01), near.first().copied());
        near.truncate(limit);
        let options = Options { min_resemblance: 0.01, ..Options::default() };
        prop_assert_eq!(kept.query(query, limit, &options).unwrap(), near);
    }
}

/// The number of buckets grows with the documents. Queries find the same as with small tables.
#[test]
fn a_full_table_finds_what_a_small_one_finds() {
    let mut fingerprinter = Fingerprinter::default();
    let body = |number: usize| -> String {
        (0..40).map(|at| format!("w{} ", (number * 7919 + at * 104_729) % 50_021)).collect()
    };
    let mut kept = deduplicator();
    let mut expected = BTreeMap::new();
    for number in 0..3000 {
        let sketch = fingerprinter.sketch(&body(number));
        assert!(!sketch.is_short());
        kept.add(number as u64, &sketch, &Options::default()).unwrap();
    }
    for number in (0..3000).step_by(100) {
        let mut small = deduplicator();
        small
            .add(number as u64, &fingerprinter.sketch(&body(number)), &Options::default())
            .unwrap();
        let edited = fingerprinter.sketch(&body(number).replacen('w', "v", 3));
        expected.insert(number, hit(&small, &edited, 0.67));
        assert_eq!(hit(&kept, &edited, 0.67), expected[&number]);
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
    let mut kept = deduplicator();
    let mut observe = |id, text| {
        let sketch = fingerprinter.sketch(text);
        assert!(sketch.is_short(), "{text}");
        match kept.observe(id, &sketch, &Options::default()).unwrap() {
            Decision::New => None,
            Decision::Duplicate(hit) => Some(hit.id),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(observe(1, "Good news"), None);
    assert_eq!(observe(2, "GOOD  NEWS!"), Some(1));
    assert_eq!(observe(3, "news good"), None);
    assert_eq!(observe(4, "good good news"), None);
    // The same pairs of words in another order.
    assert_eq!(observe(5, "a b a c a"), None);
    assert_eq!(observe(6, "a c a b a"), None);
    assert_eq!(observe(7, ""), None);
    assert_eq!(observe(8, " ... "), Some(7));
}

/// Texts of 8 to 15 features are compared by their features, at a higher threshold.
#[test]
fn brief_texts_need_a_higher_resemblance() {
    let mut fingerprinter = Fingerprinter::default();
    let a = "red orange yellow green blue indigo violet black"; // 7 word pairs
    let mut kept = deduplicator();
    let mut sketch = |text: &str| fingerprinter.sketch(text);
    kept.add(1, &sketch(a), &Options::default()).unwrap();
    // 7 of 8 word pairs are in both.
    let near = sketch("red orange yellow green blue indigo violet black white");
    assert_eq!(hit(&kept, &near, 0.67).map(|hit| hit.resemblance), Some(0.875));
    // 5 of 7.
    let middle = sketch("red orange yellow green blue indigo");
    let resemblance = middle.resemblance(&kept.get(1).unwrap()).unwrap();
    assert!((0.67..0.75).contains(&resemblance), "{resemblance}");
    assert_eq!(hit(&kept, &middle, 0.67), None);
    assert_eq!(hit(&kept, &middle, 0.0).map(|hit| hit.id), Some(1));
}

#[test]
fn errors_name_the_argument() {
    let mut fingerprinter = Fingerprinter::default();
    let mut other = Fingerprinter::new("v1:64:words2".parse().unwrap()).unwrap();
    let mut kept = deduplicator();
    let error = kept.add(1, &other.sketch("text"), &Options::default()).unwrap_err().to_string();
    assert_eq!(error, "sketch must be of the scheme v1:64, got one of v1:64:words2");
    let error =
        fingerprinter.sketch("text").distance(&other.sketch("text")).unwrap_err().to_string();
    assert_eq!(error, "other must be of the scheme v1:64, got one of v1:64:words2");
    let error = kept.clone().with_probes(0).map(drop).unwrap_err().to_string();
    assert_eq!(error, "probes must be from 1 to 256, got 0");
    let sketch = fingerprinter.sketch("text");
    for wrong in [-1.0, 1.1, f64::NAN] {
        let options = Options { min_resemblance: wrong, ..Options::default() };
        assert!(kept.observe(1, &sketch, &options).is_err());
        let error = kept.query(&sketch, 1, &options).unwrap_err().to_string();
        assert_eq!(error, format!("min_resemblance must be from 0 to 1, got {wrong}"));
    }
    let options = Options { min_resemblance: 0.0, ..Options::default() };
    let error = kept.observe(1, &sketch, &options).unwrap_err().to_string();
    assert_eq!(error, "min_resemblance must be a number above 0 and at most 1, got 0");
    assert!(kept.is_empty());
    let error = Sketch::from_bytes(&[3, 4]).unwrap_err().to_string();
    assert_eq!(error, "bytes must be the binary form of a sketch, got 2 bytes that are not");
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
        let mut kept = deduplicator();
        kept.add(1, &sketch, &Options { expires_in: Some(5), ..Options::default() }).unwrap();
        kept.add(2, &fingerprinter.sketch("short"), &Options::default()).unwrap();
        let snapshot = kept.to_bytes().unwrap();
        let mut damaged = snapshot.clone();
        let at = at % damaged.len();
        damaged[at] = byte;
        prop_assert_eq!(Deduplicator::from_bytes(&damaged).is_ok(), damaged == snapshot);
        prop_assert!(Deduplicator::from_bytes(&snapshot[..at]).is_err());
        prop_assert!(Deduplicator::from_bytes(&bytes).is_err());
    }
}

/// The record is 72 of the bytes of a document. Expiry times take 8 more once one is used.
#[test]
fn memory_is_what_the_documentation_says() {
    let mut kept = deduplicator();
    assert!(kept.is_empty());
    for id in 0..30_000 {
        let sketch = sketch_of(nearprint::mix::fmix64(id), &[0b01_10_11_01; 64]);
        kept.add(id, &sketch, &Options::default()).unwrap();
    }
    assert!(!kept.is_empty());
    let each = kept.bytes() as f64 / 30_000.0;
    assert!((113.0..133.0).contains(&each), "{each} bytes a document");
    let before = kept.bytes();
    let mut expiring = kept.clone();
    let of_clone = expiring.bytes();
    let options = Options { expires_in: Some(1), ..Options::default() };
    expiring.add(7, &kept.get(7).unwrap(), &options).unwrap();
    assert!((7 * 30_000..10 * 30_000).contains(&(expiring.bytes() - of_clone)));
    let mut fingerprinter = Fingerprinter::default();
    for id in 0..1000 {
        let sketch = fingerprinter.sketch(&format!("short {id}"));
        kept.add(100_000 + id, &sketch, &Options::default()).unwrap();
    }
    assert!(kept.bytes() > before + 1000 * 24, "short texts take memory too");
    let [long, short] = [kept.get(7).unwrap(), kept.get(100_007).unwrap()];
    kept.clear();
    assert!(kept.is_empty());
    assert_eq!((hit(&kept, &long, 0.0), hit(&kept, &short, 0.0)), (None, None));
    assert!(kept.bytes() < before / 2);
}

/// At every size, so that the MinHash of the new document begins a page of memory too.
#[test]
fn a_replaced_document_comes_last() {
    let sketch = |number: u64| sketch_of(nearprint::mix::fmix64(number), &[number as u8 | 1; 64]);
    let mut kept = deduplicator();
    for number in 0..2100 {
        kept.add(number, &sketch(number), &Options::default()).unwrap();
        let mut replaced = kept.clone();
        replaced.add(number / 2, &sketch(number + 5000), &Options::default()).unwrap();
        assert_eq!(replaced.get(number / 2), Some(sketch(number + 5000)));
        assert_eq!(replaced.ids().last(), Some(number / 2));
        assert_eq!(replaced.len(), kept.len());
    }
}
