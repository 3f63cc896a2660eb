//! Pairs and clusters of a deduplicator, compared with all pairs and with the definition.

use nearprint::{
    Deduplicator, Fingerprinter, Sketch,
    dedupe::{BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE, Member, Options, Pair},
    index::Linkage,
};
use proptest::prelude::*;

fn options(min_resemblance: f64) -> Options {
    Options { min_resemblance, ..Options::default() }
}

fn kept(texts: &[String]) -> Deduplicator {
    let mut fingerprinter = Fingerprinter::default();
    let mut kept = Deduplicator::new(*fingerprinter.scheme()).unwrap();
    for (id, text) in (100..).zip(texts) {
        kept.add(id, &fingerprinter.sketch(text), &Options::default()).unwrap();
    }
    kept
}

/// A version of text `seed` with some words replaced.
fn version(seed: u64, words: u64, edits: &[u64]) -> String {
    let word = |at| match edits.iter().position(|&edit| edit % words == at) {
        Some(edit) => format!("e{}", edits[edit]),
        None => format!("w{}", (seed * 1000 + at) * 7919 % 100_003),
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

/// The documents in their order: the ids, the sketches, and whether the text has few features.
fn documents(kept: &Deduplicator) -> Vec<(u64, Sketch, bool)> {
    // The lowest bit of the words' hash, which follows the scheme's id, the kind and the fingerprint.
    let has_few = |sketch: &Sketch| {
        let bytes = sketch.to_bytes();
        bytes[usize::from(bytes[0]) + 10] & 1 == 1
    };
    kept.iter().map(|(id, sketch)| (id, sketch.clone(), has_few(&sketch))).collect()
}

/// All pairs that the definition admits, as places in the order of the documents.
fn all_pairs(documents: &[(u64, Sketch, bool)], min_resemblance: f64) -> Vec<(usize, usize, f64)> {
    let mut pairs = Vec::new();
    for (b, (_, second, is_second_brief)) in documents.iter().enumerate() {
        for (a, (_, first, is_first_brief)) in documents[..b].iter().enumerate() {
            let is_brief = *is_first_brief || *is_second_brief;
            let threshold =
                if is_brief { min_resemblance.max(MIN_BRIEF_RESEMBLANCE) } else { min_resemblance };
            let resemblance = first.resemblance(second).unwrap();
            if resemblance >= threshold && first.distance(second).unwrap() <= 16 {
                pairs.push((a, b, resemblance));
            }
        }
    }
    pairs
}

/// The clusters by the definition, which is applied to documents one after the other.
fn naive_clusters(
    documents: &[(u64, Sketch, bool)],
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
        let resemblance = documents[of[0]].1.resemblance(&documents[*at].1).unwrap();
        (documents[*at].0, resemblance)
    };
    clusters.iter().map(|c| c.iter().map(|at| member(c, at)).collect()).collect()
}

fn clusters(kept: &Deduplicator, linkage: Linkage, options: &Options) -> Vec<Vec<(u64, f64)>> {
    let member = |&Member { id, resemblance }: &Member| (id, resemblance);
    let clusters = kept.clusters(linkage, options).unwrap();
    assert_eq!(clusters.len(), clusters.iter().count());
    clusters.iter().map(|members| members.iter().map(member).collect()).collect()
}

fn check(kept: &Deduplicator, min_resemblance: f64) {
    let documents = documents(kept);
    let mut expected: Vec<(u64, u64, f64, u32)> = all_pairs(&documents, min_resemblance)
        .into_iter()
        .map(|(a, b, resemblance)| {
            let distance = documents[a].1.distance(&documents[b].1).unwrap();
            (documents[a].0, documents[b].0, resemblance, distance)
        })
        .collect();
    let pair = |Pair { a, b, resemblance, distance }| (a, b, resemblance, distance);
    let mut found: Vec<_> = kept.pairs(&options(min_resemblance)).unwrap().map(pair).collect();
    let by_ids = |pair: &(u64, u64, f64, u32)| (pair.0, pair.1);
    expected.sort_by_key(by_ids);
    found.sort_by_key(by_ids);
    assert_eq!(found, expected);
    for linkage in [Linkage::Star, Linkage::Single] {
        let expected = naive_clusters(&documents, linkage, min_resemblance);
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
    /// Among up to 17 different texts, each is compared with every other.
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
    let documents = documents(&kept);
    assert!(documents.iter().any(|(_, _, is_brief)| *is_brief) && BRIEF_FEATURES > 8);
    check(&kept, 0.67);
    check(&kept, 0.9);
}

#[test]
fn expired_and_removed_documents_do_not_exist() {
    let mut kept = kept(&[]);
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
        let kept = kept(&[]);
        assert!(kept.pairs(&options(min_resemblance)).is_err());
        assert!(kept.clusters(Linkage::Star, &options(min_resemblance)).is_err());
    }
}

/// Equal documents are found by look-up, so that thousands of them take no more comparisons than one.
#[test]
fn equal_documents_are_one_cluster() {
    let copies = 20_000;
    let mut texts = vec![version(1, 80, &[]); copies];
    texts.push(version(1, 80, &[5]));
    let kept = kept(&texts);
    for linkage in [Linkage::Star, Linkage::Single] {
        let found = clusters(&kept, linkage, &Options::default());
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [copies + 1]);
    }
    // Each document comes with at most 128 others.
    assert!(kept.pairs(&Options::default()).unwrap().count() <= 129 * copies);
}

/// 7,000 versions of one text are 24 million pairs.
#[test]
fn a_family_takes_no_square_of_comparisons() {
    let versions = 7000;
    let texts: Vec<String> =
        (0..versions).map(|number| version(1, 120, &[number, number * 7 + 1])).collect();
    let kept = kept(&texts);
    let found = clusters(&kept, Linkage::Star, &Options::default());
    assert!(found[0].len() > versions as usize * 9 / 10, "{} of {versions}", found[0].len());
    for cluster in &found {
        assert_eq!(cluster[0].1, 1.0);
        assert!(cluster.iter().all(|&(_, resemblance)| resemblance >= 0.67));
    }
    assert!(kept.pairs(&Options::default()).unwrap().count() <= 128 * versions as usize);
    let single = clusters(&kept, Linkage::Single, &Options::default());
    assert_eq!(single.iter().map(Vec::len).collect::<Vec<_>>(), [versions as usize]);
}
