//! Without memory: an addition is done whole or not at all, and everything else that returns a `Result` returns an error.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Debug;

use nearprint::Error;
use nearprint::dedupe::{Decision, Deduplicator, Linkage, Options, Sketch};
use nearprint::dedupe::{SketchScheme, Sketcher};
use nearprint::simhash::Width;
use nearprint::simhash::index::{NearIndex, Settings};

/// Fails after a number of allocations of this thread.
struct Failing;

thread_local! {
    /// Allocations until memory runs out.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// Whether there is memory again after the first failure.
    static ONCE: Cell<bool> = const { Cell::new(false) };
}

impl Failing {
    /// Uses one of the remaining allocations.
    fn take(&self) -> bool {
        LEFT.with(|left| {
            let some = left.get() > 0;
            if some && left.get() != usize::MAX {
                left.set(left.get() - 1);
            }
            if !some && ONCE.get() {
                left.set(usize::MAX);
            }
            some
        })
    }
}

// SAFETY: every call goes to the system's allocator or returns null, which the trait allows.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.take() { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if self.take() {
            unsafe { System.realloc(pointer, layout, size) }
        } else {
            std::ptr::null_mut()
        }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Runs `change` with `allocations` allocations. Other work of the process is not limited.
fn with_allocations<T>(allocations: usize, change: impl FnOnce() -> T) -> T {
    LEFT.set(allocations);
    let result = change();
    LEFT.set(usize::MAX);
    result
}

/// The same, but only the allocation after these fails: another thread may free memory.
fn with_one_failure<T>(allocations: usize, change: impl FnOnce() -> T) -> T {
    ONCE.set(true);
    let result = with_allocations(allocations, change);
    ONCE.set(false);
    result
}

/// Fingerprints that are distributed evenly, some of them equal, in groups of four near ones.
fn fingerprint(bits: u32, number: u64) -> u128 {
    let mixed = nearprint::hash::fmix64(number / 4 % 500 + 1);
    let wide = u128::from(nearprint::hash::fmix64(mixed)) << 64 | u128::from(mixed);
    (wide ^ u128::from(number % 4 / 2)) & (u128::MAX >> (128 - bits))
}

fn documents(index: &NearIndex) -> Vec<(u64, u128)> {
    index.iter().collect()
}

/// Asserts that the index has these documents, by every way to them.
fn check(index: &NearIndex, expected: &[(u64, u128)]) {
    assert_eq!(documents(index), expected);
    assert_eq!(index.len(), expected.len());
    for &(id, fingerprint) in expected {
        assert_eq!(index.get(id), Some(fingerprint));
    }
    let again = NearIndex::from_bytes(&index.to_bytes().unwrap()).unwrap();
    assert_eq!(documents(&again), expected);
    let Some(&(id, fingerprint)) = expected.get(expected.len() / 2) else { return };
    let hits = index.query(fingerprint, 3, usize::MAX).unwrap();
    let near = expected.iter().filter(|document| (document.1 ^ fingerprint).count_ones() <= 3);
    assert_eq!(hits.len(), near.count());
    assert!(hits.iter().any(|hit| hit.id == id));
}

/// Makes the same addition with 0, 1, 2 ... allocations until it succeeds. Returns how often it failed.
fn fails_whole(index: &NearIndex, added: &[(u64, u128)]) -> usize {
    let before = documents(index);
    let mut after = before.clone();
    for &(id, fingerprint) in added {
        if !after.contains(&(id, fingerprint)) {
            after.retain(|document| document.0 != id);
            after.push((id, fingerprint));
        }
    }
    for allocations in 0.. {
        let mut index = index.clone();
        let result = with_allocations(allocations, || match *added {
            [(id, fingerprint)] => index.add(id, fingerprint),
            _ => index.add_all(added.iter().copied()),
        });
        if result.is_ok() {
            check(&index, &after);
            return allocations;
        }
        assert_eq!(result.unwrap_err(), Error::Memory);
        check(&index, &before);
        // The failed call works once there is memory.
        index.add_all(added.iter().copied()).unwrap();
        check(&index, &after);
    }
    unreachable!()
}

fn empty(width: Width) -> NearIndex {
    NearIndex::new(Settings::default().width(width).max_distance(3).scheme("v1")).unwrap()
}

/// An index of `count` documents with the ids that `id` makes of their numbers.
fn index(bits: u32, count: u64, id: fn(u64) -> u64) -> NearIndex {
    let mut index = empty(Width::try_from(bits).unwrap());
    (0..count).for_each(|number| index.add(id(number), fingerprint(bits, number)).unwrap());
    index
}

