//! Clusters of near-duplicates by resemblance: stars and connected components.
//!
//! Components are found by union-find with path halving (Tarjan and van Leeuwen, "Worst-Case Analysis of Set Union
//! Algorithms", Journal of the ACM 1984).

use alloc::{collections::TryReserveError, vec::Vec};
use core::{cmp::Reverse, iter::FusedIterator, ops::Range};

use super::{
    deduplicator::Deduplicator,
    graph::{Graph, Lists, NONE},
    options::Options,
};
use crate::{
    Error,
    rows::columns::{collect, filled},
    sketch::near::reaches,
    sort::sort,
};

/// How documents form clusters: see [`Deduplicator::clusters`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Linkage {
    /// Every member reaches the threshold with the representative. No chains form. The default.
    #[default]
    Star,
    /// Connected components: two documents that are a pair are always in one cluster, so chains can form.
    Single,
}

/// A document of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Member {
    /// The id of the document.
    pub id: u64,
    /// Its estimated resemblance to the cluster's representative, from 0 to 1.
    pub resemblance: f64,
}

/// Clusters of documents: see [`Deduplicator::clusters`].
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
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
    pub fn iter(&self) -> ClustersIter<'_> {
        ClustersIter { clusters: self, indices: 0..self.len() }
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

/// The members of each of some [`Clusters`]: see [`Clusters::iter`].
#[derive(Clone, Debug)]
#[must_use]
pub struct ClustersIter<'a> {
    clusters: &'a Clusters,
    indices: Range<usize>,
}

impl<'a> Iterator for ClustersIter<'a> {
    type Item = &'a [Member];

    fn next(&mut self) -> Option<Self::Item> {
        self.clusters.get(self.indices.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl DoubleEndedIterator for ClustersIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.clusters.get(self.indices.next_back()?)
    }
}

impl ExactSizeIterator for ClustersIter<'_> {}
impl FusedIterator for ClustersIter<'_> {}

impl<'a> IntoIterator for &'a Clusters {
    type Item = &'a [Member];
    type IntoIter = ClustersIter<'a>;

    fn into_iter(self) -> ClustersIter<'a> {
        self.iter()
    }
}

impl Deduplicator {
    /// Returns the clusters of two or more documents: the largest first, ties in the order of their first documents. The
    /// first member is the representative; the others follow in the order of addition. [`Options::expires_in`] has no
    /// effect.
    ///
    /// - [`Linkage::Star`]: documents are processed in descending order of their number of [`pairs`](Self::pairs), ties in
    ///   the order of addition. A document without a cluster is compared with the representatives of its partners, and joins
    ///   the most similar one that reaches the threshold. If there is none, it becomes a representative, and its partners without a
    ///   cluster join it. So every member reaches the threshold with its representative. A document of a pair is always in a
    ///   cluster: if it resembles no representative, one of its partners leaves its own cluster and becomes its representative.
    /// - [`Linkage::Single`]: two documents that are a pair are always in one cluster. Clusters can be long chains. The
    ///   representative has the most pairs.
    ///
    /// Equal documents are always in one cluster, and all of them count. O(n log n) time and O(n) memory for `n` documents,
    /// however similar they are: not all pairs of a large group are compared.
    ///
    /// ```
    /// use nearprint::dedupe::{Deduplicator, Linkage, Options, Sketcher};
    ///
    /// let mut sketcher = Sketcher::default();
    /// let mut kept = Deduplicator::new(*sketcher.scheme())?;
    /// for (id, text) in [(1, "Good news"), (2, "Bad news"), (3, "GOOD NEWS!")] {
    ///     kept.add(id, &sketcher.sketch(text), &Options::default())?;
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
        let graph = Graph::new(self, options)?;
        let degrees = degrees(&graph)?;
        // Nodes are processed in ascending rank.
        let rank = |node: u32| u64::from(!degrees[node as usize]) << 32 | u64::from(node);
        let representatives = match linkage {
            Linkage::Star => Stars::new(self, &graph, options.min_resemblance)?.form(&rank)?,
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
        let record = |document| graph.record(self, document);
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
    let size = |node: u32| graph.equals(node).len() as u32;
    let mut degrees = filled(0, graph.documents.len())?;
    for node in graph.nodes() {
        degrees[node as usize] += size(node) - 1;
        for &earlier in graph.earlier.get(node) {
            degrees[node as usize] += size(earlier);
            degrees[earlier as usize] += size(node);
        }
    }
    Ok(degrees)
}

/// The maximum number of representatives that a node is compared with.
const MAX_REPRESENTATIVES: usize = 16;

/// Clusters whose members resemble the representative.
struct Stars<'a> {
    set: &'a Deduplicator,
    graph: &'a Graph,
    min_resemblance: f64,
    later: Lists,
    /// The representative of each node, [`NONE`] as long as it has none.
    representatives: Vec<u32>,
    /// The last node that each representative was compared with.
    compared: Vec<u32>,
}

