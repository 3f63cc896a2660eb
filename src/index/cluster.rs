//! Clusters of near-duplicates: star clusters and connected components.
//!
//! Both are computed from the self-join. Invariant: a cluster is known by its first entry, so that an array of first
//! entries is the whole partition. Components are found by union-find with path halving (Tarjan and van Leeuwen,
//! "Worst-Case Analysis of Set Union Algorithms", Journal of the ACM 1984).

use alloc::{collections::TryReserveError, vec::Vec};

use super::collection::Collection;
use super::columns::filled;
use super::join::each_pair;
use super::search::Found;

/// How documents make a cluster of a [`NearIndex`](super::NearIndex). The clusters of a
/// [`Deduplicator`](crate::Deduplicator::clusters) are defined there.
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

/// Clusters of documents: see [`NearIndex::clusters`](super::NearIndex::clusters) and
/// [`Deduplicator::clusters`](crate::Deduplicator::clusters).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters<Member = u64> {
    pub(crate) members: Vec<Member>,
    /// Where each cluster ends in `members`.
    pub(crate) ends: Vec<usize>,
}

impl<Member> Clusters<Member> {
    /// The members of each cluster.
    pub fn iter(&self) -> impl Iterator<Item = &[Member]> {
        (0..).map_while(|at| self.get(at))
    }

    /// The members of cluster `at`.
    pub fn get(&self, at: usize) -> Option<&[Member]> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        Some(&self.members[start..*self.ends.get(at)?])
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no clusters.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

pub(crate) fn clusters(
    index: &Collection,
    linkage: Linkage,
    distance: u32,
) -> Result<Clusters, TryReserveError> {
    gather(index, &firsts(index, linkage, distance)?)
}

/// For every entry the first one of its cluster.
pub(crate) fn firsts(
    index: &Collection,
    linkage: Linkage,
    distance: u32,
) -> Result<Vec<u32>, TryReserveError> {
    match linkage {
        Linkage::Star => star(index, distance),
        Linkage::Single => single(index, distance),
    }
}

/// For every entry its representative.
fn star(index: &Collection, distance: u32) -> Result<Vec<u32>, TryReserveError> {
    // Most documents are near no other: the join finds them faster than a search each.
    let mut near = filled(false, index.entries.end() as usize)?;
    let mut mark = |group| near[index.entries.head(group) as usize] = true;
    index.entries.shared().for_each(&mut mark);
    each_pair(index, distance, &mut |a, b| {
        mark(a);
        mark(b);
    })?;
    let mut first = numbers(near.len())?;
    let mut representatives = Collection::new(index.bits(), distance)?;
    let mut found = Vec::new();
    for entry in index.entries.iter() {
        let fingerprint = index.entries.fingerprint(entry);
        let group = index.entries.group(fingerprint);
        if !group.is_some_and(|group| near[index.entries.head(group) as usize]) {
            continue;
        }
        representatives.query(fingerprint, distance, 1, &mut found)?;
        match found.first() {
            Some(&nearest) => {
                let nearest = Found::of(nearest).entry;
                first[entry as usize] = representatives.entries.id(nearest) as u32
            }
            None => {
                let document = (entry.into(), fingerprint);
                representatives.add(1, 0, &mut core::iter::once(document))?;
            }
        }
    }
    Ok(first)
}

/// For every entry the first one of its component.
fn single(index: &Collection, distance: u32) -> Result<Vec<u32>, TryReserveError> {
    let mut components = Components::new(index.entries.end() as usize)?;
    each_pair(index, distance, &mut |a, b| {
        components.join(index.entries.head(a), index.entries.head(b));
    })?;
    for group in index.entries.shared() {
        let entries = (0..).map_while(|at| index.entries.member(group, at));
        entries.for_each(|entry| components.join(index.entries.head(group), entry));
    }
    Ok(components.firsts())
}

/// A union-find structure over numbers: each leads to an earlier one of its component, the first to itself.
pub(crate) struct Components(Vec<u32>);

impl Components {
    /// Every number below `end` in a component of its own.
    pub(crate) fn new(end: usize) -> Result<Self, TryReserveError> {
        numbers(end).map(Components)
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

    /// Makes the components of two numbers one.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The first number of each number's component.
    pub(crate) fn firsts(mut self) -> Vec<u32> {
        for number in 0..self.0.len() as u32 {
            self.0[number as usize] = self.root(number);
        }
        self.0
    }
}

/// The numbers below `end`.
fn numbers(end: usize) -> Result<Vec<u32>, TryReserveError> {
    let mut numbers = filled(0, end)?;
    (0..).zip(&mut numbers).for_each(|(at, number)| *number = at);
    Ok(numbers)
}

/// Sorts the entries by cluster, stably.
fn gather(index: &Collection, first: &[u32]) -> Result<Clusters, TryReserveError> {
    let mut sizes = filled(0, first.len())?;
    for entry in index.entries.iter() {
        sizes[first[entry as usize] as usize] += 1;
    }
    let mut ends: Vec<usize> = Vec::new();
    ends.try_reserve_exact(sizes.iter().filter(|&&size| size > 0).count())?;
    let mut next = 0;
    for size in &mut sizes {
        if *size > 0 {
            ends.push(next + *size);
        }
        next += core::mem::replace(size, next);
    }
    let mut ids = filled(0, next)?;
    for entry in index.entries.iter() {
        let at = &mut sizes[first[entry as usize] as usize];
        ids[*at] = index.entries.id(entry);
        *at += 1;
    }
    Ok(Clusters { members: ids, ends })
}
