//! Clusters of near-duplicates: star clusters and connected components.
//!
//! Both are computed from the self-join. Invariant: a cluster is identified by its first entry, so an array of first entries
//! is the whole partition. Components are found by union-find with path halving (Tarjan and van Leeuwen, "Worst-Case
//! Analysis of Set Union Algorithms", Journal of the ACM 1984).

use alloc::{collections::TryReserveError, vec::Vec};

use super::columns::{collect, filled};
use super::{NearIndex, blocks};
use crate::Error;
use crate::sort::sort;

/// How documents form clusters, described here for a [`NearIndex`](super::NearIndex).
/// [`Deduplicator::clusters`](crate::Deduplicator::clusters) defines it for resemblance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Every member is within the distance of the first member, the representative.
    ///
    /// Documents are processed in insertion order. A document within the distance of a representative joins the nearest one,
    /// ties going to the earliest; any other becomes a representative. No chains form.
    Star,
    /// Connected components: any two documents within the distance are in one cluster, so chains can form.
    Single,
}

/// Clusters of documents: see [`NearIndex::clusters`](super::NearIndex::clusters) and
/// [`Deduplicator::clusters`](crate::Deduplicator::clusters).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clusters<Member = u64> {
    members: Vec<Member>,
    /// Where each cluster ends in `members`.
    ends: Vec<usize>,
}

impl<Member> Clusters<Member> {
    /// Creates an empty list with capacity for this number of members.
    pub(crate) fn with_capacity(members: usize) -> Result<Self, TryReserveError> {
        let mut clusters = Clusters { members: Vec::new(), ends: Vec::new() };
        clusters.members.try_reserve_exact(members)?;
        Ok(clusters)
    }

    /// Adds a cluster, for whose members there is capacity.
    pub(crate) fn push(
        &mut self,
        members: impl Iterator<Item = Member>,
    ) -> Result<(), TryReserveError> {
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

impl NearIndex {
    /// Returns the clusters of near-duplicates, in the order of their first documents. A document without near-duplicates is
    /// a cluster of its own.
    ///
    /// # Errors
    /// `max_distance` is above a quarter of the bits, or there is not enough memory.
    ///
    /// ```
    /// use nearprint::index::{Linkage, NearIndex, Settings};
    ///
    /// let mut index = NearIndex::new(Settings { max_distance: 1, ..Settings::default() })?;
    /// index.add_all([(7, 0b00), (8, 0b01), (9, 0b11)])?;
    /// let clusters = |linkage| index.clusters(linkage, 1).map(|c| c.iter().map(<[u64]>::to_vec).collect::<Vec<_>>());
    /// assert_eq!(clusters(Linkage::Star)?, [vec![7, 8], vec![9]]);
    /// assert_eq!(clusters(Linkage::Single)?, [vec![7, 8, 9]]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    pub fn clusters(&self, linkage: Linkage, max_distance: u32) -> Result<Clusters, Error> {
        blocks::check_distance(self.width.bits(), max_distance)?;
        if self.ids.has_holes() || self.max_distance < max_distance {
            return self.dense(max_distance)?.clusters(linkage, max_distance);
        }
        let firsts = match linkage {
            Linkage::Star => self.representatives(max_distance)?,
            Linkage::Single => {
                let mut components = Components::new(self.len())?;
                self.each_near(max_distance, &mut |a, b| components.join(a, b))?;
                components.firsts()
            }
        };
        let key = |(entry, first): (u64, u32)| u64::from(first) << 32 | entry;
        let mut keys = collect(firsts.len(), (0..).zip(firsts).map(key))?;
        sort(&mut keys);
        let mut clusters = Clusters::with_capacity(keys.len())?;
        for cluster in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            clusters.push(cluster.iter().map(|&key| self.ids.id(key as u32)))?;
        }
        Ok(clusters)
    }

    /// Returns the representative of every entry of an index without holes.
    fn representatives(&self, distance: u32) -> Result<Vec<u32>, Error> {
        // Few documents have near-duplicates: one self-join finds them faster than a search for each.
        let mut is_near = filled(false, self.len())?;
        self.each_near(distance, &mut |a, b| {
            is_near[a as usize] = true;
            is_near[b as usize] = true;
        })?;
        // The nearest earlier representative of each entry, ties going to the earliest; its distance is in the high half.
        let mut nearest = filled(u64::MAX, self.len())?;
        let mut representatives = numbers(self.len())?;
        for entry in 0..self.ids.end() {
            if nearest[entry as usize] != u64::MAX {
                representatives[entry as usize] = nearest[entry as usize] as u32;
            } else if is_near[entry as usize] {
                for hit in self.find(self.fingerprints.get(entry), distance)? {
                    let nearest: &mut u64 = &mut nearest[hit as u32 as usize];
                    *nearest = (hit >> 32 << 32 | u64::from(entry)).min(*nearest);
                }
            }
        }
        Ok(representatives)
    }

    /// Calls `visit` with pairs of entries of an index without holes, from which all pairs follow: with each entry and the
    /// first entry of the same fingerprint, and with the first entries of near fingerprints.
    fn each_near(&self, distance: u32, visit: &mut dyn FnMut(u32, u32)) -> Result<(), Error> {
        let mut cursor = self.pair_cursor(distance)?;
        while self.find_pairs(&mut cursor)? {
            for (a, b, _) in cursor.found.drain(..) {
                if a == b {
                    self.members(a).for_each(|entry| visit(a, entry));
                } else {
                    visit(a, b);
                }
            }
        }
        Ok(())
    }
}

/// A union-find structure over numbers: each links to an earlier one of its component, the first to itself.
pub(crate) struct Components(Vec<u32>);

impl Components {
    /// Returns a structure with every number below `end` in a component of its own.
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

    /// Joins the components of two numbers.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Returns the first number of each number's component.
    pub(crate) fn firsts(mut self) -> Vec<u32> {
        for number in 0..self.0.len() as u32 {
            self.0[number as usize] = self.root(number);
        }
        self.0
    }
}

/// Returns the numbers below `end`.
fn numbers(end: usize) -> Result<Vec<u32>, TryReserveError> {
    collect(end, 0..end as u32)
}