#[test]
fn an_addition_is_whole_or_not_at_all() {
    let mut failures = 0;
    let orders: [fn(u64) -> u64; 3] =
        [|number| number, |number| number ^ 0x55, |number| (number ^ 0x55) << 33];
    for id in orders {
        for (bits, before, added) in
            [(64, 0, 1), (64, 0, 300), (64, 300, 20), (128, 200, 40), (32, 100, 400)]
        {
            let index = index(bits, before, id);
            // New ids, ids that are there, and ids that occur twice.
            let numbers: Vec<u64> = (before / 2..before / 2 + added)
                .chain(before + added..before + 2 * added)
                .chain(before / 2..before / 2 + added / 3)
                .collect();
            let documents: Vec<(u64, u128)> = (0..)
                .zip(numbers)
                .map(|(at, number)| (id(number), fingerprint(bits, number + 7 * at)))
                .collect();
            failures += fails_whole(&index, &documents);
        }
    }
    assert!(failures > 1000, "{failures} failures");
}

/// Single additions one after the other, until tables, columns and sets have grown several times.
#[test]
fn a_single_addition_is_whole_or_not_at_all() {
    let mut index = empty(Width::W64);
    let mut expected: Vec<(u64, u128)> = Vec::new();
    let mut failures = 0;
    for number in 0..3000_u64 {
        let (id, fingerprint) = ((number ^ 0x155) << 20, fingerprint(64, number));
        for allocations in 0.. {
            if with_allocations(allocations, || index.add(id, fingerprint)).is_ok() {
                break;
            }
            failures += 1;
            assert_eq!((index.len(), index.get(id)), (expected.len(), None));
        }
        expected.push((id, fingerprint));
        if number % 500 == 0 {
            check(&index, &expected);
        }
        // Another fingerprint under an old id.
        if number % 3 == 0 {
            let at = number as usize / 2;
            let other = self::fingerprint(64, number + 1);
            for allocations in 0.. {
                if with_allocations(allocations, || index.add(expected[at].0, other)).is_ok() {
                    break;
                }
                failures += 1;
                assert_eq!(index.get(expected[at].0), Some(expected[at].1));
            }
            if expected[at].1 != other {
                let (id, _) = expected.remove(at);
                expected.push((id, other));
            }
        }
    }
    check(&index, &expected);
    assert!(failures > 1000, "{failures} failures");
}

/// Removals need no memory: what would save some is left out.
#[test]
fn removals_never_fail() {
    let mut index = index(64, 4000, |number| number ^ 0x55);
    let mut expected = documents(&index);
    while expected.len() > 20 {
        let (id, _) = expected.swap_remove(expected.len() / 3);
        assert!(with_allocations(0, || index.remove(id)));
    }
    expected.sort_by_key(|document| document.0 ^ 0x55);
    check(&index, &expected);
    with_allocations(0, || index.clear());
    assert!(index.is_empty());
    index.add(1, 1).unwrap();
    check(&index, &[(1, 1)]);
}

/// A clone allocates no more than its elements, but its groups keep what their removals need.
#[test]
fn removals_from_a_clone_never_fail() {
    let mut index = empty(Width::W64);
    let sketch = sketch_by_number()(1);
    let mut kept = Deduplicator::new(SketchScheme::default()).unwrap();
    for id in 0..100 {
        index.add(id, 7).unwrap();
        kept.add(id, &sketch, &Options::default()).unwrap();
    }
    let (mut index, mut kept) = (index.clone(), kept.clone());
    with_allocations(0, || {
        for id in 0..70 {
            assert!(index.remove(id) && kept.remove(id));
        }
    });
    check(&index, &(70..100).map(|id| (id, 7)).collect::<Vec<_>>());
    assert_eq!(kept.len(), 30);
}

/// A set at the limit of its pages: they are not built anew by every addition and removal.
#[test]
fn alternating_changes_at_the_limit_of_the_pages_take_few_allocations() {
    let documents = sketches(2049);
    let (last, rest) = documents.split_last().unwrap();
    let mut kept = deduplicator(rest);
    // Splitting the pages once takes some 300 allocations.
    with_allocations(10_000, || {
        for _ in 0..3000 {
            kept.add(last.0, &last.1, &Options::default()).unwrap();
            assert!(kept.remove(last.0));
        }
        assert!(LEFT.get() > 2000, "{} allocations are left", LEFT.get());
    });
    // An emptied set does not keep the pages.
    let bytes = kept.bytes();
    rest.iter().for_each(|(id, _)| assert!(kept.remove(*id)));
    assert!(kept.bytes() < bytes / 2, "{} of {bytes} bytes", kept.bytes());
}

