//! Clusters of near-duplicates by resemblance: stars and connected components.
//!
//! Components are found by union-find with path halving (Tarjan and van Leeuwen, "Worst-Case Analysis of Set Union
//! Algorithms", Journal of the ACM 1984).

use alloc::{collections::TryReserveError, vec::Vec};

use super::{
    deduplicator::{Deduplicator, Options},
    pairs::Graph,
};
use crate::{
    Error,
    index::columns::{collect, filled},
    sort::sort,
};

/// How documents form clusters: see [`Deduplicator::clusters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Every member reaches the threshold with the representative. No chains form.
    Star,
    /// Connected components: two documents that are a pair are always in one cluster, so chains can form.
    Single,
}

/// A document of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The id of the document.
    pub id: u64,
    /// Its estimated resemblance to the cluster's representative, from 0 to 1.
    pub resemblance: f64,
}

/// Clusters of documents: see [`Deduplicator::clusters`].
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    members: Vec<Member>,
    /// Where each cluster ends in `members`.
    ends: Vec<usize>,
}

impl Clusters {
    /// Creates an empty list with capacity for this number of members.
    fn with_capacity(members: usize) -> Result<Self, TryReserveError> {
        let mut clusters = Clusters { members: Vec::new(), ends: Vec::new() };
        clusters.members.try_reserve_exact(members)?;
        Ok(clusters)
    }

    /// Adds a cluster, for whose members there is capacity.
    fn push(&mut self, members: impl Iterator<Item = Member>) -> Result<(), TryReserveError> {
        self.ends.try_reserve(1)?;
        self.members.extend(members);
        self.ends.push(self.members.len());
        Ok(())
    }

    /// Returns the members of each cluster.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[Member]> + ExactSizeIterator {
        (0..self.len()).map(|at| self.get(at).unwrap_or_default())
    }

    /// Returns the members of cluster `at`, counted from 0.
    pub fn get(&self, at: usize) -> Option<&[Member]> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        Some(&self.members[start..*self.ends.get(at)?])
    }

    /// Returns the number of clusters.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether `len` is 0.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl Deduplicator {
    /// Returns the clusters of two or more documents: the largest first, ties in the order of their first documents. The
    /// first member is the representative; the others follow in the order of addition. [`Options::expires_in`] has no
    /// effect.
    ///
    /// - [`Linkage::Star`]: documents are processed in descending order of their number of [`pairs`](Self::pairs), ties in
    ///   the order of addition. A document not in a cluster yet becomes a representative, and its partners that are not in a
    ///   cluster yet join it. So every member reaches the threshold with its representative.
    /// - [`Linkage::Single`]: two documents that are a pair are always in one cluster. Clusters can be long chains. The
    ///   representative has the most pairs.
    ///
    /// Equal documents are always in one cluster, and all of them count. O(n log n) time and O(n) memory for `n` documents:
    /// not all pairs of a large group are compared, so the group may be split into several stars.
    ///
    /// ```
    /// use nearprint::{Deduplicator, Fingerprinter, dedupe::{Linkage, Options}};
    ///
    /// let mut fingerprinter = Fingerprinter::default();
    /// let mut kept = Deduplicator::new(*fingerprinter.scheme())?;
    /// for (id, text) in [(1, "Good news"), (2, "Bad news"), (3, "GOOD NEWS!")] {
    ///     kept.add(id, &fingerprinter.sketch(text), &Options::default())?;
    /// }
    /// let clusters = kept.clusters(Linkage::Star, &Options::default())?;
    /// let ids = |members: &[nearprint::dedupe::Member]| members.iter().map(|member| member.id).collect::<Vec<_>>();
    /// assert_eq!(clusters.iter().map(ids).collect::<Vec<_>>(), [[1, 3]]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The threshold is out of range, or there is not enough memory.
    pub fn clusters(&self, linkage: Linkage, options: &Options) -> Result<Clusters, Error> {
        let mut graph = Graph::new(self, options)?;
        graph.add_later()?;
        let degrees = degrees(&graph)?;
        // Nodes are processed in ascending rank.
        let rank = |node: u32| u64::from(!degrees[node as usize]) << 32 | u64::from(node);
        let representatives = match linkage {
            Linkage::Star => star(&graph, &rank)?,
            Linkage::Single => single(&graph, &rank)?,
        };
        self.gather(&graph, &representatives)
    }

    /// Returns the clusters, given the representative of each node.
    fn gather(&self, graph: &Graph, representatives: &[u32]) -> Result<Clusters, Error> {
        let id = |document: u32| graph.documents[document as usize].id;
        let representative = |document| representatives[graph.node(document) as usize];
        // The high half of a key is the representative, the low half the document.
        let count = graph.documents.len();
        let key = |document| u64::from(representative(document)) << 32 | u64::from(document);
        let mut keys = collect(count, (0..count as u32).map(key))?;
        sort(&mut keys);
        // Orders the clusters by size, the largest first, and then by their first documents.
        let mut order = Vec::new();
        for cluster in keys.chunk_by(|a, b| a >> 32 == b >> 32).filter(|keys| keys.len() > 1) {
            order.try_reserve(1)?;
            order.push(u64::from(!(cluster.len() as u32)) << 32 | cluster[0] & u64::from(u32::MAX));
        }
        sort(&mut order);
        let record = |document| {
            let entry = self.kept.ids.find(id(document));
            self.kept.record(entry.expect("the document is kept"))
        };
        let mut clusters = Clusters::with_capacity(keys.len())?;
        for (size, first) in order.iter().map(|&cluster| (!(cluster >> 32) as u32, cluster as u32))
        {
            let first_key = key(first);
            let start = keys.partition_point(|&key| key < first_key);
            let center = representative(first);
            let members = keys[start..][..size as usize].iter().map(|&key| key as u32);
            let others = members.filter(|&document| document != center);
            clusters.push(core::iter::once(center).chain(others).map(|document| {
                let resemblance = record(center).resemblance(record(document));
                Member { id: id(document), resemblance }
            }))?;
        }
        Ok(clusters)
    }
}

