//! The bounds of a search, against a model: of a flooded bucket, the documents that were kept first are found.

use std::time::{Duration, Instant};

use nearprint::{
    Deduplicator, Scheme, Sketch,
    dedupe::{Decision, Hit, Options},
};

/// The documents of a bucket that a search reads, and the candidates that it verifies.
const MAX_READ: usize = 512;
const MAX_VERIFIED: usize = 128;

/// The empty set of flips, and all sets of one bit. Without margins, these are the first.
const PROBES: usize = 17;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % end
    }
}

struct Document {
    id: u64,
    sketch: Sketch,
    expires: Option<u64>,
}

fn block(sketch: &Sketch, at: usize) -> u16 {
    (sketch.fingerprint() >> (16 * at)) as u16
}

/// The hits of a search among documents in the order of addition.
fn search(documents: &[Document], query: &Sketch, min: f64, except: Option<u64>) -> Vec<Hit> {
    let others: Vec<&Document> =
        documents.iter().filter(|document| Some(document.id) != except).collect();
    let mut is_visible = vec![false; others.len()];
    for at in 0..4 {
        let own = block(query, at);
        for value in (0..16).map(|bit| own ^ 1 << bit).chain([own]) {
            let bucket =
                (0..others.len()).filter(|&number| block(&others[number].sketch, at) == value);
            bucket.take(MAX_READ).for_each(|number| is_visible[number] = true);
        }
    }
    let distance = |number: &usize| others[*number].sketch.distance(query).unwrap();
    let mut nearest: Vec<usize> =
        (0..others.len()).filter(|number| is_visible[*number] && distance(number) <= 16).collect();
    nearest.sort_by_key(distance);
    nearest.truncate(MAX_VERIFIED);
    let is_equal = |number: &usize| others[*number].sketch.is_equal_document(query).unwrap();
    nearest.extend((0..others.len()).find(is_equal));
    nearest.sort_unstable();
    nearest.dedup();
    let mut hits: Vec<Hit> = nearest
        .iter()
        .map(|number| Hit {
            id: others[*number].id,
            resemblance: others[*number].sketch.resemblance(query).unwrap(),
            distance: distance(number),
        })
        .filter(|hit| hit.resemblance >= min)
        .collect();
    // A stable sort: the first kept one of equals comes first.
    hits.sort_by(|a, b| b.resemblance.total_cmp(&a.resemblance).then(a.distance.cmp(&b.distance)));
    hits
}

/// Sketches with few different block values, fingerprints, words and MinHashes.
fn sketch(random: &mut Random) -> Sketch {
    let mut fingerprint = 0x0123_4567_89ab_cdef;
    match random.next(8) {
        0..2 => {}
        // Few documents have each of these, so that one of two is visible.
        2 => fingerprint ^= random.next(300) << 16,
        3..6 => fingerprint ^= 1 << random.next(12),
        6 => fingerprint ^= random.next(1 << 16) << 16 | 1 << random.next(64),
        _ => fingerprint ^= (random.next(4) + 1) * 0x0003_0000_0011_0005,
    }
    let words = 2 * random.next(40);
    let mut minhash = [0b01_10_11_01; 64];
    minhash[..random.next(64) as usize].fill(0b01_01_01_01);
    let head = b"\x05v1:64\x01".as_slice();
    Sketch::from_bytes(&[head, &fingerprint.to_le_bytes(), &words.to_le_bytes(), &minhash].concat())
        .unwrap()
}

