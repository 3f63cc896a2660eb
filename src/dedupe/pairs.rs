//! All pairs of near-duplicates: a self-join by MinHash.
//!
//! A query examines buckets near a fingerprint, in an order that the text's margins direct. A deduplicator does not keep
//! margins, and without them a query finds fewer documents. The join needs none, and compares documents in the order of
//! memory:
//!
//! 1. Equal documents are one *node*: the first of them.
//! 2. The nodes are sorted by their MinHashes [`ROTATIONS`] times, each time starting at another bin. Near-duplicates agree
//!    in most bins, so in some order enough leading bins agree to bring them close together. Each node is compared with the
//!    [`WINDOW`] nodes before it, and with up to [`MAX_VERIFIED`] that agree with it in [`RUN_BINS`] bins (the sorted
//!    neighbourhood method: Hernández and Stolfo, *The Merge/Purge Problem*, SIGMOD 1995).
//! 3. Among thousands of versions of one text, no node gets many neighbours this way. So all nodes that agree in the first
//!    [`HUB_BINS`] bins of an order are also compared with the [`HUBS`] of them that were kept first.
//! 4. The search for neighbours of a node ends at [`MAX_VERIFIED`] that were kept before it.
//!
//! The number of comparisons is proportional to the number of documents, whatever they are.

use alloc::vec::Vec;
use core::fmt;

use super::{
    deduplicator::{Deduplicator, Options, Place, check_min_resemblance},
    long::{Long, MAX_VERIFIED},
    search::MAX_DISTANCE,
    sketch::reaches,
};
use crate::{
    Error,
    hash::hamming::distance,
    index::{columns::filled, entries::Entries},
    simhash::minhash::BINS,
};

/// The number of sort orders. The bins at which they start are evenly spread.
const ROTATIONS: usize = 16;

/// The number of preceding nodes that a node is compared with in each order.
const WINDOW: usize = 16;

/// The number of leading bins that must agree for comparisons beyond [`WINDOW`].
const RUN_BINS: u32 = 8;

/// The numbers of leading bins in which nodes agree with their hubs.
const HUB_BINS: [u32; 4] = [4, 8, 16, 32];

const HUBS: usize = 4;

/// Two kept documents that resemble each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The id of the document that was kept first.
    pub a: u64,
    /// The id of the other.
    pub b: u64,
    /// The estimated resemblance, from 0 to 1.
    pub resemblance: f64,
    /// The number of bits in which the fingerprints differ.
    pub distance: u32,
}

/// The live documents of a deduplicator, by number in their order, and which of them are near each other.
pub(super) struct Graph {
    /// The documents. The key is equal if documents are, and the first document of a key is the node.
    pub documents: Entries,
    /// The neighbours of each node, in their order: at most [`MAX_VERIFIED`] earlier nodes, then the later ones if
    /// [`add_later`](Self::add_later) was called.
    pub neighbours: Vec<Vec<u32>>,
}

impl Graph {
    pub fn new(kept: &Deduplicator, options: &Options) -> Result<Self, Error> {
        check_min_resemblance(options.min_resemblance)?;
        let long = &kept.long;
        let mut documents = Entries::default();
        let mut nodes = Vec::new();
        for place in kept.places().filter(|&place| kept.is_live(place, options.now)) {
            let number = documents.end();
            let is_new = documents.push(kept.id(place), kept.content(place).key(), 1, None)?;
            if let (true, Place::Long(entry)) = (is_new, place) {
                nodes.try_reserve(1)?;
                let fingerprint = long.fingerprint(entry);
                nodes.push(Node { key: [0; 2], fingerprint, number, entry });
            }
        }
        let neighbours = filled(Vec::new(), documents.end() as usize)?;
        let min_resemblance = options.min_resemblance;
        let mut join = Join { long, min_resemblance, nodes, neighbours };
        for rotation in 0..ROTATIONS {
            join.rotate(rotation)?;
        }
        Ok(Graph { documents, neighbours: join.neighbours })
    }

