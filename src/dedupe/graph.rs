//! The graph of near-duplicates: the documents that share a key, verified.
//!
//! Equal documents are one *node*: the first of them. A node is compared with the first [`WINDOW`] nodes of each of its keys
//! and with the last ones before it: with all if a key has at most twice as many. So the number of comparisons is proportional
//! to the number of documents, whatever they are, and a family of any size stays connected: its members resemble the first
//! ones, and the members of a chain resemble their predecessors. A node keeps at most [`MAX_NEIGHBOURS`] of the nodes before it.
//!
//! Nodes are processed in their order, so that a pair is compared once, however many keys it shares.

use alloc::vec::Vec;

use super::{deduplicator::Deduplicator, options::Options};
use crate::{
    Error,
    rows::{
        columns::{collect, filled},
        slots::Slots,
    },
    sketch::{
        near::{check_min_resemblance, reaches},
        record::Record,
    },
};

/// The number of first nodes of a key that a node is compared with, and the number of nodes before it.
const WINDOW: usize = 32;

/// The maximum number of earlier neighbours of a node, and of pairs that a document adds.
pub(super) const MAX_NEIGHBOURS: usize = 128;

/// The number of earlier neighbours from which on a node is not compared with the nodes of a key that has more than two
/// [`WINDOW`]s. More neighbours take time, and connect a large family no better.
const MAX_NEIGHBOURS_OF_LARGE_KEYS: usize = 48;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// Adds an item to a list.
type Add<'a> = &'a mut dyn FnMut(u32, u32);

/// Lists of numbers, one after the other.
#[derive(Clone)]
pub(super) struct Lists {
    /// Where each list begins, and the end of the last one.
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    /// Distributes items over `len` lists. `each` calls its argument with the list and the item of each, in order, and is
    /// called twice.
    pub fn distribute(len: usize, each: &dyn Fn(Add<'_>)) -> Result<Self, Error> {
        let mut starts = filled(0, len + 1)?;
        each(&mut |list, _| starts[list as usize + 1] += 1);
        for at in 0..len {
            starts[at + 1] += starts[at];
        }
        let mut items = filled(0, starts[len])?;
        let mut ends = collect(len, starts[..len].iter().copied())?;
        each(&mut |list, item| {
            let end = &mut ends[list as usize];
            items[*end] = item;
            *end += 1;
        });
        Ok(Lists { starts, items })
    }

    /// Returns a list.
    pub fn get(&self, list: u32) -> &[u32] {
        &self.items[self.starts[list as usize]..self.starts[list as usize + 1]]
    }

    /// Returns the number of lists.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
}

/// The live documents of a deduplicator, by number in their order, and which of them are near each other.
#[derive(Clone)]
pub(super) struct Graph {
    pub documents: Vec<Document>,
    /// The documents of each node.
    equals: Lists,
    /// The neighbours of each node before it, in their order: at most [`MAX_NEIGHBOURS`].
    pub earlier: Lists,
}

/// A document of a graph.
#[derive(Clone)]
pub(super) struct Document {
    pub id: u64,
    /// Equal if documents are.
    pub equality: u128,
    /// The first document that is equal.
    node: u32,
    /// Its entry, until the set changes.
    entry: u32,
}

impl Graph {
    pub fn new(set: &Deduplicator, options: &Options) -> Result<Self, Error> {
        check_min_resemblance(options.min_resemblance)?;
        let documents = documents(set, options.now)?;
        let equals = Lists::distribute(documents.len(), &|add| {
            (0..).zip(&documents).for_each(|(number, document)| add(document.node, number));
        })?;
        let earlier = Lists { starts: Vec::new(), items: Vec::new() };
        let mut graph = Graph { documents, equals, earlier };
        let nodes_by_key = graph.nodes_by_key(set)?;
        graph.earlier = graph.compare(set, &nodes_by_key, options.min_resemblance)?;
        Ok(graph)
    }

    /// Returns the nodes under each key that several nodes have, in their order.
    fn nodes_by_key(&self, set: &Deduplicator) -> Result<Lists, Error> {
        let kept = &set.kept;
        let mut nodes = filled(NONE, kept.ids.end() as usize)?;
        for (number, document) in (0..).zip(&self.documents) {
            if document.node == number {
                nodes[document.entry as usize] = number;
            }
        }
        let (mut starts, mut items) = (Vec::new(), Vec::new());
        starts.try_reserve(1)?;
        starts.push(0);
        for run in kept.postings.shared_runs() {
            let start = items.len();
            items.try_reserve(run.len())?;
            let nodes = run.iter().map(|&item| nodes[kept.postings.entry(item) as usize]);
            items.extend(nodes.filter(|&node| node != NONE));
            if items.len() < start + 2 {
                items.truncate(start);
                continue;
            }
            starts.try_reserve(1)?;
            starts.push(items.len());
        }
        Ok(Lists { starts, items })
    }

