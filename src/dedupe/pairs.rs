//! All pairs of near-duplicates: the edges of the [`Graph`].

use alloc::vec::Vec;
use core::{fmt, iter::FusedIterator};

use super::{
    deduplicator::Deduplicator,
    graph::{Document, Graph, MAX_NEIGHBOURS},
    options::Options,
};
use crate::Error;

/// Two kept documents that resemble each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Pair {
    /// The id of the document that was kept first.
    pub a: u64,
    /// The id of the other.
    pub b: u64,
    /// The estimated resemblance, from 0 to 1.
    pub resemblance: f64,
}

/// A position among the pairs of a deduplicator: see [`Deduplicator::pair_cursor`].
#[derive(Clone)]
#[must_use]
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
            let others = graph.earlier.get(node).iter().flat_map(|&near| graph.equals(near));
            let before = graph.equals(node).iter().take_while(|&&equal| equal < document);
            let all = before.chain(others).take(MAX_NEIGHBOURS);
            found.extend(all.map(|&other| (document.min(other), document.max(other))));
            found.reverse();
        }
        found.pop()
    }
}

/// The pairs of a [`Deduplicator`]: see [`Deduplicator::pairs`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Pairs<'a> {
    set: &'a Deduplicator,
    cursor: PairCursor,
}

impl Iterator for Pairs<'_> {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        self.set.next_pair(&mut self.cursor)
    }
}

impl FusedIterator for Pairs<'_> {}

impl Deduplicator {
    /// Returns all pairs of kept documents that resemble each other, each once. The order depends on the documents alone.
    /// [`Options::expires_in`] has no effect.
    ///
    /// Two documents are a pair if they share a key and their resemblance reaches the threshold: pairs are found as queries find
    /// documents. Each document adds at most 128 pairs, and about 48 in a large family, whose keys have more than 64 documents:
    /// it is compared with the first 32 and the previous 32 of each key.
    ///
    /// O(n) time and memory for `n` documents, however similar they are.
    ///
    /// ```
    /// use nearprint::dedupe::{Deduplicator, Options, Sketcher};
    ///
    /// let mut sketcher = Sketcher::default();
    /// let mut kept = Deduplicator::new(*sketcher.scheme())?;
    /// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
    /// for (id, text) in [(1, text), (2, "Good news"), (3, &text.replace("week", "day"))] {
    ///     kept.add(id, &sketcher.sketch(text), &Options::default())?;
    /// }
    /// let pairs = kept.pairs(&Options::default())?;
    /// assert_eq!(pairs.map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(1, 3)]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The threshold is out of range, or there is not enough memory.
    pub fn pairs(&self, options: &Options) -> Result<Pairs<'_>, Error> {
        Ok(Pairs { set: self, cursor: self.pair_cursor(options)? })
    }

    /// Returns a cursor over the [`pairs`](Self::pairs), for a caller that cannot keep a reference to the deduplicator, or that
    /// changes it meanwhile.
    ///
    /// ```
    /// use nearprint::dedupe::{Deduplicator, Options, Sketcher};
    ///
    /// let mut sketcher = Sketcher::default();
    /// let mut kept = Deduplicator::default();
    /// for id in 1..=4 {
    ///     kept.add(id, &sketcher.sketch("Good news"), &Options::default())?;
    /// }
    /// // Removes the second document of each pair.
    /// let mut cursor = kept.pair_cursor(&Options::default())?;
    /// while let Some(pair) = kept.next_pair(&mut cursor) {
    ///     kept.remove(pair.b);
    /// }
    /// assert_eq!(kept.ids().collect::<Vec<_>>(), [1]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`pairs`](Self::pairs).
    pub fn pair_cursor(&self, options: &Options) -> Result<PairCursor, Error> {
        let graph = Graph::new(self, options)?;
        let mut found = Vec::new();
        found.try_reserve_exact(MAX_NEIGHBOURS)?;
        Ok(PairCursor { graph, next: 0, found })
    }

    /// Advances a cursor of this deduplicator, and returns the next pair.
    ///
    /// Documents that are removed or replaced after the cursor was made are skipped, and added ones do not appear.
    pub fn next_pair(&self, cursor: &mut PairCursor) -> Option<Pair> {
        loop {
            let (a, b) = cursor.next()?;
            let [a, b] = [a, b].map(|document| &cursor.graph.documents[document as usize]);
            let record = |document: &Document| {
                let entry = self.kept.ids.find(document.id)?;
                Some(self.kept.record(entry))
                    .filter(|record| record.sequence.number() == document.equality)
            };
            let (Some(first), Some(second)) = (record(a), record(b)) else { continue };
            return Some(Pair { a: a.id, b: b.id, resemblance: first.resemblance(second) });
        }
    }
}
