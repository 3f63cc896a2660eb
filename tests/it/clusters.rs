//! Pairs and clusters of a deduplicator, compared with all pairs that share a key and with the definition.

use std::collections::{HashMap, HashSet};

use nearprint::{
    dedupe::{Decision, Deduplicator, Linkage, Member, Options, Pair, Sketch, Sketcher},
    hash::fmix64,
};
use proptest::prelude::*;

use crate::sketch_form::has_few_features;

fn options(min_resemblance: f64) -> Options {
    Options::default().min_resemblance(min_resemblance)
}

/// The sketches of texts, as a deduplicator and in the order of addition.
fn kept(texts: &[String]) -> (Deduplicator, Vec<Sketch>) {
    let mut sketcher = Sketcher::default();
    let mut kept = Deduplicator::new(*sketcher.scheme()).unwrap();
    let sketches: Vec<Sketch> = texts.iter().map(|text| sketcher.sketch(text)).collect();
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

/// The resemblance that two documents need.
fn threshold(a: &Sketch, b: &Sketch, min_resemblance: f64) -> f64 {
    if has_few_features(a) || has_few_features(b) {
        min_resemblance.max(0.75)
    } else {
        min_resemblance
    }
}

/// All pairs that the definition admits, as places in the order of the documents: equal documents, and those that resemble
/// each other and share a key, they or equal ones. With more than 64 documents under a key, a document is compared with the
/// first 32 and the previous 32.
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
            if !documents.contains(&group) {
                documents.push(group);
            }
        }
    }
    let mut near: HashSet<(usize, usize)> = (0..groups.len()).map(|group| (group, group)).collect();
    for groups in filed.values() {
        for (at, &b) in groups.iter().enumerate() {
            let is_compared = |&other: &usize| other < 32 || other + 32 >= at;
            near.extend((0..at).filter(is_compared).map(|other| (groups[other], b)));
        }
    }
    let mut pairs = Vec::new();
    for (a, b) in near {
        let [first, second] = [a, b].map(|group| &sketches[groups[group][0]]);
        let resemblance = first.resemblance(second).unwrap();
        if resemblance >= threshold(first, second, min_resemblance) {
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
    if linkage == Linkage::Star {
        return rows(documents, naive_stars(documents, &near, &order, min_resemblance));
    }
    let mut is_taken = vec![false; documents.len()];
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for representative in order {
        if std::mem::replace(&mut is_taken[representative], true) {
            continue;
        }
        let mut cluster = vec![representative];
        let mut reached = 0;
        while reached < cluster.len() {
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
    rows(documents, clusters)
}

/// The clusters of two or more documents in their order, with the resemblances to the first members.
fn rows(documents: &[Sketch], mut clusters: Vec<Vec<usize>>) -> Vec<Vec<(u64, f64)>> {
    clusters.retain(|cluster| cluster.len() > 1);
    clusters
        .sort_by_key(|cluster| (std::cmp::Reverse(cluster.len()), *cluster.iter().min().unwrap()));
    let member = |of: &[usize], at: &usize| {
        (100 + *at as u64, documents[of[0]].resemblance(&documents[*at]).unwrap())
    };
    clusters.iter().map(|c| c.iter().map(|at| member(c, at)).collect()).collect()
}

/// Stars by the definition: documents join the most similar representative of a neighbour, or represent their neighbours. The
/// first members are the representatives.
fn naive_stars(
    documents: &[Sketch],
    near: &[Vec<bool>],
    order: &[usize],
    min_resemblance: f64,
) -> Vec<Vec<usize>> {
    let count = documents.len();
    let is_equal = |a: usize, b: usize| documents[a].is_equal_document(&documents[b]).unwrap();
    // A representative is the first of equal documents.
    let first =
        |at: usize| (0..at).find(|&other| near[at][other] && is_equal(at, other)).unwrap_or(at);
    let mut center: Vec<Option<usize>> = vec![None; count];
    let similarity = |a: usize, b: usize| documents[a].resemblance(&documents[b]).unwrap();
    // They need not share a key.
    let resembles = |a: usize, b: usize| {
        similarity(a, b) >= threshold(&documents[a], &documents[b], min_resemblance)
    };
    let best = |at: usize, center: &[Option<usize>]| {
        let mut seen = Vec::new();
        for other in (0..count).filter(|&other| near[at][other] && !is_equal(at, other)) {
            seen.extend(
                center[other].filter(|known| resembles(at, *known) && !seen.contains(known)),
            );
        }
        seen.into_iter().rev().max_by(|&a, &b| similarity(at, a).total_cmp(&similarity(at, b)))
    };
    for &at in order {
        if center[at].is_some() {
            continue;
        }
        match best(at, &center) {
            Some(known) => {
                (0..count).filter(|&b| is_equal(at, b)).for_each(|b| center[b] = Some(known))
            }
            None => {
                let members = (0..count).filter(|&b| b == at || near[at][b]);
                members.for_each(|b| _ = center[b].get_or_insert(first(at)));
            }
        }
    }
    // Each document of a pair is in a cluster: a single one gets a neighbour, which leaves its own cluster.
    let size =
        |of: usize, center: &[Option<usize>]| center.iter().filter(|c| **c == Some(of)).count();
    let is_left = |at: usize, center: &[Option<usize>]| {
        center[at] == Some(at) && size(at, center) == 1 && near[at].contains(&true)
    };
    let neighbours =
        |at: usize| (0..count).filter(move |&b| b != at && near[at][b] && first(b) == b);
    let left: Vec<usize> = order.iter().copied().filter(|&at| is_left(at, &center)).collect();
    for &at in &left {
        if !is_left(at, &center) {
            continue;
        }
        let demand = |b: usize| left.iter().filter(|&&other| near[other][b]).count();
        let rank = |&b: &usize| (std::cmp::Reverse(demand(b)), size(center[b].unwrap(), &center));
        let pivot = best(at, &center).or_else(|| neighbours(at).min_by_key(rank)).unwrap();
        let before = center[pivot].unwrap();
        (0..count).filter(|&b| is_equal(pivot, b)).for_each(|b| center[b] = Some(pivot));
        if size(before, &center) == 1 && before != pivot {
            center[before] = Some(pivot);
        }
        center[at] = Some(pivot);
    }
    let mut clusters: HashMap<usize, Vec<usize>> = HashMap::new();
    for at in 0..count {
        let center = center[at].unwrap();
        clusters.entry(center).or_insert_with(|| vec![center]).extend((at != center).then_some(at));
    }
    clusters.into_values().collect()
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
        expected[b].insert(a, resemblance);
    }
    let mut found = vec![HashMap::new(); sketches.len()];
    for Pair { a, b, resemblance } in kept.pairs(&options(min_resemblance)).unwrap() {
        let [a, b] = [a, b].map(|id| id as usize - 100);
        assert_eq!(found[b].insert(a, resemblance), None, "{a} and {b} twice");
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
        let found = clusters(kept, linkage, &options(min_resemblance));
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected);
        }
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
    assert!(kept.1.iter().any(has_few_features));
    check(&kept, 0.67);
    check(&kept, 0.9);
}

#[test]
fn expired_and_removed_documents_do_not_exist() {
    let (mut kept, _) = kept(&[]);
    let mut sketcher = Sketcher::default();
    let mut sketch = |edits: &[u64]| sketcher.sketch(&version(1, 80, edits));
    for (id, expires_in) in [(1, None), (2, Some(10)), (3, None), (4, None), (5, Some(20))] {
        let options = Options::default().expires_in(expires_in);
        kept.add(id, &sketch(&[id]), &options).unwrap();
    }
    kept.remove(4);
    let ids = |kept: &Deduplicator, now| {
        let mut ids: Vec<u64> = clusters(kept, Linkage::Star, &Options::default().now(now))
            .concat()
            .iter()
            .map(|member| member.0)
            .collect();
        ids.sort();
        let mut paired: Vec<u64> = kept
            .pairs(&Options::default().now(now))
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

/// Versions of one text, each with some words replaced.
fn family(count: u64, words: u64, edits: u64) -> Vec<String> {
    let edits =
        |number: u64| (0..edits).map(move |edit| number * 31 + edit * 7919 + number / words);
    (0..count).map(|number| version(1, words, &edits(number).collect::<Vec<_>>())).collect()
}

/// 7,000 versions of one text are 24 million pairs.
#[test]
fn a_family_is_one_cluster() {
    for count in [150, 3000, 7000] {
        let (kept, _) = kept(&family(count, 120, 3));
        for linkage in [Linkage::Star, Linkage::Single] {
            let found = clusters(&kept, linkage, &Options::default());
            assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [count as usize]);
            let is_near = |&(_, resemblance): &(u64, f64)| resemblance >= 0.67;
            assert!(linkage == Linkage::Single || found[0].iter().all(is_near));
        }
        let pairs = kept.pairs(&Options::default()).unwrap().count();
        assert!(pairs <= 128 * count as usize, "{pairs}");
    }
}

/// 12 of 52 words differ: the pages share keys, and do not resemble each other.
#[test]
fn pages_of_a_template_are_in_no_cluster() {
    let word = |page: u64, at: u64| match at % 4 {
        1 if at < 48 => format!("p{}", page * 100 + at),
        _ => format!("w{at}"),
    };
    let page = |number| (0..52).map(|at| word(number, at)).collect::<Vec<_>>().join(" ");
    let (kept, _) = kept(&(0..3000).map(page).collect::<Vec<_>>());
    for linkage in [Linkage::Star, Linkage::Single] {
        assert!(kept.clusters(linkage, &Options::default()).unwrap().is_empty());
    }
}

/// Each text is the one before with another word: near texts resemble each other, distant ones do not.
#[test]
fn what_deduplication_drops_is_in_a_cluster() {
    for seed in 0..20 {
        let mut words: Vec<String> = (0..60).map(|at| format!("s{seed}w{at}")).collect();
        let texts: Vec<String> = (0..60)
            .map(|number: usize| {
                words[number * (7 + seed) % 60] = format!("s{seed}e{number}");
                words.join(" ")
            })
            .collect();
        let (all, sketches) = kept(&texts);
        let mut observed = kept(&[]).0;
        let mut dropped = Vec::new();
        for (id, sketch) in (100..).zip(&sketches) {
            if let Decision::Duplicate(_) =
                observed.observe(id, sketch, &Options::default()).unwrap()
            {
                dropped.push(id);
            }
        }
        assert!(dropped.len() > 20);
        for linkage in [Linkage::Star, Linkage::Single] {
            let found = clusters(&all, linkage, &Options::default()).concat();
            for id in &dropped {
                assert!(found.iter().any(|member| member.0 == *id), "{linkage:?}: {id} of {seed}");
            }
        }
    }
}

/// The removed half was filed first.
#[test]
fn removed_members_of_a_family_do_not_hide_others() {
    let (mut kept, sketches) = kept(&family(3000, 60, 2));
    for id in 100..1600 {
        assert!(kept.remove(id));
    }
    let is_found = |at: &&Sketch| !kept.query(at, 1, &Options::default()).unwrap().is_empty();
    let found = sketches[..1500].iter().filter(is_found).count();
    assert!(found >= 1485, "{found} of 1500");
}
