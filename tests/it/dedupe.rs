//! The deduplicator against a naive model, on random operations over texts that are often near-duplicates, and over forged
//! sketches that flood keys.

use std::collections::{BTreeMap, BTreeSet};

use nearprint::{
    dedupe::{Decision, Deduplicator, Hit, Linkage, Options, Sketch, SketchScheme, Sketcher},
    hash::fmix64,
};
use nearprint_reference::seal;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{random::Random, sketch_form::has_few_features, tier::cases};

/// The documents of a key that a search reads, and the candidates that it verifies.
const MAX_READ: usize = 64;
const MAX_VERIFIED: usize = 32;

/// The bits of a key in the set.
const KEY_BITS: u32 = 28;

/// A kept document of the model.
#[derive(Clone, Debug)]
struct Document {
    id: u64,
    sketch: Sketch,
    keys: Vec<u32>,
    /// The one of the keys that equal documents have.
    key_of_equality: Option<u32>,
    /// A removed document stays under its keys until removed ones take as much memory as others.
    is_removed: bool,
    expires: Option<u64>,
    /// The lease, if the version is provisional.
    lease: Option<Lease>,
}

/// The end of a lease, and the decision that the version got.
#[derive(Clone, Copy, Debug)]
struct Lease {
    until: u64,
    decision: Decision,
}

impl Document {
    fn ends(&self) -> Option<u64> {
        self.lease.map_or(self.expires, |lease| Some(lease.until))
    }

    fn equals(&self, sketch: &Sketch) -> bool {
        self.sketch.is_equal_document(sketch).unwrap()
    }
}

/// The rules of a deduplicator without tables: every kept document is compared with every sketch.
#[derive(Clone, Default)]
struct Model {
    /// In the order of addition.
    documents: Vec<Document>,
    salt: u64,
}

/// The sketch as a set keeps it: without keys and what stores need.
fn record(sketch: &Sketch) -> Sketch {
    let mut bytes = sketch.to_bytes();
    let kind = 1 + usize::from(bytes[0]);
    if !sketch.is_short() {
        bytes[kind] = 1;
        bytes.truncate(kind + 1 + 8 + 8 + 64);
    }
    Sketch::from_bytes(&bytes).unwrap()
}

impl Model {
    fn keys(&self, sketch: &Sketch) -> Vec<u32> {
        let keys = sketch.keys().expect("a sketch with keys");
        keys.iter().map(|key| (fmix64(key ^ self.salt) >> (64 - KEY_BITS)) as u32).collect()
    }

    /// The documents that are not removed.
    fn kept(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().filter(|document| !document.is_removed)
    }

    /// Removes the documents for which a condition holds, in one step.
    fn bury(&mut self, is_removed: impl Fn(&Document) -> bool) -> bool {
        let is_found =
            |&at: &usize| !self.documents[at].is_removed && is_removed(&self.documents[at]);
        let found: Vec<usize> = (0..self.documents.len()).filter(is_found).collect();
        found.iter().for_each(|&at| self.mark_removed(at));
        if self.documents.len() > 2 * self.kept().count() + 64 {
            self.documents.retain(|document| !document.is_removed);
        }
        !found.is_empty()
    }

    /// Marks a document as removed. If all that is read first under its key of equality is removed then, the first removed ones
    /// leave this key.
    fn mark_removed(&mut self, at: usize) {
        self.documents[at].is_removed = true;
        let Some(key) = self.documents[at].key_of_equality else { return };
        let filed = self.documents.iter_mut().filter(|own| own.keys.contains(&key));
        let first: Vec<&mut Document> = filed.take_while(|own| own.is_removed).collect();
        if first.len() >= MAX_READ {
            first.into_iter().for_each(|own| own.keys.retain(|&other| other != key));
        }
    }

    /// Removes what has ended, one document after the other: by time, then by id, the kept version first.
    fn prune(&mut self, now: u64) -> usize {
        let before = self.ids().len();
        loop {
            let ended = self.kept().filter_map(|own| {
                let ends = own.ends().filter(|&ends| ends <= now)?;
                Some((ends, own.id, own.lease.is_some()))
            });
            let Some((_, id, is_provisional)) = ended.min() else { break };
            self.bury(|own| own.id == id && own.lease.is_some() == is_provisional);
        }
        before - self.ids().len()
    }

    fn ids(&self) -> BTreeSet<u64> {
        self.kept().map(|document| document.id).collect()
    }

    fn version(&mut self, id: u64, is_provisional: bool) -> Option<&mut Document> {
        let is_it = |own: &&mut Document| {
            !own.is_removed && own.id == id && own.lease.is_some() == is_provisional
        };
        self.documents.iter_mut().find(is_it)
    }

    /// The kept version of each id, or else the provisional one.
    fn shown(&self) -> impl Iterator<Item = &Document> {
        let has_kept = |id| self.kept().any(|other| other.id == id && other.lease.is_none());
        self.kept().filter(move |own| own.lease.is_none() || !has_kept(own.id))
    }

    fn remove(&mut self, id: u64) -> bool {
        let has_provisional = self.bury(|own| own.id == id && own.lease.is_some());
        self.bury(|own| own.id == id) || has_provisional
    }

