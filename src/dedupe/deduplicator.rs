//! The deduplicator: a set of documents over time.

use alloc::collections::BinaryHeap;
use core::{cmp::Reverse, fmt, iter::FusedIterator, ops::Range};

use super::{
    decision::Hit,
    kept::{Kept, Keys},
    options::NEVER,
    rule::Candidate,
};
use crate::{
    Error,
    sketch::{Sketch, SketchScheme, sketch::check_scheme},
};

/// A set of documents over time, which decides whether each document is new, unchanged, changed or a near-duplicate.
///
/// A document is an id, any `u64`, and a [`Sketch`]. All sketches have one scheme. Ids of another type are numbered by the
/// caller: see [Ids](crate::dedupe#ids).
///
/// There is no [`Extend`], since an addition can fail.
///
/// ```
/// use nearprint::dedupe::{Decision, Deduplicator, Options, Sketcher};
///
/// let mut sketcher = Sketcher::default();
/// let mut kept = Deduplicator::new(*sketcher.scheme())?;
/// let mut observe = |id, text: &str| kept.observe(id, &sketcher.sketch(text), &Options::default());
///
/// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
/// assert_eq!(observe(1, text)?, Decision::New);
/// assert_eq!(observe(1, &text.to_uppercase())?, Decision::Unchanged);
/// assert!(matches!(observe(2, text)?, Decision::Duplicate(hit) if hit.id == 1));
/// assert!(matches!(observe(1, &text.replace("week", "day"))?, Decision::Changed { .. }));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone)]
pub struct Deduplicator {
    scheme: SketchScheme,
    pub(super) kept: Kept,
    /// Expiry times with ids, the earliest first: one for each kept document that expires, and some that are out of date.
    pub(super) expiries: BinaryHeap<Reverse<(u64, u64)>>,
}

impl fmt::Debug for Deduplicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deduplicator")
            .field("scheme", &self.scheme)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl Default for Deduplicator {
    /// Returns an empty deduplicator for sketches of the default scheme. Its salt is 0: see [`new`](Self::new).
    fn default() -> Self {
        Self::empty(SketchScheme::default(), 0)
    }
}

impl Deduplicator {
    /// Creates an empty deduplicator for sketches of `scheme`. Its salt is 0: if strangers choose documents, use
    /// [`with_salt`](Self::with_salt).
    ///
    /// # Errors
    /// The scheme is not valid, see [`Sketcher::new`](super::Sketcher::new).
    pub fn new(scheme: SketchScheme) -> Result<Self, Error> {
        Self::with_salt(scheme, 0)
    }

    /// Creates an empty deduplicator with a salt: a secret number of 64 random bits that is mixed into the keys. Without it,
    /// anyone can prepare documents that share keys with documents which they do not resemble, and hide them from the search.
    ///
    /// The caller draws the salt, since the crate has no source of random numbers. Snapshots contain it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn with_salt(scheme: SketchScheme, salt: u64) -> Result<Self, Error> {
        Ok(Self::empty(scheme.check()?, salt))
    }

    fn empty(scheme: SketchScheme, salt: u64) -> Self {
        Deduplicator { scheme, kept: Kept::new(salt), expiries: BinaryHeap::new() }
    }

    /// Returns the scheme of the sketches.
    pub fn scheme(&self) -> &SketchScheme {
        &self.scheme
    }

    /// Returns the number of kept documents, including those that have expired since the last call with a time.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns whether no document is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let expiries = self.expiries.capacity() * size_of::<(u64, u64)>();
        self.kept.bytes() + expiries
    }

    /// Returns whether a document with this id is kept. It may have expired since the last call with a time: see
    /// [`expires`](Self::expires).
    pub fn contains(&self, id: u64) -> bool {
        self.own_entry(id).is_some()
    }

    /// Returns the sketch of the kept document with this id, without keys. As for [`contains`](Self::contains), it may have
    /// expired.
    pub fn get(&self, id: u64) -> Option<Sketch> {
        self.own_entry(id).map(|entry| self.sketch(entry))
    }

    /// Returns the time at which the kept document with this id expires, if it does.
    pub fn expires(&self, id: u64) -> Option<u64> {
        self.kept.ids.find(id).map(|entry| self.kept.expires(entry)).filter(|&time| time != NEVER)
    }

    /// Returns all kept documents, in the order of addition: the kept version of each id, or the provisional one if there is no
    /// kept version.
    pub fn iter(&self) -> Documents<'_> {
        Documents { set: self, entries: self.all_entries() }
    }

    /// Returns the ids of all kept documents, in the order of addition.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        let shown = self.all_entries().filter(|&entry| self.is_shown(entry));
        shown.map(|entry| self.kept.ids.id(entry))
    }

    fn all_entries(&self) -> Range<u32> {
        0..self.kept.ids.end()
    }

    /// Returns whether an entry is the kept version of an id, or the provisional one of an id without a kept one.
    fn is_shown(&self, entry: u32) -> bool {
        let ids = &self.kept.ids;
        ids.is_listed(entry) || ids.is_live(entry) && ids.find(ids.id(entry)).is_none()
    }

    /// Returns the entry of the kept version of an id, or else of the provisional one.
    fn own_entry(&self, id: u64) -> Option<u32> {
        let own = self.kept.own(id);
        own.kept.or(own.provisional)
    }

    /// Returns the sketch of an entry, without keys.
    fn sketch(&self, entry: u32) -> Sketch {
        Sketch { scheme: self.scheme, record: *self.kept.record(entry), keys: None }
    }

    /// Returns the hit of a candidate, whose number is its entry.
    pub(super) fn hit(&self, Candidate { number: entry, resemblance }: Candidate) -> Hit {
        let is_provisional = !self.kept.ids.is_listed(entry);
        Hit { id: self.kept.ids.id(entry), resemblance, is_provisional }
    }

    /// Removes a document with both its versions. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        let has_provisional = self.kept.release(id);
        self.kept.remove_kept(id) || has_provisional
    }

    /// Removes all documents. The salt stays.
    pub fn clear(&mut self) {
        *self = Self::empty(self.scheme, self.kept.salt);
    }

    /// Checks a sketch, and returns its keys in this set.
    pub(super) fn check(&self, sketch: &Sketch) -> Result<Keys, Error> {
        check_scheme("sketch", &self.scheme, sketch.scheme())?;
        Keys::new(sketch, self.kept.salt)
    }
}

/// The kept documents of a [`Deduplicator`], in the order of addition: see [`Deduplicator::iter`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Documents<'a> {
    set: &'a Deduplicator,
    /// The entries that follow, some of them removed.
    entries: Range<u32>,
}

impl Iterator for Documents<'_> {
    type Item = (u64, Sketch);

    fn next(&mut self) -> Option<Self::Item> {
        let set = self.set;
        let entry = self.entries.find(|&entry| set.is_shown(entry))?;
        Some((set.kept.ids.id(entry), set.sketch(entry)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.entries.len()))
    }
}

impl FusedIterator for Documents<'_> {}

impl<'a> IntoIterator for &'a Deduplicator {
    type Item = (u64, Sketch);
    type IntoIter = Documents<'a>;

    fn into_iter(self) -> Documents<'a> {
        self.iter()
    }
}