    /// Returns the earlier neighbours of each node, given the nodes under each key.
    fn compare(
        &self,
        set: &Deduplicator,
        nodes_by_key: &Lists,
        min_resemblance: f64,
    ) -> Result<Lists, Error> {
        let keys_by_node = Lists::distribute(self.documents.len(), &|add| {
            for key in 0..nodes_by_key.len() {
                nodes_by_key.get(key).iter().for_each(|&node| add(node, key));
            }
        })?;
        // How many nodes of each key are processed, and the last node that each node was compared with.
        let mut processed = filled(0, nodes_by_key.len() as usize)?;
        let mut compared = filled(NONE, self.documents.len())?;
        let (mut starts, mut items) =
            (collect(self.documents.len() + 1, [0].into_iter())?, Vec::new());
        for node in 0..self.documents.len() as u32 {
            let start = items.len();
            let record = self.record(set, node);
            for &key in keys_by_node.get(node) {
                let processed: &mut usize = &mut processed[key as usize];
                let all = nodes_by_key.get(key);
                let is_large = all.len() > 2 * WINDOW;
                let max = if is_large { MAX_NEIGHBOURS_OF_LARGE_KEYS } else { MAX_NEIGHBOURS };
                let before = &all[..*processed];
                *processed += 1;
                let (first, rest) = before.split_at(before.len().min(WINDOW));
                for &other in first.iter().chain(&rest[rest.len().saturating_sub(WINDOW)..]) {
                    let last = core::mem::replace(&mut compared[other as usize], node);
                    if last == node || items.len() - start >= max {
                        continue;
                    }
                    let other_record = self.record(set, other);
                    let resemblance = record.resemblance(other_record);
                    if reaches(resemblance, record, other_record, min_resemblance) {
                        items.try_reserve(1)?;
                        let at = items[start..].partition_point(|&before| before < other);
                        items.insert(start + at, other);
                    }
                }
            }
            starts.push(items.len());
        }
        Ok(Lists { starts, items })
    }

    /// Returns the record of a document. The set has not changed.
    pub fn record<'a>(&self, set: &'a Deduplicator, document: u32) -> &'a Record {
        set.kept.record(self.documents[document as usize].entry)
    }

    /// Returns the later neighbours of each node, in their order.
    pub fn later(&self) -> Result<Lists, Error> {
        Lists::distribute(self.documents.len(), &|add| {
            for node in self.nodes() {
                self.earlier.get(node).iter().for_each(|&earlier| add(earlier, node));
            }
        })
    }

    /// Returns the neighbours of a node, the earlier ones first, given the [later](Self::later) ones.
    pub fn neighbours<'g>(&'g self, later: &'g Lists, node: u32) -> impl Iterator<Item = u32> {
        self.earlier.get(node).iter().chain(later.get(node)).copied()
    }

    /// Returns all nodes, in their order.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        (0..self.documents.len() as u32).filter(|&document| self.node(document) == document)
    }

    /// Returns the documents that equal a node, itself included, in their order.
    pub fn equals(&self, node: u32) -> &[u32] {
        self.equals.get(node)
    }

    pub fn node(&self, document: u32) -> u32 {
        self.documents[document as usize].node
    }
}

/// Returns the documents of a set that have not ended. Blank ones are in no pair.
fn documents(set: &Deduplicator, now: u64) -> Result<Vec<Document>, Error> {
    let kept = &set.kept;
    let mut documents: Vec<Document> = Vec::new();
    documents.try_reserve_exact(kept.ids.len())?;
    let mut nodes = Slots::default();
    let is_present = |entry: &u32| kept.is_live(*entry, now) && !kept.record(*entry).is_blank();
    for entry in kept.ids.iter().filter(is_present) {
        let number = documents.len() as u32;
        let equality = kept.record(entry).sequence.number();
        let equality_of = |node: u32| documents[node as usize].equality;
        let known = nodes.find(equality, equality_of);
        if known.is_none() {
            nodes.reserve(1, number, &equality_of)?;
            nodes.insert(equality, number, &equality_of)?;
        }
        let (id, node) = (kept.ids.id(entry), known.unwrap_or(number));
        documents.push(Document { id, equality, node, entry });
    }
    Ok(documents)
}