    fn put(
        &mut self,
        id: u64,
        sketch: &Sketch,
        keys: &[u32],
        expires: Option<u64>,
        lease: Option<Lease>,
    ) {
        let mut keys = keys.to_vec();
        let key_of_equality = keys.last().copied();
        keys.sort_unstable();
        keys.dedup();
        let sketch = record(sketch);
        let is_removed = false;
        self.documents.push(Document {
            id,
            sketch,
            keys,
            key_of_equality,
            is_removed,
            expires,
            lease,
        });
        for is_provisional in [true, false] {
            let replaced = |own: &Document| {
                !own.is_removed
                    && own.id == id
                    && own.lease.is_some() == is_provisional
                    && (is_provisional || lease.is_none())
            };
            let earlier = &self.documents[..self.documents.len() - 1];
            if let Some(at) = earlier.iter().position(replaced) {
                self.mark_removed(at);
            }
        }
        self.bury(|_| false);
    }

    /// Sets the expiry time of the kept document with this id, if it equals `sketch`. Returns whether it does.
    fn renew(&mut self, id: u64, sketch: &Sketch, expires: Option<u64>) -> bool {
        let equal = self.version(id, false).filter(|own| own.equals(sketch));
        equal.map(|own| own.expires = expires.or(own.expires)).is_some()
    }

    fn add(&mut self, id: u64, sketch: &Sketch, expires: Option<u64>) {
        if self.renew(id, sketch, expires) {
            self.bury(|own| own.id == id && own.lease.is_some());
        } else {
            self.put(id, sketch, &self.keys(sketch), expires, None);
        }
    }

    /// Confirms or releases the provisional version of an id, if it equals the sketch.
    fn settle(&mut self, id: u64, sketch: Option<&Sketch>, confirms: bool) -> bool {
        let provisional = self.version(id, true);
        if !provisional.is_some_and(|own| sketch.is_none_or(|sketch| own.equals(sketch))) {
            return false;
        }
        self.bury(|own| own.id == id && own.lease.is_some() != confirms);
        if confirms {
            self.version(id, true).expect("a provisional version").lease = None;
        }
        true
    }

    /// The numbers of the documents that are read for a key: of the first, and if some of them do not count, of the last.
    fn read(&self, key: u32, counts: &dyn Fn(&Document) -> bool) -> Vec<usize> {
        let has_key = |&at: &usize| self.documents[at].keys.contains(&key);
        let filed: Vec<usize> = (0..self.documents.len()).filter(has_key).collect();
        let (first, rest) = filed.split_at(filed.len().min(MAX_READ));
        let last = &rest[rest.len().saturating_sub(MAX_READ)..];
        let all = first.iter().chain(last).copied();
        all.filter(|&at| counts(&self.documents[at])).take(MAX_READ).collect()
    }

    /// The hits among documents that have not ended.
    fn search(
        &self,
        query: &Sketch,
        limit: usize,
        min: f64,
        except: Option<u64>,
        now: u64,
    ) -> Vec<Hit> {
        let others = &self.documents;
        let counts = |own: &Document| {
            !own.is_removed && Some(own.id) != except && own.ends().is_none_or(|ends| ends > now)
        };
        let keys = self.keys(query);
        let mut weights = vec![0; others.len()];
        for &key in &keys {
            let found = self.read(key, &counts);
            found.iter().for_each(|&number| weights[number] += 65_536 / found.len());
        }
        let is_equal = |number: &usize| others[*number].sketch.is_equal_document(query).unwrap();
        // The first equal document is always verified.
        let with_equal_words = keys.last().map(|&key| self.read(key, &counts)).unwrap_or_default();
        let first = with_equal_words.into_iter().find(is_equal);
        first.into_iter().for_each(|first| weights[first] = usize::MAX);
        let mut verified: Vec<usize> = (0..others.len()).filter(|&at| weights[at] > 0).collect();
        // Stable sorts: the first kept of equals comes first.
        verified.sort_by_key(|&number| usize::MAX - weights[number]);
        verified.truncate(MAX_VERIFIED);
        verified.sort_unstable();
        let mut hits: Vec<(bool, Hit)> = Vec::new();
        for number in verified {
            let Document { id, sketch, lease, .. } = &others[number];
            let hit = Hit {
                is_provisional: lease.is_some(),
                id: *id,
                resemblance: query.resemblance(sketch).unwrap(),
            };
            let threshold = match min {
                min if min > 0.0 && (has_few_features(sketch) || has_few_features(query)) => {
                    min.max(0.75)
                }
                min => min,
            };
            if hit.resemblance >= threshold && (min < 1.0 || is_equal(&number)) {
                hits.push((is_equal(&number), hit));
            }
        }
        hits.sort_by(|(is_equal, a), (is_other_equal, b)| {
            is_other_equal.cmp(is_equal).then(b.resemblance.total_cmp(&a.resemblance))
        });
        let mut ids = BTreeSet::new();
        let hits = hits.into_iter().map(|(_, hit)| hit).filter(|hit| ids.insert(hit.id));
        hits.take(limit).collect()
    }

