//! All pairs of near-duplicates: the documents that share a key, verified.
//!
//! Equal documents are one *node*: the first of them. Of each key, all pairs of its documents are compared. A key has at most
//! 64 documents, so the number of comparisons is proportional to the number of documents, whatever they are. A node keeps at
//! most [`MAX_NEIGHBOURS`] that were kept before it.

use alloc::vec::Vec;
use core::fmt;

use super::{
    decide::reaches,
    deduplicator::{Deduplicator, Options, check_min_resemblance},
    postings::MAX_ENTRIES,
};
use crate::{
    Error,
    index::{
        columns::{collect, filled},
        slots::Slots,
    },
    sort::sort,
};

/// The maximum number of earlier neighbours of a node, and of pairs that a document adds.
const MAX_NEIGHBOURS: usize = 128;

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
    pub documents: Vec<Document>,
    /// The documents by node: the node in the high half, the document in the low half.
    by_node: Vec<u64>,
    /// The neighbours of each node, in their order: at most [`MAX_NEIGHBOURS`] earlier nodes, then the later ones if
    /// [`add_later`](Self::add_later) was called.
    pub neighbours: Vec<Vec<u32>>,
}

/// A document of a graph.
pub(super) struct Document {
    pub id: u64,
    /// Equal if documents are.
    equality: u128,
    /// The first document that is equal.
    pub node: u32,
}

/// A document under a key: its entry and its node.
#[derive(Clone, Copy)]
struct Filed {
    entry: u32,
    node: u32,
}

impl Graph {
    pub fn new(set: &Deduplicator, options: &Options) -> Result<Self, Error> {
        check_min_resemblance(options.min_resemblance)?;
        let kept = &set.kept;
        let mut documents: Vec<Document> = Vec::new();
        documents.try_reserve_exact(kept.ids.len())?;
        let mut nodes = Slots::default();
        // The number of the document of each entry; other entries keep a number that is not used. Blank documents are in no
        // pair.
        let mut numbers = filled(0, kept.ids.end() as usize)?;
        let is_present = |entry: &u32| {
            kept.is_live(*entry, options.now) && !kept.record(*entry).words.is_blank()
        };
        for entry in kept.ids.iter().filter(is_present) {
            let number = documents.len() as u32;
            let equality = kept.record(entry).equality();
            let equality_of = |node: u32| documents[node as usize].equality;
            let known = nodes.find(equality, equality_of);
            if known.is_none() {
                nodes.reserve(1, number, &equality_of)?;
                nodes.insert(equality, number, &equality_of)?;
            }
            let id = kept.ids.id(entry);
            numbers[entry as usize] = number;
            documents.push(Document { id, equality, node: known.unwrap_or(number) });
        }
        let key = |(at, document): (u64, &Document)| u64::from(document.node) << 32 | at;
        let mut by_node = collect(documents.len(), (0..).zip(&documents).map(key))?;
        sort(&mut by_node);
        let neighbours = filled(Vec::new(), documents.len())?;
        let mut graph = Graph { documents, by_node, neighbours };
        let mut filed = Vec::new();
        filed.try_reserve_exact(MAX_ENTRIES)?;
        for run in kept.postings.shared_runs() {
            filed.clear();
            let entries = run.iter().map(|&item| kept.postings.entry(item));
            let live = entries
                .filter(|&entry| kept.ids.is_listed(entry) && kept.is_live(entry, options.now));
            filed.extend(
                live.map(|entry| Filed { entry, node: graph.node(numbers[entry as usize]) }),
            );
            for (at, &b) in filed.iter().enumerate() {
                for &a in &filed[..at] {
                    graph.compare(set, a, b, options.min_resemblance)?;
                }
            }
        }
        Ok(graph)
    }

    /// Compares two documents, and adds the earlier node to the list of the other if they are near each other.
    #[inline]
    fn compare(
        &mut self,
        set: &Deduplicator,
        a: Filed,
        b: Filed,
        min_resemblance: f64,
    ) -> Result<(), Error> {
        let (earlier, later) = (a.node.min(b.node), a.node.max(b.node));
        let neighbours = &mut self.neighbours[later as usize];
        if earlier == later || neighbours.len() >= MAX_NEIGHBOURS {
            return Ok(());
        }
        let Err(at) = neighbours.binary_search(&earlier) else { return Ok(()) };
        let [first, second] = [a, b].map(|filed| set.kept.record(filed.entry));
        if reaches(first.resemblance(second), first, second, min_resemblance) {
            neighbours.try_reserve(1)?;
            neighbours.insert(at, earlier);
        }
        Ok(())
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
        (0..self.documents.len() as u32).filter(|&document| self.node(document) == document)
    }

    /// Returns the documents that equal a node, itself included.
    pub fn equals(&self, node: u32) -> impl ExactSizeIterator<Item = u32> {
        let start = self.by_node.partition_point(|&key| key >> 32 < node.into());
        let len = self.by_node[start..].iter().take_while(|&&key| key >> 32 == node.into()).count();
        self.by_node[start..start + len].iter().map(|&key| key as u32)
    }

    pub fn node(&self, document: u32) -> u32 {
        self.documents[document as usize].node
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
    /// Returns the next two documents, the earlier one first: the next document with equal earlier documents, and with all
    /// documents that equal earlier neighbours of its node.
    fn next(&mut self) -> Option<(u32, u32)> {
        let PairCursor { graph, next, found } = self;
        while found.is_empty() && *next < graph.documents.len() as u32 {
            let document = *next;
            *next += 1;
            let node = graph.node(document);
            let neighbours = graph.neighbours[node as usize].iter();
            let others = neighbours.flat_map(|&near| graph.equals(near));
            let before = graph.equals(node).take_while(|&equal| equal < document);
            let all = before.chain(others).take(MAX_NEIGHBOURS);
            found.extend(all.map(|other| (document.min(other), document.max(other))));
            found.reverse();
        }
        found.pop()
    }
}

impl Deduplicator {
    /// Returns all pairs of kept documents that resemble each other, each once. The order depends on the documents alone.
    /// [`Options::expires_in`] has no effect.
    ///
    /// Two documents are a pair if they share a key and their resemblance reaches the threshold: pairs are found as queries find
    /// documents. Each document adds at most 128 pairs: a thousand versions of one text give at most 128,000.
    ///
    /// O(n) time and memory for `n` documents, however similar they are.
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
    #[doc(hidden)]
    pub fn pair_cursor(&self, options: &Options) -> Result<PairCursor, Error> {
        let graph = Graph::new(self, options)?;
        let mut found = Vec::new();
        found.try_reserve_exact(MAX_NEIGHBOURS)?;
        Ok(PairCursor { graph, next: 0, found })
    }

    /// Advances a cursor of this deduplicator, and returns the next pair.
    ///
    /// Documents that are removed or replaced after the cursor was made are skipped, and added ones do not appear.
    #[doc(hidden)]
    pub fn next_pair(&self, cursor: &mut PairCursor) -> Option<Pair> {
        loop {
            let (a, b) = cursor.next()?;
            let [a, b] = [a, b].map(|document| &cursor.graph.documents[document as usize]);
            let record = |document: &Document| {
                let entry = self.kept.ids.find(document.id)?;
                Some(self.kept.record(entry))
                    .filter(|record| record.equality() == document.equality)
            };
            let (Some(first), Some(second)) = (record(a), record(b)) else { continue };
            return Some(Pair {
                a: a.id,
                b: b.id,
                resemblance: first.resemblance(second),
                distance: first.distance(second),
            });
        }
    }
}
