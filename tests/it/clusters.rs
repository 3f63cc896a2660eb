//! Pairs and clusters of a deduplicator, compared with all pairs that share a key and with the definition.

use std::collections::{HashMap, HashSet};

use nearprint::{
    Deduplicator, Fingerprinter, Sketch,
    dedupe::{Linkage, Member, Options, Pair},
    mix::fmix64,
};
use proptest::prelude::*;

fn options(min_resemblance: f64) -> Options {
    Options { min_resemblance, ..Options::default() }
}

/// The sketches of texts, as a deduplicator and in the order of addition.
fn kept(texts: &[String]) -> (Deduplicator, Vec<Sketch>) {
    let mut fingerprinter = Fingerprinter::default();
    let mut kept = Deduplicator::new(*fingerprinter.scheme()).unwrap();
    let sketches: Vec<Sketch> = texts.iter().map(|text| fingerprinter.sketch(text)).collect();
    for (id, sketch) in (100..).zip(&sketches) {
        kept.add(id, sketch, &Options::default()).unwrap();
    }
    (kept, sketches)
}

/// A version of text `seed` with some words replaced.
fn version(seed: u64, words: u64, edits: &[u64]) -> String {
    let word = |at| match edits.iter().position(|&edit| edit % words == at) {
        Some(edit) => format!("e{}", edits[edit]),
        None => format!("w{}", (seed * 1000 + at) * 7919 % 100_003),
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

/// Whether the text has few features: the lowest bit of the words' hash, which follows the scheme's id, the kind and the
/// fingerprint.
fn is_brief(sketch: &Sketch) -> bool {
    let bytes = sketch.to_bytes();
    bytes[usize::from(bytes[0]) + 10] & 1 == 1
}

/// All pairs that the definition admits, as places in the order of the documents: equal documents, and those that resemble
/// each other and share a key, they or equal ones. A key has at most 64 documents.
fn all_pairs(sketches: &[Sketch], min_resemblance: f64) -> Vec<(usize, usize, f64)> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut filed = HashMap::<u64, Vec<usize>>::new();
    let mut by_words = HashMap::<u64, usize>::new();
    for (at, sketch) in sketches.iter().enumerate() {
        // Texts with equal words have equal fingerprints.
        let keys = sketch.keys().unwrap();
        let group = *by_words.entry(*keys.last().unwrap()).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(at);
        for key in keys {
            // A set has 28 bits of each key.
            let documents = filed.entry(fmix64(key) >> 36).or_default();
            if documents.len() < 64 {
                documents.push(group);
            }
        }
    }
    let mut near: HashSet<(usize, usize)> = (0..groups.len()).map(|group| (group, group)).collect();
    for groups in filed.values() {
        near.extend(groups.iter().flat_map(|&a| groups.iter().map(move |&b| (a.min(b), a.max(b)))));
    }
    let mut pairs = Vec::new();
    for (a, b) in near {
        let [first, second] = [a, b].map(|group| &sketches[groups[group][0]]);
        let is_brief = is_brief(first) || is_brief(second);
        let threshold = if is_brief { min_resemblance.max(0.75) } else { min_resemblance };
        let resemblance = first.resemblance(second).unwrap();
        if resemblance >= threshold {
            let both = groups[a].iter().flat_map(|&x| groups[b].iter().map(move |&y| (x, y)));
            let both = both.filter(|(x, y)| a != b || x < y);
            pairs.extend(both.map(|(x, y)| (x.min(y), x.max(y), resemblance)));
        }
    }
    pairs
}

/// The clusters by the definition, which is applied to documents one after the other.
fn naive_clusters(
    documents: &[Sketch],
    linkage: Linkage,
    min_resemblance: f64,
) -> Vec<Vec<(u64, f64)>> {
    let mut near = vec![vec![false; documents.len()]; documents.len()];
    for (a, b, _) in all_pairs(documents, min_resemblance) {
        near[a][b] = true;
        near[b][a] = true;
    }
    let degree = |at: usize| near[at].iter().filter(|&&is_near| is_near).count();
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(degree(at)), at));
    let mut is_taken = vec![false; documents.len()];
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for representative in order {
        if std::mem::replace(&mut is_taken[representative], true) {
            continue;
        }
        let mut cluster = vec![representative];
        let mut reached = 0;
        while reached < cluster.len() && (reached == 0 || linkage == Linkage::Single) {
            for other in 0..documents.len() {
                if near[cluster[reached]][other] && !std::mem::replace(&mut is_taken[other], true) {
                    cluster.push(other);
                }
            }
            reached += 1;
        }
        cluster[1..].sort();
        clusters.push(cluster);
    }
    clusters.retain(|cluster| cluster.len() > 1);
    clusters
        .sort_by_key(|cluster| (std::cmp::Reverse(cluster.len()), *cluster.iter().min().unwrap()));
    let member = |of: &[usize], at: &usize| {
        (100 + *at as u64, documents[of[0]].resemblance(&documents[*at]).unwrap())
    };
    clusters.iter().map(|c| c.iter().map(|at| member(c, at)).collect()).collect()
}

