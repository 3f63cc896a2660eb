//! Clusters of near-duplicates by resemblance.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{
    deduplicator::{Deduplicator, Options},
    pairs::Graph,
};
use crate::{
    Error,
    index::{
        cluster::{Clusters, Components, Linkage},
        columns::filled,
    },
};

/// A document of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The id of the document.
    pub id: u64,
    /// Its estimated resemblance to the cluster's representative, from 0 to 1.
    pub resemblance: f64,
}

impl Deduplicator {
    /// Returns the clusters of two or more documents: the largest first, equally large ones in the order of their first
    /// documents. The first member is the representative, and the others follow in their order. Of [`Options`], `expires_in`
    /// has no effect.
    ///
    /// - [`Linkage::Star`]: documents are taken in descending order of their number of [`pairs`](Self::pairs), of equal ones
    ///   the first kept first. Each that is not in a cluster yet becomes a representative, and takes the documents that are
    ///   a pair with it and not in a cluster yet. So every member reaches the threshold with its representative.
    /// - [`Linkage::Single`]: two documents that are a pair are always in one cluster. Clusters can be long chains. The
    ///   representative has the most pairs.
    ///
    /// Equal documents are always in one cluster, and all of them count. Time and memory are proportional to the number of
    /// documents, however similar they are. So not all pairs of a large family are known, and it may make several stars.
    ///
    /// ```
    /// use nearprint::{Deduplicator, Fingerprinter, dedupe::Options, index::Linkage};
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
    /// A threshold out of range, or too little memory.
    pub fn clusters(&self, linkage: Linkage, options: &Options) -> Result<Clusters<Member>, Error> {
        let mut graph = Graph::new(self, options)?;
        let degrees = degrees(&graph)?;
        // Whether a node is taken before another.
        let is_before = |a: u32, b: u32| (degrees[b as usize], a) < (degrees[a as usize], b);
        let representatives = match linkage {
            Linkage::Star => star(&mut graph, &is_before)?,
            Linkage::Single => single(&graph, &is_before)?,
        };
        self.gather(&graph, &representatives)
    }

    /// Returns the clusters of representatives of nodes.
    fn gather(&self, graph: &Graph, representatives: &[u32]) -> Result<Clusters<Member>, Error> {
        let documents = &graph.documents;
        let all = || documents.iter().map(|at| (at, representatives[graph.node(at) as usize]));
        let mut sizes = filled(0_u32, representatives.len())?;
        let mut firsts = filled(0, representatives.len())?;
        for (document, representative) in all() {
            let representative = representative as usize;
            if sizes[representative] == 0 {
                firsts[representative] = document;
            }
            sizes[representative] += 1;
        }
        let is_cluster = |&(_, representative): &(u32, u32)| sizes[representative as usize] > 1;
        let mut order = Vec::new();
        order.try_reserve_exact(all().filter(is_cluster).count())?;
        order.extend(all().filter(is_cluster));
        order.sort_unstable_by_key(|&(document, representative)| {
            let (size, first) = (sizes[representative as usize], firsts[representative as usize]);
            (Reverse(size), first, document != representative, document)
        });
        let content = |document| self.content_of(documents.id(document)).expect("it is kept");
        let (mut members, mut ends) = (Vec::new(), Vec::new());
        members.try_reserve_exact(order.len())?;
        for cluster in order.chunk_by(|(_, a), (_, b)| a == b) {
            let representative = content(cluster[0].0);
            for &(document, _) in cluster {
                let resemblance = representative.resemblance(&content(document)).resemblance();
                members.push(Member { id: documents.id(document), resemblance });
            }
            ends.try_reserve(1)?;
            ends.push(members.len());
        }
        Ok(Clusters { members, ends })
    }
}

/// The number of documents that a document of each node is a pair with.
fn degrees(graph: &Graph) -> Result<Vec<u32>, Error> {
    let mut degrees = filled(0, graph.documents.end() as usize)?;
    for node in graph.nodes() {
        let equal = graph.equals(node).len() as u32;
        degrees[node as usize] += equal - 1;
        for neighbour in graph.neighbours.of(node) {
            degrees[node as usize] += graph.equals(neighbour).len() as u32;
            degrees[neighbour as usize] += equal;
        }
    }
    Ok(degrees)
}

/// The representative of each node.
fn star(graph: &mut Graph, is_before: &dyn Fn(u32, u32) -> bool) -> Result<Vec<u32>, Error> {
    let order = |&a: &u32, &b: &u32| is_before(b, a).cmp(&is_before(a, b));
    graph.neighbours.reorder(is_before)?;
    let mut nodes = Vec::new();
    nodes.try_reserve_exact(graph.documents.distinct())?;
    nodes.extend(graph.nodes());
    nodes.sort_unstable_by(order);
    let mut representatives = filled(0, graph.documents.end() as usize)?;
    for node in nodes {
        // All neighbours that are taken before the node are in its list.
        let neighbours = graph.neighbours.of(node);
        let takers = neighbours.filter(|&other| representatives[other as usize] == other);
        let taker = takers.min_by(|a, b| order(a, b));
        representatives[node as usize] = taker.unwrap_or(node);
    }
    Ok(representatives)
}

/// The node of each component that comes before its others, for each node.
fn single(graph: &Graph, is_before: &dyn Fn(u32, u32) -> bool) -> Result<Vec<u32>, Error> {
    let mut components = Components::new(graph.documents.end() as usize)?;
    for node in graph.nodes() {
        graph.neighbours.of(node).for_each(|neighbour| components.join(node, neighbour));
    }
    let mut representatives = components.firsts();
    let mut best = filled(0, representatives.len())?;
    for node in graph.nodes() {
        let best: &mut u32 = &mut best[representatives[node as usize] as usize];
        if representatives[node as usize] == node || is_before(node, *best) {
            *best = node;
        }
    }
    representatives.iter_mut().for_each(|first| *first = best[*first as usize]);
    Ok(representatives)
}