    fn observe(
        &mut self,
        id: u64,
        sketch: &Sketch,
        min: f64,
        expires: Option<u64>,
        until: Option<u64>,
    ) -> Decision {
        if let Some(own) = self.version(id, true).filter(|own| own.equals(sketch)) {
            let lease = own.lease.as_mut().expect("a provisional version");
            let decision = lease.decision;
            match until {
                Some(until) => lease.until = until,
                None => _ = self.settle(id, None, true),
            }
            return decision;
        }
        if self.renew(id, sketch, expires) {
            return Decision::Unchanged;
        }
        let before = self.version(id, false).map(|own| own.sketch.resemblance(sketch).unwrap());
        if let Some(&hit) = self.search(sketch, 1, min, Some(id), 0).first()
            && before.is_none_or(|before| before < hit.resemblance)
        {
            return Decision::Duplicate(hit);
        }
        let decision =
            before.map_or(Decision::New, |resemblance| Decision::Changed { resemblance });
        let lease = until.map(|until| Lease { until, decision });
        self.put(id, sketch, &self.keys(sketch), expires, lease);
        decision
    }

    /// The places of the documents in the order of addition, under each key.
    fn postings(&self) -> BTreeMap<u32, Vec<u32>> {
        let mut postings = BTreeMap::<u32, Vec<u32>>::new();
        for (entry, document) in (0..).zip(self.kept().filter(|own| own.lease.is_none())) {
            document.keys.iter().for_each(|&key| postings.entry(key).or_default().push(entry));
        }
        postings
    }
}

/// The number of four bytes at a place.
fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The pages of postings of a snapshot without a note: where their lengths begin, and how many there are.
fn pages(snapshot: &[u8]) -> (usize, usize) {
    let (id_bytes, has_expiry) = (usize::from(snapshot[10]), usize::from(snapshot[11]));
    let [len, scheme] = [12, 16].map(|at| number(snapshot, at) as usize);
    let at = 36 + scheme + len * (id_bytes + 80 + 8 * has_expiry);
    (at, len.div_ceil(16).max(1).next_power_of_two())
}

/// The postings of a snapshot.
fn postings(snapshot: &[u8]) -> BTreeMap<u32, Vec<u32>> {
    let (lens, pages) = pages(snapshot);
    let entry_bits = pages.ilog2() + 4;
    let mut at = lens + 4 * pages;
    let mut postings = BTreeMap::<u32, Vec<u32>>::new();
    for page in 0..pages as u32 {
        for _ in 0..number(snapshot, lens + 4 * page as usize) {
            let item = number(snapshot, at);
            let key = page << (32 - entry_bits) | item >> entry_bits;
            postings.entry(key).or_default().push(item & ((1 << entry_bits) - 1));
            at += 4;
        }
    }
    assert_eq!(at + 8, snapshot.len());
    postings
}

#[derive(Clone, Debug)]
enum Operation {
    /// With a time to expiry, and a lease.
    Observe(u64, usize, Option<u64>, Option<u64>),
    /// Confirms or releases a version, or only one of this text.
    Settle(u64, Option<usize>, bool),
    Add(u64, usize, Option<u64>),
    /// Under an id, or without one.
    Peek(Option<u64>, usize),
    Query(usize, usize),
    Remove(u64),
    Wait(u64),
    Prune,
    Reload,
    Clear,
}

/// Operations on some ids and sketches. Of these, `many` change or read a document for each that renumbers all.
fn operation(ids: u64, sketches: usize, many: u32) -> impl Strategy<Value = Operation> {
    let document = move || (0..ids, 0..sketches, prop::option::weighted(0.3, 0..40_u64));
    let limit = prop::sample::select(vec![0, 1, 2, 5, 31, 100]);
    prop_oneof![
        10 * many => (document(), prop::option::weighted(0.3, 0..40_u64)).prop_map(
            |((id, text, time), lease)| Operation::Observe(id, text, time, lease)
        ),
        4 * many => (0..ids, prop::option::weighted(0.3, 0..sketches), any::<bool>()).prop_map(
            |(id, text, confirms)| Operation::Settle(id, text, confirms)
        ),
        6 * many => document().prop_map(|(id, text, time)| Operation::Add(id, text, time)),
        4 * many => (prop::option::weighted(0.7, 0..ids), 0..sketches)
            .prop_map(|(id, text)| Operation::Peek(id, text)),
        4 * many => (0..sketches, limit).prop_map(|(text, limit)| Operation::Query(text, limit)),
        4 * many => (0..ids).prop_map(Operation::Remove),
        many => (0..20_u64).prop_map(Operation::Wait),
        many => Just(Operation::Prune),
        1 => Just(Operation::Reload),
        1 => Just(Operation::Clear),
    ]
}