impl<'a> Stars<'a> {
    fn new(set: &'a Deduplicator, graph: &'a Graph, min_resemblance: f64) -> Result<Self, Error> {
        let len = graph.documents.len();
        let (representatives, compared) = (filled(NONE, len)?, filled(NONE, len)?);
        Ok(Stars { set, graph, min_resemblance, later: graph.later()?, representatives, compared })
    }

    /// Returns the representative of each node.
    fn form(mut self, rank: &dyn Fn(u32) -> u64) -> Result<Vec<u32>, Error> {
        let mut ranks = collect(self.graph.nodes().count(), self.graph.nodes().map(rank))?;
        sort(&mut ranks);
        for node in ranks.iter().map(|&rank| rank as u32) {
            if self.representative(node) == NONE {
                match self.best_representative(node) {
                    Some(known) => self.representatives[node as usize] = known,
                    None => self.represent(node),
                }
            }
        }
        self.join_remaining(&ranks)?;
        Ok(self.representatives)
    }

    fn representative(&self, node: u32) -> u32 {
        self.representatives[node as usize]
    }

    /// Makes a node the representative of its neighbours that have none.
    fn represent(&mut self, node: u32) {
        self.representatives[node as usize] = node;
        for member in self.graph.neighbours(&self.later, node) {
            let representative = &mut self.representatives[member as usize];
            if *representative == NONE {
                *representative = node;
            }
        }
    }

    /// Returns the representative of a neighbour that a node resembles, if there is one: the most similar one of the first
    /// [`MAX_REPRESENTATIVES`].
    fn best_representative(&mut self, node: u32) -> Option<u32> {
        let record = self.graph.record(self.set, node);
        let (mut best, mut count) = (None, 0);
        for near in self.graph.neighbours(&self.later, node) {
            let other = self.representatives[near as usize];
            if other == NONE || core::mem::replace(&mut self.compared[other as usize], node) == node
            {
                continue;
            }
            let candidate = self.graph.record(self.set, other);
            let resemblance = record.resemblance(candidate);
            if reaches(resemblance, record, candidate, self.min_resemblance)
                && best.is_none_or(|(best, _)| best < resemblance)
            {
                best = Some((resemblance, other));
            }
            count += 1;
            if count == MAX_REPRESENTATIVES {
                break;
            }
        }
        best.map(|(_, representative)| representative)
    }

    /// Gives each document that is in no cluster a representative if it is in a pair. One of its neighbours leaves its cluster to
    /// become the representative.
    fn join_remaining(&mut self, ranks: &[u64]) -> Result<(), Error> {
        let len = self.representatives.len();
        let (mut sizes, mut demand) = (filled(0, len)?, filled(0, len)?);
        for node in self.graph.nodes() {
            sizes[self.representative(node) as usize] += self.graph.equals(node).len();
        }
        for node in self.graph.nodes().filter(|&node| self.is_alone(node, &sizes)) {
            let neighbours = self.graph.neighbours(&self.later, node);
            neighbours.for_each(|near| demand[near as usize] += 1);
        }
        for node in ranks.iter().map(|&rank| rank as u32) {
            if self.is_alone(node, &sizes) {
                self.join(node, &mut sizes, &demand);
            }
        }
        Ok(())
    }

    /// Returns whether a document is in no cluster.
    fn is_alone(&self, node: u32, sizes: &[usize]) -> bool {
        self.representative(node) == node && sizes[node as usize] == 1
    }

    /// Gives a document a representative: the best one that its neighbours have by now, or else the neighbour that most documents
    /// without a cluster have in common (`demand`), ties going to the smallest cluster. That neighbour leaves its cluster, whose
    /// representative joins too if it is alone then.
    fn join(&mut self, node: u32, sizes: &mut [usize], demand: &[u32]) {
        let known = self.best_representative(node);
        let rank = |&near: &u32| {
            (Reverse(demand[near as usize]), sizes[self.representative(near) as usize])
        };
        let neighbours = self.graph.neighbours(&self.later, node);
        let Some(center) = known.or_else(|| neighbours.min_by_key(rank)) else { return };
        let before = self.representative(center);
        if before != center {
            let size = self.graph.equals(center).len();
            sizes[before as usize] -= size;
            sizes[center as usize] = size;
            self.representatives[center as usize] = center;
            if sizes[before as usize] == 1 {
                self.representatives[before as usize] = center;
                sizes[center as usize] += 1;
            }
        }
        self.representatives[node as usize] = center;
        sizes[center as usize] += 1;
    }
}

/// Returns the node of the lowest rank in each node's component.
fn single(graph: &Graph, rank: &dyn Fn(u32) -> u64) -> Result<Vec<u32>, Error> {
    let mut components = Components::new(graph.documents.len())?;
    for node in graph.nodes() {
        for &neighbour in graph.earlier.get(node) {
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