#[test]
fn a_flooded_set_finds_what_the_model_finds() {
    let mut flooded = 0;
    for seed in 0..8 {
        let mut random = Random(seed);
        let empty = || Deduplicator::new(Scheme::default()).unwrap().with_probes(PROBES).unwrap();
        let mut kept = empty();
        let mut documents: Vec<Document> = Vec::new();
        let mut now = 0;
        let ids = 600 + 400 * seed;
        let size = random.next(2) * ids + random.next(ids);
        for step in 0..size + 400 {
            let id = random.next(ids);
            let sketch = sketch(&mut random);
            let expires_in = (random.next(4) == 0).then(|| 1 + random.next(200));
            let options = Options { min_resemblance: 0.5, now, expires_in };
            let expires = expires_in.map(|time| now + time);
            let operation = if step < size { 0 } else { random.next(12) };
            let place = documents.iter().position(|document| document.id == id);
            let is_equal =
                place.is_some_and(|at| documents[at].sketch.is_equal_document(&sketch).unwrap());
            let put = |documents: &mut Vec<Document>| {
                if let (Some(at), true) = (place, is_equal) {
                    documents[at].expires = expires.or(documents[at].expires);
                    return;
                }
                place.map(|at| documents.remove(at));
                documents.push(Document { id, sketch: sketch.clone(), expires });
            };
            match operation {
                0 => {
                    kept.add(id, &sketch, &options).unwrap();
                    put(&mut documents);
                }
                1..5 => {
                    let before = place.map(|at| documents[at].sketch.resemblance(&sketch).unwrap());
                    let hit = search(&documents, &sketch, 0.5, Some(id)).into_iter().next();
                    let decision = kept.observe(id, &sketch, &options).unwrap();
                    match hit {
                        _ if is_equal => assert_eq!(decision, Decision::Unchanged),
                        Some(hit) if before.is_none_or(|before| before < hit.resemblance) => {
                            assert_eq!(decision, Decision::Duplicate(hit), "seed {seed}");
                            continue;
                        }
                        _ if place.is_some() => {
                            assert!(matches!(decision, Decision::Changed { .. }), "seed {seed}");
                        }
                        _ => assert_eq!(decision, Decision::New, "seed {seed}"),
                    }
                    put(&mut documents);
                }
                5..8 => {
                    assert_eq!(kept.remove(id), place.is_some());
                    place.map(|at| documents.remove(at));
                }
                8 => {
                    now += random.next(20);
                    kept.prune(now);
                    documents.retain(|document| document.expires.is_none_or(|time| time > now));
                }
                9 if random.next(10) == 0 => {
                    kept = Deduplicator::from_bytes(&kept.to_bytes().unwrap()).unwrap();
                }
                _ => {
                    for min_resemblance in [0.0, 0.5] {
                        let options = Options { min_resemblance, ..options };
                        let mut hits = search(&documents, &sketch, min_resemblance, None);
                        let first = hits.first().copied();
                        assert_eq!(kept.query(&sketch, 1, &options).unwrap().pop(), first);
                        let limit = random.next(200) as usize;
                        hits.truncate(limit);
                        assert_eq!(kept.query(&sketch, limit, &options).unwrap(), hits);
                    }
                }
            }
            assert_eq!(kept.len(), documents.len());
            let bucket = documents.iter().filter(|document| block(&document.sketch, 3) == 0x0123);
            flooded += usize::from(bucket.count() > MAX_READ);
        }
    }
    assert!(flooded > 1000, "the test needs flooded buckets: {flooded}");
}

/// Equal documents are found, however many documents share the fingerprint.
#[test]
fn equal_documents_are_found_in_a_crowd() {
    let of_words = |words: u64| {
        let head = [b"\x05v1:64\x01".as_slice(), &[7; 8], &(2 * words).to_le_bytes()].concat();
        // MinHashes that resemble each other little.
        let minhash: Vec<u8> = (0..64)
            .map(|at| (words.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (at % 57)) as u8)
            .collect();
        Sketch::from_bytes(&[head, minhash].concat()).unwrap()
    };
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    for id in 0..2000 {
        kept.add(id, &of_words(id % 1000), &Options::default()).unwrap();
    }
    for id in (0..1000).rev() {
        let hit = kept.query(&of_words(id), 1, &Options::default()).unwrap();
        assert_eq!(hit, [Hit { id, resemblance: 1.0, distance: 0 }]);
        assert!(kept.remove(id));
        let hit = kept.query(&of_words(id), 1, &Options::default()).unwrap();
        assert_eq!(hit, [Hit { id: id + 1000, resemblance: 1.0, distance: 0 }]);
    }
}

#[test]
fn equal_documents_are_added_in_constant_time() {
    let sketch = sketch(&mut Random(1));
    let mut kept = Deduplicator::new(Scheme::default()).unwrap();
    let begin = Instant::now();
    for id in 0..100_000 {
        kept.add(id, &sketch, &Options::default()).unwrap();
    }
    assert!(begin.elapsed() < Duration::from_secs(3), "quadratic: {:?}", begin.elapsed());
}