/// Runs operations on a deduplicator and on the model, and compares them after each.
fn compare(
    sketches: &[Sketch],
    operations: Vec<Operation>,
    min_resemblance: f64,
    salt: u64,
) -> Result<(), TestCaseError> {
    let mut kept = Deduplicator::with_salt(SketchScheme::default(), salt).unwrap();
    let mut model = Model { salt, ..Model::default() };
    let mut now = 0;
    for operation in operations {
        let options = |expires_in| {
            Options::default().min_resemblance(min_resemblance).now(now).expires_in(expires_in)
        };
        match operation {
            Operation::Observe(id, text, time, lease) => {
                model.prune(now);
                let options = options(time).lease(lease);
                let decision = kept.observe(id, &sketches[text], &options).unwrap();
                let [expires, until] = [time, lease].map(|time| time.map(|time| now + time));
                let expected = model.observe(id, &sketches[text], min_resemblance, expires, until);
                prop_assert_eq!(decision, expected);
            }
            Operation::Settle(id, text, confirms) => {
                model.prune(now);
                let sketch = text.map(|text| &sketches[text]);
                let settle = if confirms { Deduplicator::confirm } else { Deduplicator::release };
                let settled = settle(&mut kept, id, sketch, now).unwrap();
                prop_assert_eq!(settled, model.settle(id, sketch, confirms));
            }
            Operation::Add(id, text, time) => {
                model.prune(now);
                kept.add(id, &sketches[text], &options(time)).unwrap();
                model.add(id, &sketches[text], time.map(|time| now + time));
            }
            Operation::Peek(id, text) => {
                let mut live = model.clone();
                let ended = |own: &&mut Document| own.ends().is_some_and(|ends| ends <= now);
                live.documents.iter_mut().filter(ended).for_each(|own| own.is_removed = true);
                let unknown = u64::MAX;
                let decision = kept.peek(id, &sketches[text], &options(None)).unwrap();
                let id = id.unwrap_or(unknown);
                let expected = live.observe(id, &sketches[text], min_resemblance, None, None);
                prop_assert_eq!(decision, expected);
            }
            Operation::Query(text, limit) => {
                // Expired documents do not exist, whether they are pruned or not.
                for min in [0.0, min_resemblance] {
                    let options = Options::default().min_resemblance(min).now(now);
                    let hits = kept.query(&sketches[text], limit, &options).unwrap();
                    prop_assert_eq!(hits, model.search(&sketches[text], limit, min, None, now));
                }
            }
            Operation::Remove(id) => prop_assert_eq!(kept.remove(id), model.remove(id)),
            Operation::Wait(time) => now += time,
            Operation::Prune => prop_assert_eq!(kept.prune(now), model.prune(now)),
            Operation::Reload => {
                let bytes = kept.to_bytes().unwrap();
                prop_assert_eq!(postings(&bytes), model.postings());
                kept = Deduplicator::from_bytes(&bytes).unwrap();
                prop_assert_eq!(kept.to_bytes().unwrap(), bytes);
                model.documents.retain(|own| !own.is_removed && own.lease.is_none());
            }
            Operation::Clear => {
                kept.clear();
                model.documents.clear();
            }
        }
        prop_assert_eq!(kept.len(), model.ids().len());
        prop_assert!(kept.iter().eq(model.shown().map(|d| (d.id, d.sketch.clone()))));
        for Document { id, sketch, expires, lease, .. } in model.shown() {
            prop_assert!(kept.get(*id).is_some_and(|found| found == *sketch));
            prop_assert_eq!(kept.expires(*id), expires.filter(|_| lease.is_none()));
        }
    }
    Ok(())
}

/// Returns the outcome of an observation in the form of `tests/js/model.mjs`.
fn outcome(decision: Decision) -> Value {
    match decision {
        Decision::New => json!({ "status": "new" }),
        Decision::Unchanged => json!({ "status": "unchanged" }),
        Decision::Changed { resemblance } => {
            json!({ "status": "changed", "resemblance": number_of(resemblance) })
        }
        Decision::Duplicate(hit) => {
            let mut found = found(&hit);
            let id = found.as_object_mut().unwrap().remove("id");
            found["status"] = json!("duplicate");
            found["duplicateOf"] = json!(id);
            found
        }
        other => panic!("{other:?}"),
    }
}

/// A number as JavaScript writes it: 0 and 1 without a fraction.
fn number_of(resemblance: f64) -> Value {
    if resemblance.fract() == 0.0 { json!(resemblance as u64) } else { json!(resemblance) }
}

fn found(hit: &Hit) -> Value {
    let mut found = json!({ "id": hit.id, "resemblance": number_of(hit.resemblance) });
    if hit.is_provisional {
        found["isProvisional"] = json!(true);
    }
    found
}

/// Runs an operation of `tests/decisions.json` on the model.
fn apply(model: &mut Model, step: &Value, sketches: &[Sketch], now: u64, min: f64) -> Value {
    let number = |at: usize| step[at].as_u64();
    let text = |at: usize| number(at).map(|text| &sketches[text as usize]);
    let after = |at: usize| number(at).map(|time| now + time);
    let id = number(1).unwrap_or(u64::MAX);
    model.prune(now);
    match step[0].as_str().unwrap() {
        "observe" => outcome(model.observe(id, text(2).unwrap(), min, after(3), after(4))),
        "add" => {
            model.add(id, text(2).unwrap(), after(3));
            Value::Null
        }
        "peek" => outcome(model.clone().observe(id, text(2).unwrap(), min, None, None)),
        "settle" => json!(model.settle(id, text(2), step[3] == true)),
        "query" => {
            let limit = number(2).unwrap() as usize;
            model.search(text(1).unwrap(), limit, min, None, now).iter().map(found).collect()
        }
        "remove" => json!(model.remove(id)),
        other => panic!("{other}"),
    }
}