    /// Adds the later neighbours of each node to its list.
    pub fn add_later(&mut self) -> Result<(), Error> {
        for node in 0..self.neighbours.len() {
            // The list of this node still has only earlier nodes.
            for at in 0..self.neighbours[node].len() {
                let earlier = self.neighbours[node][at] as usize;
                self.neighbours[earlier].try_reserve(1)?;
                self.neighbours[earlier].push(node as u32);
            }
        }
        Ok(())
    }

    /// Returns all nodes, in their order.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.documents.iter().filter(|&document| self.node(document) == document)
    }

    /// Returns the documents that equal a node, itself included.
    pub fn equals(&self, node: u32) -> impl ExactSizeIterator<Item = u32> {
        let group = self.documents.group(self.documents.fingerprint(node));
        self.documents.members(group.expect("every document is in a group"))
    }

    pub fn node(&self, document: u32) -> u32 {
        let group = self.documents.group(self.documents.fingerprint(document));
        self.documents.head(group.expect("every document is in a group"))
    }
}

/// A node in the order of a rotation.
#[derive(Clone, Copy)]
struct Node {
    /// The next 64 bins, the first in the highest bits.
    key: [u64; 2],
    fingerprint: u64,
    number: u32,
    /// Its entry among the documents that are not short.
    entry: u32,
}

impl Node {
    /// Returns the first bins of the key.
    fn start(&self, bins: u32) -> u64 {
        self.key[0] >> (64 - 2 * bins)
    }
}

/// The join in progress.
struct Join<'a> {
    long: &'a Long,
    min_resemblance: f64,
    nodes: Vec<Node>,
    neighbours: Vec<Vec<u32>>,
}

impl Join<'_> {
    /// Sorts the nodes by their bins, starting at a rotation, and compares nodes that are close to each other.
    fn rotate(&mut self, rotation: usize) -> Result<(), Error> {
        for node in &mut self.nodes {
            let minhash = &self.long.record(node.entry).minhash;
            node.key = minhash.rotated(rotation * BINS / ROTATIONS);
        }
        self.nodes.sort_unstable_by_key(|node| (node.key, node.number));
        let nodes = core::mem::take(&mut self.nodes);
        for bins in HUB_BINS {
            let runs = nodes.chunk_by(|a, b| a.start(bins) == b.start(bins));
            for run in runs.filter(|run| run.len() > WINDOW) {
                self.compare_with_hubs(run)?;
            }
        }
        for (at, node) in nodes.iter().enumerate() {
            for (distance, other) in nodes[..at].iter().rev().take(MAX_VERIFIED).enumerate() {
                if distance >= WINDOW && other.start(RUN_BINS) != node.start(RUN_BINS) {
                    break;
                }
                self.compare(other, node)?;
            }
        }
        self.nodes = nodes;
        Ok(())
    }

    /// Compares nodes with the [`HUBS`] of them that were kept first.
    fn compare_with_hubs(&mut self, nodes: &[Node]) -> Result<(), Error> {
        let mut hubs = [nodes[0]; HUBS];
        for (at, &node) in nodes.iter().enumerate() {
            let place = hubs[..at.min(HUBS)].partition_point(|hub| hub.number < node.number);
            if place < HUBS {
                hubs.copy_within(place..HUBS - 1, place + 1);
                hubs[place] = node;
            }
        }
        for node in nodes {
            for hub in hubs.iter().filter(|hub| hub.number < node.number) {
                self.compare(hub, node)?;
            }
        }
        Ok(())
    }

    /// Compares two nodes, and adds the earlier one to the list of the other if they are near each other.
    #[inline]
    fn compare(&mut self, a: &Node, b: &Node) -> Result<(), Error> {
        if distance(a.fingerprint, b.fingerprint) > MAX_DISTANCE {
            return Ok(());
        }
        let (earlier, later) = (a.number.min(b.number), a.number.max(b.number));
        let neighbours = &mut self.neighbours[later as usize];
        if neighbours.len() >= MAX_VERIFIED {
            return Ok(());
        }
        let [first, second] = [a, b].map(|node| self.long.record(node.entry));
        let estimate = first.minhash.estimate(&second.minhash);
        if reaches(&estimate, first.words, second.words, self.min_resemblance)
            && let Err(at) = neighbours.binary_search(&earlier)
        {
            neighbours.try_reserve(1)?;
            neighbours.insert(at, earlier);
        }
        Ok(())
    }
}