/// A deduplicator: additions of longer and of short texts, and replacements of one by the other.
#[test]
fn an_addition_of_a_document_is_whole_or_not_at_all() {
    let mut sketch = sketch_by_number();
    let mut kept = Deduplicator::new(SketchScheme::default()).unwrap();
    let mut expected: Vec<(u64, Sketch)> = Vec::new();
    let mut failures = 0;
    let mut add = |kept: &mut Deduplicator, id: u64, sketch: &Sketch, before: Option<&Sketch>| {
        let bytes = kept.to_bytes().unwrap();
        for allocations in 0.. {
            let size = kept.len();
            match with_allocations(allocations, || kept.add(id, sketch, &Options::default())) {
                Ok(()) => return,
                Err(error) => assert_eq!(error, Error::Memory),
            }
            failures += 1;
            assert_eq!((kept.len(), kept.contains(id)), (size, before.is_some()));
            assert!(before.is_none_or(|before| has(kept, id, before)));
            assert_eq!(kept.to_bytes().unwrap(), bytes);
        }
    };
    for number in 0..1500_u64 {
        let id = (number ^ 0x155) << 20;
        add(&mut kept, id, &sketch(number), None);
        expected.push((id, sketch(number)));
        if number % 5 == 0 {
            let (id, old) = &mut expected[number as usize / 2];
            let new = sketch(number + 100_000);
            add(&mut kept, *id, &new, Some(old));
            *old = new;
        }
    }
    // More documents are replaced than kept, so that pages drop removed ones.
    let mut replaced = sketches(100);
    let mut small = deduplicator(&replaced);
    for number in 0..1000 {
        let (id, old) = &mut replaced[number as usize * 7 % 100];
        let new = sketch(number + 1000);
        add(&mut small, *id, &new, Some(old));
        *old = new;
    }
    assert!(failures > 100, "{failures} failures");
    let again = Deduplicator::from_bytes(&kept.to_bytes().unwrap()).unwrap();
    assert_eq!(again.len(), expected.len());
    for (id, sketch) in &expected {
        assert!(has(&again, *id, sketch));
        let hits = kept.query(sketch, 1, &Options::default()).unwrap();
        assert_eq!(hits.first().map(|hit| hit.resemblance), Some(1.0));
    }
}

/// Makes a call with 0, 1, 2 ... allocations until it succeeds. Returns its result and how often it failed.
fn fails_before_it_succeeds<T>(call: impl FnMut() -> Result<T, Error>) -> (T, usize) {
    fails_from(0, call)
}

/// The same, from a number of allocations on.
fn fails_from<T>(least: usize, mut call: impl FnMut() -> Result<T, Error>) -> (T, usize) {
    for allocations in least.. {
        match with_allocations(allocations, &mut call) {
            Ok(result) => return (result, allocations - least),
            Err(error) => assert_eq!(error, Error::Memory),
        }
    }
    unreachable!()
}

/// Repeats a query while its first allocation fails, then its second, and so on. The query must fail until no allocation does.
fn check_one_failure<T: PartialEq + Debug>(
    expected: &T,
    mut query: impl FnMut() -> Result<T, Error>,
) {
    let mut failures = 0;
    loop {
        match with_one_failure(failures, &mut query) {
            Err(error) => assert_eq!(error, Error::Memory),
            Ok(hits) => break assert_eq!(hits, *expected, "after {failures} failures"),
        }
        failures += 1;
    }
    assert!(failures > 1, "{failures} failures");
}

/// A query that has failed to store one hit must not continue with the next.
#[test]
fn a_query_that_fails_once_is_an_error() {
    let mut index = empty(Width::W64);
    (0..64).for_each(|bit| index.add(bit, 1 << bit).unwrap());
    let expected = index.query(0, 3, usize::MAX).unwrap();
    assert_eq!(expected.len(), 64);
    check_one_failure(&expected, || index.query(0, 3, usize::MAX));
}

#[test]
fn queries_pairs_and_snapshots_of_an_index_fail_with_an_error() {
    let mut failures = 0;
    for (bits, count) in [(64, 0), (64, 600), (128, 400), (32, 700)] {
        let index = index(bits, count, |number| number ^ 0x55);
        let before = documents(&index);
        if let Some(&(_, fingerprint)) = before.first() {
            let expected = index.query(fingerprint, 3, usize::MAX).unwrap();
            let (hits, failed) =
                fails_before_it_succeeds(|| index.query(fingerprint, 3, usize::MAX));
            assert_eq!(hits, expected);
            failures += failed;
        }
        let (pairs, failed) = fails_before_it_succeeds(|| {
            let mut cursor = index.pair_cursor(3)?;
            let mut count = 0;
            while index.next_pair(&mut cursor)?.is_some() {
                count += 1;
            }
            Ok(count)
        });
        assert_eq!(pairs, index.pairs(3).unwrap().count());
        failures += failed;
        let bytes = index.to_bytes().unwrap();
        let (read, failed) = fails_before_it_succeeds(|| NearIndex::from_bytes(&bytes));
        assert_eq!(documents(&read), before);
        failures += failed;
        assert_eq!(documents(&index), before);
    }
    assert!(failures > 1000, "{failures} failures");
}

