//! Clusters of near-duplicates.

use alloc::{collections::TryReserveError, vec, vec::Vec};

use super::core::Core;
use super::join::each_pair;

/// How documents make a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Every member is within the distance of the cluster's first one, its representative.
    ///
    /// Documents are taken in insertion order. One that is within the distance of representatives joins the nearest, of
    /// equally near ones the earliest; one that is not becomes a representative. Nothing chains.
    Star,
    /// Connected components: any two documents within the distance are in one cluster, and so chains grow.
    Single,
}

/// A partition of all documents, see [`NearIndex::clusters`](super::NearIndex::clusters).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters {
    pub(crate) ids: Vec<u64>,
    /// Where each cluster ends in `ids`.
    pub(crate) ends: Vec<usize>,
}

impl Clusters {
    /// The ids of each cluster. Ids are in insertion order, clusters in that of their first ids.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.ids[start..end])
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none, as of an empty index.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

pub(crate) fn clusters(
    core: &Core,
    linkage: Linkage,
    distance: u32,
) -> Result<Clusters, TryReserveError> {
    Ok(gather(core, &firsts(core, linkage, distance)?))
}

/// For every entry the first one of its cluster.
pub(crate) fn firsts(
    core: &Core,
    linkage: Linkage,
    distance: u32,
) -> Result<Vec<u32>, TryReserveError> {
    match linkage {
        Linkage::Star => star(core, distance),
        Linkage::Single => Ok(single(core, distance)),
    }
}

/// For every entry its representative.
fn star(core: &Core, distance: u32) -> Result<Vec<u32>, TryReserveError> {
    // Most documents are near no other: the join finds them faster than a search each.
    let mut near = vec![false; core.entries.end() as usize];
    let mut mark = |sharing| near[core.entries.head(sharing) as usize] = true;
    core.entries.shared().for_each(&mut mark);
    each_pair(core, distance, &mut |a, b| {
        mark(a);
        mark(b);
    });
    let mut first: Vec<u32> = (0..near.len() as u32).collect();
    let mut representatives = Core::new(core.bits(), distance);
    let mut found = Vec::new();
    for entry in core.entries.iter() {
        let fingerprint = core.entries.fingerprint(entry);
        let sharing = core.entries.sharing(fingerprint);
        if !sharing.is_some_and(|sharing| near[core.entries.head(sharing) as usize]) {
            continue;
        }
        representatives.query(fingerprint, distance, 1, &mut found);
        match found.first() {
            Some(nearest) => {
                first[entry as usize] = representatives.entries.id(nearest.entry()) as u32
            }
            None => representatives.add(entry.into(), fingerprint)?,
        }
    }
    Ok(first)
}

/// For every entry the first one of its component.
fn single(core: &Core, distance: u32) -> Vec<u32> {
    let mut first: Vec<u32> = (0..core.entries.end()).collect();
    fn root(first: &mut [u32], mut entry: u32) -> u32 {
        while first[entry as usize] != entry {
            // Path halving (Tarjan and van Leeuwen 1984).
            first[entry as usize] = first[first[entry as usize] as usize];
            entry = first[entry as usize];
        }
        entry
    }
    let mut join = |a, b| {
        let (a, b) = (root(&mut first, a), root(&mut first, b));
        first[a.max(b) as usize] = a.min(b);
    };
    each_pair(core, distance, &mut |a, b| join(core.entries.head(a), core.entries.head(b)));
    for sharing in core.entries.shared() {
        let entries = (0..).map_while(|at| core.entries.shares(sharing, at));
        entries.for_each(|entry| join(core.entries.head(sharing), entry));
    }
    for entry in 0..first.len() as u32 {
        first[entry as usize] = root(&mut first, entry);
    }
    first
}

/// Sorts the entries by cluster, stably.
fn gather(core: &Core, first: &[u32]) -> Clusters {
    let mut sizes = vec![0; first.len()];
    for entry in core.entries.iter() {
        sizes[first[entry as usize] as usize] += 1;
    }
    let mut ends: Vec<usize> = Vec::new();
    let mut next = 0;
    for size in &mut sizes {
        if *size > 0 {
            ends.push(next + *size);
        }
        next += core::mem::replace(size, next);
    }
    let mut ids = vec![0; next];
    for entry in core.entries.iter() {
        let at = &mut sizes[first[entry as usize] as usize];
        ids[*at] = core.entries.id(entry);
        *at += 1;
    }
    Clusters { ids, ends }
}