/// A position among the pairs of a deduplicator: see [`Deduplicator::pair_cursor`].
pub struct PairCursor {
    graph: Graph,
    /// The next document whose pairs are to be found.
    next: u32,
    /// Pairs that have been found but not returned, the next one last.
    found: Vec<(u32, u32)>,
}

impl fmt::Debug for PairCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairCursor").finish_non_exhaustive()
    }
}

impl PairCursor {
    /// Returns the next two documents, the earlier one first.
    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(pair) = self.found.pop() {
                return Some(pair);
            }
            if self.next == self.graph.documents.end() {
                return None;
            }
            self.find();
            self.next += 1;
        }
    }

    /// Finds the pairs of the next document with equal earlier documents, and with all documents that equal earlier
    /// neighbours of its node.
    fn find(&mut self) {
        let PairCursor { ref graph, next, ref mut found } = *self;
        let node = graph.node(next);
        let others = graph.neighbours[node as usize].iter().flat_map(|&near| graph.equals(near));
        let before = graph.equals(node).take_while(|&equal| equal < next);
        let all = before.chain(others).take(MAX_VERIFIED);
        found.extend(all.map(|other| (next.min(other), next.max(other))));
        found.reverse();
    }
}

impl Deduplicator {
    /// Returns all pairs of kept documents that resemble each other, each once. The order depends on the documents alone.
    /// [`Options::expires_in`] has no effect.
    ///
    /// Two documents are a pair if their resemblance reaches the threshold and their fingerprints differ in at most 16 bits.
    /// Almost all pairs are found, more than by queries. Each document adds at most 128 pairs: a thousand versions of one
    /// text give at most 128,000.
    ///
    /// O(n log n) time and O(n) memory for `n` documents, however similar they are.
    ///
    /// ```
    /// use nearprint::{Deduplicator, Fingerprinter, dedupe::Options};
    ///
    /// let mut fingerprinter = Fingerprinter::default();
    /// let mut kept = Deduplicator::new(*fingerprinter.scheme())?;
    /// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
    /// for (id, text) in [(1, text), (2, "Good news"), (3, &text.replace("week", "day"))] {
    ///     kept.add(id, &fingerprinter.sketch(text), &Options::default())?;
    /// }
    /// let pairs = kept.pairs(&Options::default())?;
    /// assert_eq!(pairs.map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(1, 3)]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The threshold is out of range, or there is not enough memory.
    pub fn pairs<'a>(
        &'a self,
        options: &Options,
    ) -> Result<impl Iterator<Item = Pair> + use<'a>, Error> {
        let mut cursor = self.pair_cursor(options)?;
        Ok(core::iter::from_fn(move || self.next_pair(&mut cursor)))
    }

    /// Returns a cursor over the [`pairs`](Self::pairs), for a caller that cannot keep a reference to the deduplicator.
    ///
    /// # Errors
    /// The errors of [`pairs`](Self::pairs).
    pub fn pair_cursor(&self, options: &Options) -> Result<PairCursor, Error> {
        let graph = Graph::new(self, options)?;
        let mut found = Vec::new();
        found.try_reserve_exact(MAX_VERIFIED)?;
        Ok(PairCursor { graph, next: 0, found })
    }

    /// Advances a cursor of this deduplicator, and returns the next pair.
    ///
    /// Documents that are removed or replaced after the cursor was made are skipped, and added ones do not appear.
    pub fn next_pair(&self, cursor: &mut PairCursor) -> Option<Pair> {
        loop {
            let (a, b) = cursor.next()?;
            let documents = &cursor.graph.documents;
            let content = |document| {
                let content = self.content_of(documents.id(document))?;
                (content.key() == documents.fingerprint(document)).then_some(content)
            };
            let (Some(first), Some(second)) = (content(a), content(b)) else { continue };
            return Some(Pair {
                a: documents.id(a),
                b: documents.id(b),
                resemblance: first.resemblance(&second).resemblance(),
                distance: distance(first.fingerprint, second.fingerprint),
            });
        }
    }
}