fn clusters(kept: &Deduplicator, linkage: Linkage, options: &Options) -> Vec<Vec<(u64, f64)>> {
    let member = |&Member { id, resemblance }: &Member| (id, resemblance);
    let clusters = kept.clusters(linkage, options).unwrap();
    assert_eq!(clusters.len(), clusters.iter().count());
    clusters.iter().map(|members| members.iter().map(member).collect()).collect()
}

/// Compares the pairs with the definition. Of the pairs of a document with earlier ones, at most 128 are found.
fn check_pairs(kept: &Deduplicator, sketches: &[Sketch], min_resemblance: f64) {
    let mut expected = vec![HashMap::new(); sketches.len()];
    for (a, b, resemblance) in all_pairs(sketches, min_resemblance) {
        expected[b].insert(a, (resemblance, sketches[a].distance(&sketches[b]).unwrap()));
    }
    let mut found = vec![HashMap::new(); sketches.len()];
    for Pair { a, b, resemblance, distance } in kept.pairs(&options(min_resemblance)).unwrap() {
        let [a, b] = [a, b].map(|id| id as usize - 100);
        assert_eq!(found[b].insert(a, (resemblance, distance)), None, "{a} and {b} twice");
    }
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.len(), expected.len().min(128));
        assert!(found.iter().all(|(a, pair)| expected.get(a) == Some(pair)));
    }
}

fn check((kept, sketches): &(Deduplicator, Vec<Sketch>), min_resemblance: f64) {
    check_pairs(kept, sketches, min_resemblance);
    for linkage in [Linkage::Star, Linkage::Single] {
        let expected = naive_clusters(sketches, linkage, min_resemblance);
        assert_eq!(clusters(kept, linkage, &options(min_resemblance)), expected);
    }
}

/// A text of few words, or of one of three lengths in which some words are replaced.
fn text() -> impl Strategy<Value = String> {
    let short = (0_u64..3).prop_map(|seed| format!("short text {seed}"));
    let words = prop_oneof![Just(6_u64), Just(12), Just(40)];
    let edits = prop::collection::vec(0_u64..60, 0..4);
    let long = (0_u64..3, words, edits).prop_map(|(s, words, edits)| version(s, words, &edits));
    prop_oneof![1 => short, 6 => long]
}

proptest! {
    #[test]
    fn small_sets_are_as_defined(
        texts in prop::collection::vec(text(), 0..18),
        copies in prop::collection::vec(0_usize..17, 0..6),
        min_resemblance in 0.2..=1.0,
    ) {
        let mut texts = texts;
        for copy in copies {
            if let Some(text) = texts.get(copy).cloned() {
                texts.push(text);
            }
        }
        check(&kept(&texts), min_resemblance);
    }
}