/// The tests in JavaScript have a model of their own, which has made the results of the file.
#[test]
fn both_models_of_the_rule_decide_alike() {
    let file: Value = serde_json::from_str(include_str!("../decisions.json")).unwrap();
    let mut sketcher = Sketcher::default();
    let texts = file["texts"].as_array().unwrap().iter();
    let sketches: Vec<Sketch> = texts.map(|text| sketcher.sketch(text.as_str().unwrap())).collect();
    for run in file["runs"].as_array().unwrap() {
        let min = run["minResemblance"].as_f64().unwrap();
        let mut model = Model::default();
        for (at, step) in run["steps"].as_array().unwrap().iter().enumerate() {
            let now = step[0].as_u64().unwrap();
            let result = apply(&mut model, &step[1], &sketches, now, min);
            assert_eq!(result, step[2], "step {at} at {min}: {}", step[1]);
        }
    }
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

/// A sketch of these parts. Without an odd sketch and keys, the text is short.
fn sketch_of([first, second]: [u64; 2], odd: &[u64], keys: &[u64]) -> Sketch {
    let mut bytes = b"\x02s1".to_vec();
    bytes.push(if odd.is_empty() { 0 } else { 2 });
    for number in [first, second].iter().chain(odd).chain(keys) {
        bytes.extend(number.to_le_bytes());
    }
    Sketch::from_bytes(&bytes).unwrap()
}

/// An odd sketch of two halves with these bits, numbers of features and level.
fn odd(mut bits: impl FnMut() -> u64, counts: [u64; 2], level: u64) -> [u64; 8] {
    let mut odd = [0; 8].map(|_: u64| bits());
    odd[3] = odd[3] & (u64::MAX >> 16) | counts[0] << 48;
    odd[7] = odd[7] & (u64::MAX >> 16) | counts[1] << 48 | level << 57;
    odd
}

/// Returns a number with this hash.
fn unmix(mut hash: u64) -> u64 {
    for inverse in [0x9cb4_b2f8_1293_37db, 0x4f74_430c_22a5_4005_u64] {
        hash = (hash ^ hash >> 33).wrapping_mul(inverse);
    }
    hash ^ hash >> 33
}

/// A forged sketch: many have equal keys and words. With the salt 0, others have keys in one page of the table.
fn forged(random: &mut Random) -> Sketch {
    let words = 4 * random.below(60);
    let second = 0x0123_4567_89ab_cdef ^ (random.below(4) << random.below(3));
    if random.below(8) == 0 {
        // A third of the short ones are blank.
        return sketch_of([words + 1 + random.below(3) / 2 * 2, second], &[], &[]);
    }
    // Equal documents have equal features.
    let mut features = Random(second ^ words << 20);
    let edits = features.below(30);
    let len = [10, 30, 100, 200][features.below(4) as usize];
    let flip = |features: &mut Random| {
        if features.below(30) < edits { 1 << features.below(60) } else { 0 }
    };
    let level = [0, 0, 0, 1, 2][features.below(5) as usize];
    let odd = odd(|| 0x0005_5555_0aaa_3333 ^ flip(&mut features), [len; 2], level);
    let keys = [0; 12].map(|_: u64| match random.below(12) {
        0..3 => random.below(3),
        3..6 => 1000 + random.below(90),
        6..8 => {
            let cluster = [0, 0x0fff_fff0, 0x0800_0000][random.below(3) as usize];
            unmix((cluster + random.below(16)) << 36 | random.below(2))
        }
        _ => random.below(u64::MAX),
    });
    sketch_of([words | (features.below(4) / 3), second], &odd, &keys)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn does_what_the_model_does_with_few_ids(
        operations in prop::collection::vec(operation(3, 24, 4), 1..40),
        min_resemblance in prop::sample::select(vec![0.1, 0.67, 1.0]),
        salt: u64,
    ) {
        let mut sketcher = Sketcher::default();
        let sketches: Vec<Sketch> = (0..24).map(|number| sketcher.sketch(&text(number))).collect();
        compare(&sketches, operations, min_resemblance, salt)?;
    }

    #[test]
    fn does_what_the_model_does(
        operations in prop::collection::vec(operation(24, 48, 1), 1..60),
        min_resemblance in prop::sample::select(vec![0.1, 0.3, 0.67, 0.7, 0.9, 1.0]),
        salt: u64,
    ) {
        let mut sketcher = Sketcher::default();
        let sketches: Vec<Sketch> = (0..48).map(|number| sketcher.sketch(&text(number))).collect();
        compare(&sketches, operations, min_resemblance, salt)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, ..cases(12) })]

    /// Full keys, more candidates than are verified, and pages that are split and joined.
    #[test]
    fn a_flooded_set_does_what_the_model_does(
        operations in prop_oneof![
            prop::collection::vec(operation(500, 700, 40), 300..1500),
            prop::collection::vec(operation(80, 700, 40), 300..1500),
        ],
        min_resemblance in prop::sample::select(vec![0.3, 0.67]),
        salt in prop::sample::select(vec![0, 1]),
    ) {
        let mut random = Random(1);
        let sketches: Vec<Sketch> = (0..700).map(|_| forged(&mut random)).collect();
        compare(&sketches, operations, min_resemblance, salt)?;
    }
}

/// A deduplicator of the default scheme.
fn deduplicator() -> Deduplicator {
    Deduplicator::new(SketchScheme::default()).unwrap()
}