/// Sketches of longer and of short texts.
fn sketch_by_number() -> impl FnMut(u64) -> Sketch {
    let mut sketcher = Sketcher::default();
    move |number| {
        let words = if number.is_multiple_of(3) { 4 } else { 20 };
        let words: Vec<String> =
            (0..words).map(|word| format!("w{}", number * 31 + word)).collect();
        sketcher.sketch(&words.join(" "))
    }
}

fn sketches(count: u64) -> Vec<(u64, Sketch)> {
    let mut sketch = sketch_by_number();
    (0..count).map(|number| ((number ^ 0x155) << 20, sketch(number))).collect()
}

fn deduplicator(documents: &[(u64, Sketch)]) -> Deduplicator {
    let mut kept = Deduplicator::new(SketchScheme::default()).unwrap();
    documents.iter().for_each(|(id, sketch)| kept.add(*id, sketch, &Options::default()).unwrap());
    kept
}

/// Whether a document is kept with this id. A set keeps no keys.
fn has(kept: &Deduplicator, id: u64, sketch: &Sketch) -> bool {
    kept.get(id).is_some_and(|found| found.is_equal_document(sketch) == Ok(true))
}

fn contents(kept: &Deduplicator) -> Vec<(u64, Sketch)> {
    let mut all: Vec<(u64, Sketch)> = kept.iter().collect();
    all.sort_by_key(|document| document.0);
    all
}

#[test]
fn a_query_for_all_near_duplicates_that_fails_once_is_an_error() {
    let (_, long) = sketches(2).remove(1);
    let mut kept = Deduplicator::new(SketchScheme::default()).unwrap();
    (0..40).for_each(|id| kept.add(id, &long, &Options::default()).unwrap());
    let query = || kept.query(&long, usize::MAX, &Options::default());
    let expected = query().unwrap();
    assert_eq!(expected.len(), 32);
    check_one_failure(&expected, query);
}

#[test]
fn snapshots_pairs_and_clusters_of_a_deduplicator_fail_with_an_error() {
    let kept = deduplicator(&sketches(1500));
    let bytes = kept.to_bytes().unwrap();
    let (written, failures) = fails_from(2, || kept.to_bytes());
    assert!(written == bytes && failures > 50, "{failures} failures");
    let (pairs, failures) = fails_before_it_succeeds(|| kept.pairs(&Options::default()));
    assert!(pairs.eq(kept.pairs(&Options::default()).unwrap()) && failures > 15);
    for linkage in [Linkage::Star, Linkage::Single] {
        let clusters = || kept.clusters(linkage, &Options::default());
        let (found, failures) = fails_before_it_succeeds(clusters);
        assert!(found.iter().eq(clusters().unwrap().iter()) && failures > 15);
    }
    // The id of a scheme is read with up to two strings of some bytes, which Rust does not let fail.
    let (read, failures) = fails_from(2, || Deduplicator::from_bytes(&bytes));
    assert_eq!(contents(&read), contents(&kept));
    assert!(failures > 50, "{failures} failures");
}

/// Decides with expiry times: the first one takes memory for all documents.
#[test]
fn an_observation_is_whole_or_not_at_all() {
    let documents = sketches(2200);
    let mut kept = deduplicator(&documents[..2000]);
    let mut failures = 0;
    for (time, (id, sketch)) in (0..).zip(&documents[1900..]) {
        let options = Options::default().now(time).expires_in(5000);
        let (len, expires) = (kept.len(), kept.expires(*id));
        let (decision, failed) = fails_before_it_succeeds(|| {
            let decision = kept.observe(*id, sketch, &options);
            if decision.is_err() {
                assert_eq!((kept.len(), kept.expires(*id)), (len, expires));
            }
            decision
        });
        let is_kept = time < 100;
        assert_eq!(decision, if is_kept { Decision::Unchanged } else { Decision::New });
        assert_eq!(kept.expires(*id), Some(time + 5000));
        failures += failed;
    }
    assert!(failures > 5, "{failures} failures");
    assert_eq!(with_allocations(0, || kept.prune(5100)), 101);
    assert_eq!(with_allocations(0, || kept.prune(9000)), 199);
    assert_eq!(contents(&kept), contents(&deduplicator(&documents[..1900])));
}