#[test]
fn large_sets_are_as_defined() {
    // 200 families of up to 20 versions, and 200 short texts in pairs.
    let mut texts = Vec::new();
    for seed in 0..200 {
        for version_number in 0..seed % 20 {
            let edits = [version_number * 31, version_number * 17 + 3];
            texts.push(version(seed, 60 + seed, &edits));
        }
        texts.push(format!("short {}", seed / 2));
    }
    let kept = kept(&texts);
    assert!(kept.1.iter().any(is_brief));
    check(&kept, 0.67);
    check(&kept, 0.9);
}

#[test]
fn expired_and_removed_documents_do_not_exist() {
    let (mut kept, _) = kept(&[]);
    let mut fingerprinter = Fingerprinter::default();
    let mut sketch = |edits: &[u64]| fingerprinter.sketch(&version(1, 80, edits));
    for (id, expires_in) in [(1, None), (2, Some(10)), (3, None), (4, None), (5, Some(20))] {
        let options = Options { expires_in, ..Options::default() };
        kept.add(id, &sketch(&[id]), &options).unwrap();
    }
    kept.remove(4);
    let ids = |kept: &Deduplicator, now| {
        let mut ids: Vec<u64> =
            clusters(kept, Linkage::Star, &Options { now, ..Options::default() })
                .concat()
                .iter()
                .map(|member| member.0)
                .collect();
        ids.sort();
        let mut paired: Vec<u64> = kept
            .pairs(&Options { now, ..Options::default() })
            .unwrap()
            .flat_map(|pair| [pair.a, pair.b])
            .collect();
        paired.sort();
        paired.dedup();
        assert_eq!(ids, paired);
        ids
    };
    assert_eq!(ids(&kept, 0), [1, 2, 3, 5]);
    assert_eq!(ids(&kept, 10), [1, 3, 5]);
    assert_eq!(ids(&kept, 20), [1, 3]);
    assert_eq!(ids(&kept, u64::MAX), [1, 3], "without an expiry time");
    // A cursor skips what is removed or replaced after it was made.
    let mut cursor = kept.pair_cursor(&Options::default()).unwrap();
    kept.remove(2);
    kept.add(5, &sketch(&(0..80).collect::<Vec<_>>()), &Options::default()).unwrap();
    kept.add(6, &sketch(&[]), &Options::default()).unwrap();
    let next = kept.next_pair(&mut cursor).unwrap();
    assert_eq!((next.a, next.b), (1, 3));
    assert_eq!(kept.next_pair(&mut cursor), None);
}

#[test]
fn a_threshold_out_of_range_is_refused() {
    for min_resemblance in [0.0, -0.5, 1.5, f64::NAN] {
        let (kept, _) = kept(&[]);
        assert!(kept.pairs(&options(min_resemblance)).is_err());
        assert!(kept.clusters(Linkage::Star, &options(min_resemblance)).is_err());
    }
}

/// Only 64 of them are under each key.
#[test]
fn equal_documents_are_one_cluster() {
    let copies = 20_000;
    let mut texts = vec![version(1, 80, &[]); copies];
    texts.insert(0, version(1, 80, &[5]));
    let (kept, _) = kept(&texts);
    for linkage in [Linkage::Star, Linkage::Single] {
        let found = clusters(&kept, linkage, &Options::default());
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [copies + 1]);
    }
    // Each document comes with at most 128 others.
    assert!(kept.pairs(&Options::default()).unwrap().count() <= 129 * copies);
}

/// 7,000 versions of one text are 24 million pairs. Most keys are full, so not all versions are found.
#[test]
fn a_family_takes_no_square_of_comparisons() {
    let versions = 7000;
    let texts: Vec<String> =
        (0..versions).map(|number| version(1, 120, &[number, number * 7 + 1])).collect();
    let (kept, sketches) = kept(&texts);
    check_pairs(&kept, &sketches, 0.67);
    for linkage in [Linkage::Star, Linkage::Single] {
        let found = clusters(&kept, linkage, &Options::default());
        let all = found.concat();
        assert!(all.len() > versions as usize / 3, "{} of {versions}", all.len());
        let is_near = |&(_, resemblance): &(u64, f64)| resemblance >= 0.67;
        assert!(linkage == Linkage::Single || all.iter().all(is_near));
    }
}