fn hit(kept: &Deduplicator, sketch: &Sketch, min_resemblance: f64) -> Option<Hit> {
    let options = Options::default().min_resemblance(min_resemblance);
    kept.query(sketch, 1, &options).unwrap().pop()
}

/// One changed word of a long text often changes none of the sampled features.
#[test]
fn one_changed_word_of_two_thousand_is_a_change() {
    let mut sketcher = Sketcher::default();
    let mut equal = 0;
    for number in 0..40 {
        let words: Vec<String> =
            (0..2000).map(|at| format!("w{}", (at * 7919 + number * 31) % 1009)).collect();
        let mut edited = words.clone();
        edited[number * 50] = "edited".into();
        let (a, b) = (sketcher.sketch(&words.join(" ")), sketcher.sketch(&edited.join(" ")));
        let mut kept = deduplicator();
        kept.observe(1, &a, &Options::default()).unwrap();
        let decision = kept.observe(1, &b, &Options::default()).unwrap();
        assert!(
            matches!(decision, Decision::Changed { resemblance, .. } if resemblance > 0.98),
            "{decision:?}"
        );
        equal += usize::from(a.resemblance(&b) == Ok(1.0));
    }
    assert!(equal > 0, "the test needs texts that only the words tell apart");
}

/// Neither words nor symbols, or for characters only white space: no other text is blank.
#[test]
fn blank_texts_resemble_nothing() {
    for (id, blank, others) in [
        ("s1", ["", " ... \n", "—“”—"], ["a", "$", "+ +", "中"]),
        ("s1:words2", ["", "?!", "\u{200b}"], ["a", "%", "-5", "€"]),
        ("s1:chars3", ["", " \t\n ", "\u{3000}"], [".", "a", "$", "!?"]),
    ] {
        let mut sketcher = Sketcher::new(id.parse().unwrap()).unwrap();
        let mut kept = Deduplicator::new(*sketcher.scheme()).unwrap();
        for (number, text) in (0..).zip(blank.iter().chain(&blank).chain(&others)) {
            let sketch = sketcher.sketch(text);
            assert_eq!(sketch.is_blank(), number < 6, "{id}: {text:?}");
            assert!(sketch.is_short());
            assert_eq!(Sketch::from_bytes(&sketch.to_bytes()).as_ref(), Ok(&sketch));
            let is_equal = f64::from(u8::from(number >= 6));
            assert_eq!(sketch.resemblance(&sketch), Ok(is_equal), "{id}: {text:?}");
            assert_eq!(sketch.keys().unwrap().len(), usize::from(number >= 6));
            let options = Options::default();
            assert_eq!(
                kept.observe(number, &sketch, &options),
                Ok(Decision::New),
                "{id}: {text:?}"
            );
            assert_eq!(kept.observe(number, &sketch, &options), Ok(Decision::Unchanged));
            let hits = kept.query(&sketch, 100, &options.min_resemblance(0.0));
            assert_eq!(hits.unwrap().len(), usize::from(number >= 6), "{id}: {text:?}");
        }
        let empty = sketcher.sketch("");
        assert_eq!(empty.is_equal_document(&sketcher.sketch(blank[1])), Ok(true));
        assert_eq!(kept.pairs(&Options::default()).unwrap().count(), 0);
        assert_eq!(kept.clusters(Linkage::Star, &Options::default()).unwrap().len(), 0);
        // The text of an id can become blank, and remain so.
        let change = kept.observe(6, &empty, &Options::default()).unwrap();
        assert!(matches!(change, Decision::Changed { resemblance: 0.0, .. }));
        assert_eq!(kept.observe(6, &empty, &Options::default()), Ok(Decision::Unchanged));
        let mut copy = Deduplicator::from_bytes(&kept.to_bytes().unwrap()).unwrap();
        assert!(copy.iter().eq(kept.iter()));
        assert_eq!(copy.observe(100, &empty, &Options::default()), Ok(Decision::New));
    }
}

/// Texts of 8 to 15 features are compared by their features, at a higher threshold.
#[test]
fn brief_texts_need_a_higher_resemblance() {
    let mut sketcher = Sketcher::default();
    let a = "red orange yellow green blue indigo violet black"; // 7 word pairs
    let mut kept = deduplicator();
    let mut sketch = |text: &str| sketcher.sketch(text);
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
    let mut sketcher = Sketcher::default();
    let mut other = Sketcher::new("s1:words2".parse().unwrap()).unwrap();
    let mut kept = deduplicator();
    let error = kept.add(1, &other.sketch("text"), &Options::default()).unwrap_err().to_string();
    assert_eq!(error, "sketch must be of the scheme s1, got one of s1:words2");
    let error = sketcher.sketch("text").resemblance(&other.sketch("text")).unwrap_err().to_string();
    assert_eq!(error, "other must be of the scheme s1, got one of s1:words2");
    kept.add(1, &sketcher.sketch(&text(20)), &Options::default()).unwrap();
    let without_keys = kept.get(1).unwrap();
    assert_eq!(without_keys.keys(), None);
    kept.remove(1);
    for error in [
        kept.add(2, &without_keys, &Options::default()).unwrap_err(),
        kept.observe(2, &without_keys, &Options::default()).unwrap_err(),
        kept.query(&without_keys, 1, &Options::default()).unwrap_err(),
    ] {
        let message =
            "sketch must be made from a text, since a set keeps no keys, got one from a set";
        assert_eq!(error.to_string(), message);
    }
    let sketch = sketcher.sketch("text");
    for wrong in [-1.0, 1.1, f64::NAN] {
        let options = Options::default().min_resemblance(wrong);
        assert!(kept.observe(1, &sketch, &options).is_err());
        let error = kept.query(&sketch, 1, &options).unwrap_err().to_string();
        assert_eq!(error, format!("min_resemblance must be from 0 to 1, got {wrong}"));
    }
    let options = Options::default().min_resemblance(0.0);
    let error = kept.observe(1, &sketch, &options).unwrap_err().to_string();
    assert_eq!(error, "min_resemblance must be a number above 0 and at most 1, got 0");
    assert!(kept.is_empty());
    let error = Sketch::from_bytes(&[3, 4]).unwrap_err().to_string();
    assert_eq!(error, "bytes must be the binary form of a sketch, got 2 bytes that are not");
}