/// Returns for each node the number of pairs that each of its documents is in.
fn degrees(graph: &Graph) -> Result<Vec<u32>, Error> {
    let mut degrees = filled(0, graph.documents.len())?;
    for node in graph.nodes() {
        let size = |node: u32| graph.equals(node).len() as u32;
        let neighbours = graph.neighbours[node as usize].iter();
        degrees[node as usize] = size(node) - 1 + neighbours.copied().map(size).sum::<u32>();
    }
    Ok(degrees)
}

/// Returns the representative of each node.
fn star(graph: &Graph, rank: &dyn Fn(u32) -> u64) -> Result<Vec<u32>, Error> {
    const NONE: u32 = u32::MAX;
    let mut ranks = collect(graph.nodes().count(), graph.nodes().map(rank))?;
    sort(&mut ranks);
    let mut representatives = filled(NONE, graph.documents.len())?;
    for node in ranks.into_iter().map(|rank| rank as u32) {
        if representatives[node as usize] == NONE {
            for &member in graph.neighbours[node as usize].iter().chain([&node]) {
                if representatives[member as usize] == NONE {
                    representatives[member as usize] = node;
                }
            }
        }
    }
    Ok(representatives)
}

/// Returns the node of the lowest rank in each node's component.
fn single(graph: &Graph, rank: &dyn Fn(u32) -> u64) -> Result<Vec<u32>, Error> {
    let mut components = Components::new(graph.documents.len())?;
    for node in graph.nodes() {
        for &neighbour in &graph.neighbours[node as usize] {
            components.join(node, neighbour);
        }
    }
    let mut representatives = components.firsts();
    let mut lowest = filled(u64::MAX, representatives.len())?;
    for node in graph.nodes() {
        let lowest: &mut u64 = &mut lowest[representatives[node as usize] as usize];
        *lowest = rank(node).min(*lowest);
    }
    representatives.iter_mut().for_each(|first| *first = lowest[*first as usize] as u32);
    Ok(representatives)
}

/// A union-find structure over numbers: each links to an earlier one of its component, the first to itself.
struct Components(Vec<u32>);

impl Components {
    /// Returns a structure with every number below `end` in a component of its own.
    fn new(end: usize) -> Result<Self, TryReserveError> {
        collect(end, 0..end as u32).map(Components)
    }

    fn root(&mut self, mut number: u32) -> u32 {
        let Components(first) = self;
        while first[number as usize] != number {
            // Path halving.
            first[number as usize] = first[first[number as usize] as usize];
            number = first[number as usize];
        }
        number
    }

    /// Joins the components of two numbers.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Returns the first number of each number's component.
    fn firsts(mut self) -> Vec<u32> {
        for number in 0..self.0.len() as u32 {
            self.0[number as usize] = self.root(number);
        }
        self.0
    }
}