proptest! {
    #[test]
    fn damaged_bytes_are_refused_or_read(bytes: Vec<u8>, at: prop::sample::Index, byte: u8) {
        let mut sketcher = Sketcher::default();
        let sketch = sketcher.sketch(&text(20));
        let _ = Sketch::from_bytes(&bytes);
        let mut damaged = sketch.to_bytes();
        let at = at.index(damaged.len());
        damaged[at] = byte;
        let _ = Sketch::from_bytes(&damaged);
        let mut kept = deduplicator();
        kept.add(1, &sketch, &Options::default().expires_in(5)).unwrap();
        kept.add(2, &sketcher.sketch("short"), &Options::default()).unwrap();
        let snapshot = kept.to_bytes().unwrap();
        let mut damaged = snapshot.clone();
        let at = at % damaged.len();
        damaged[at] = byte;
        prop_assert_eq!(Deduplicator::from_bytes(&damaged).is_ok(), damaged == snapshot);
        prop_assert!(Deduplicator::from_bytes(&snapshot[..at]).is_err());
        prop_assert!(Deduplicator::from_bytes(&bytes).is_err());
    }
}

#[test]
fn forged_snapshots_are_refused() {
    let mut random = Random(1);
    let mut kept = deduplicator();
    for id in 0..70 {
        kept.add(id, &forged(&mut random), &Options::default()).unwrap();
    }
    let snapshot = kept.to_bytes().unwrap();
    let (content, _) = snapshot.split_last_chunk::<8>().unwrap();
    assert_eq!(seal(content.to_vec()), snapshot);
    let (lens, count) = pages(&snapshot);
    let items = lens + 4 * count;
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut content = content.to_vec();
        change(&mut content);
        let error = Deduplicator::from_bytes(&seal(content)).unwrap_err().to_string();
        error.split_once("got one ").unwrap().1.to_owned()
    };
    let put = |bytes: &mut [u8], at: usize, number: u32| {
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes())
    };
    // Two items of a page, and two documents, change places or are equal.
    assert_eq!(refused(&|bytes| bytes[items..items + 8].rotate_left(4)), "with other postings");
    assert_eq!(
        refused(&|bytes| bytes.copy_within(items..items + 4, items + 4)),
        "with other postings"
    );
    assert_eq!(refused(&|bytes| bytes.copy_within(41..45, 45)), "with an id twice");
    // The last item has an entry beyond the documents. An entry takes 7 bits.
    let last = content.len() - 4;
    let beyond = number(content, last) & !127 | 70;
    assert_eq!(refused(&|bytes| put(bytes, last, beyond)), "with other postings");
    // The first page has one item more or less than it says.
    let first = number(content, lens);
    assert_eq!(refused(&|bytes| put(bytes, lens, first + 1)), "that is cut off");
    assert_eq!(refused(&|bytes| put(bytes, lens, u32::MAX)), "that is cut off");
    assert_eq!(refused(&|bytes| put(bytes, lens, first - 1)), "with a header that is not valid");
    // The header has one document more or less, or too many.
    for wrong in [69, 71, u32::MAX] {
        refused(&|bytes| put(bytes, 12, wrong));
    }
    // A key of all documents, which replace the first page, and one of another.
    let flood = |bytes: &mut Vec<u8>, documents: u32| {
        let items_end = items + 4 * number(bytes, lens) as usize;
        bytes.splice(items..items_end, (0..documents).flat_map(u32::to_le_bytes));
        put(bytes, lens, documents);
    };
    assert_eq!(refused(&|bytes| flood(bytes, 71)), "with other postings");
    let mut most = content.to_vec();
    flood(&mut most, 70);
    assert_eq!(Deduplicator::from_bytes(&seal(most)).unwrap().len(), 70);
}

proptest! {
    #![proptest_config(cases(2000))]

    /// With the right checksum, the bytes are refused, or what is read of them is a whole set.
    #[test]
    fn damaged_sets_are_refused_or_whole(
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::weighted(0.1, any::<prop::sample::Index>()),
    ) {
        let mut random = Random(1);
        let mut kept = deduplicator();
        let sketches: Vec<Sketch> = (0..20).map(|_| forged(&mut random)).collect();
        for (id, sketch) in (0..).zip(&sketches) {
            let options = Options::default().expires_in((id % 5 == 0).then_some(id));
            kept.add(id, sketch, &options).unwrap();
        }
        let mut bytes = kept.to_bytes().unwrap();
        bytes.truncate(bytes.len() - 8);
        for (at, byte) in damages {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mut read) = Deduplicator::from_bytes(&seal(bytes)) {
            let again = read.to_bytes().unwrap();
            prop_assert_eq!(Deduplicator::from_bytes(&again).unwrap().to_bytes().unwrap(), again);
            read.pairs(&Options::default()).unwrap().for_each(drop);
            for (id, sketch) in (10..).zip(&sketches) {
                read.query(sketch, 40, &Options::default()).unwrap();
                read.add(id, sketch, &Options::default()).unwrap();
                prop_assert!(read.get(id).unwrap().is_equal_document(sketch).unwrap());
            }
            for id in read.ids().collect::<Vec<_>>() {
                prop_assert!(read.remove(id));
            }
        }
    }
}

/// A sketch with random keys and bits.
fn random_sketch(number: u64) -> Sketch {
    let mut random = Random(number << 32);
    let odd = odd(|| random.below(u64::MAX), [200; 2], 0);
    let keys = [0; 12].map(|_: u64| random.below(u64::MAX));
    sketch_of([4 * number, random.below(u64::MAX)], &odd, &keys)
}

/// The record is 80 of the bytes of a document. Expiry times take 8 more once one is used.
#[test]
fn memory_is_what_the_documentation_says() {
    let mut kept = deduplicator();
    assert!(kept.is_empty());
    for id in 0..30_000 {
        kept.add(id, &random_sketch(id), &Options::default()).unwrap();
    }
    assert!(!kept.is_empty());
    let each = kept.bytes() as f64 / 30_000.0;
    assert!((140.0..150.0).contains(&each), "{each} bytes a document");
    let before = kept.bytes();
    let mut expiring = kept.clone();
    let of_clone = expiring.bytes();
    let options = Options::default().expires_in(1);
    expiring.add(7, &random_sketch(7), &options).unwrap();
    assert!((7 * 30_000..10 * 30_000).contains(&(expiring.bytes() - of_clone)));
    let mut sketcher = Sketcher::default();
    for id in 0..1000 {
        let sketch = sketcher.sketch(&format!("short {id}"));
        kept.add(100_000 + id, &sketch, &Options::default()).unwrap();
    }
    assert!(kept.bytes() > before + 1000 * 80, "short texts take memory too");
    kept.clear();
    assert!(kept.is_empty());
    for sketch in [random_sketch(7), sketcher.sketch("short 7")] {
        assert_eq!(hit(&kept, &sketch, 0.0), None);
    }
    assert!(kept.bytes() < before / 2);
}

/// At every size, so that the record of the new document begins a page of memory too.
#[test]
fn a_replaced_document_comes_last() {
    let mut kept = deduplicator();
    for number in 0..2100 {
        kept.add(number, &random_sketch(number), &Options::default()).unwrap();
        let mut replaced = kept.clone();
        let other = random_sketch(number + 5000);
        replaced.add(number / 2, &other, &Options::default()).unwrap();
        assert_eq!(replaced.get(number / 2), Some(record(&other)));
        assert_eq!(replaced.ids().last(), Some(number / 2));
        assert_eq!(replaced.len(), kept.len());
    }
}

/// The documents of a crowd share all keys of their bands.
#[test]
fn equal_documents_are_found_in_a_crowd() {
    let crowded = |words: u64| {
        let mut random = Random(words << 32);
        sketch_of([4 * words, 7], &odd(|| random.below(u64::MAX), [200; 2], 0), &[9; 12])
    };
    let mut kept = deduplicator();
    for id in 0..2000 {
        kept.add(id, &crowded(id % 1000), &Options::default()).unwrap();
    }
    let found = |kept: &Deduplicator, id| kept.query(&crowded(id), 1, &Options::default()).unwrap();
    for id in (0..1000).rev() {
        assert_eq!(found(&kept, id), [Hit { id, resemblance: 1.0, is_provisional: false }]);
        assert!(kept.remove(id));
        assert_eq!(
            found(&kept, id),
            [Hit { id: id + 1000, resemblance: 1.0, is_provisional: false }]
        );
    }
}

#[test]
fn removed_copies_do_not_hide_a_kept_one() {
    let mut sketcher = Sketcher::default();
    let copy = sketcher.sketch(&text(20));
    for (before, after) in [(64, 64), (200, 1), (1, 200), (3000, 3000)] {
        let mut kept = Deduplicator::default();
        // Without others, the holes would be closed.
        for id in 0..before + after {
            let sketch = sketcher.sketch(&format!("short {id}"));
            kept.add(id, &sketch, &Options::default()).unwrap();
        }
        let (first, last) = (1_000_000, 1_000_000 + before + after);
        for id in first..=last {
            // Half of the copies end, and half are removed.
            let is_ending = id != first + before && id % 2 == 0;
            let options = Options::default().expires_in(is_ending.then_some(10));
            kept.add(id, &copy, &options).unwrap();
        }
        for id in (first..=last).filter(|&id| id != first + before && id % 2 == 1) {
            assert!(kept.remove(id));
        }
        kept.prune(10);
        let hits = kept.query(&copy, 1, &Options::default().now(10)).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [first + before]);
    }
}
