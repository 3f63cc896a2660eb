//! A set of numbers in a binary radix trie over their keys.
//!
//! Every operation takes at most 128 steps, the bits of a key, whatever the keys are. It is the part of
//! [`Slots`](super::slots::Slots) that no choice of keys can slow down.
//!
//! Invariant: a node's bit is higher than the bits of all nodes below it. All keys below a node agree in the higher bits,
//! and the node's bit decides on which side a key is. *n* numbers have *n* - 1 nodes (Morrison, "PATRICIA", Journal of
//! the ACM 1968).

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::columns::allocated;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    Leaf(u32),
    Node(usize),
}

#[derive(Clone, Copy)]
struct Node {
    bit: u32,
    links: [Link; 2],
}

/// Where a link is stored: in the root, or on one side of a node.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Side(usize, usize),
}

#[derive(Clone, Default)]
pub(crate) struct Trie {
    root: Option<Link>,
    nodes: Vec<Node>,
    /// The first unused node, which links to the next.
    unused: Option<usize>,
}

/// Returns on which side of a node with this bit a key is.
fn side(key: u128, bit: u32) -> usize {
    (key >> bit) as usize & 1
}

impl Trie {
    pub(crate) fn bytes(&self) -> usize {
        allocated(&self.nodes)
    }

    /// Walks from the root towards `key`, while the nodes' bits are not below `end`. Returns the places of the last two
    /// links, and the last link.
    fn walk(&self, key: u128, end: Option<u32>) -> Option<(Place, Place, Link)> {
        let mut link = self.root?;
        let (mut above, mut place) = (Place::Root, Place::Root);
        while let Link::Node(at) = link {
            let Node { bit, links } = self.nodes[at];
            if end.is_some_and(|end| bit < end) {
                break;
            }
            above = place;
            place = Place::Side(at, side(key, bit));
            link = links[side(key, bit)];
        }
        Some((above, place, link))
    }

    /// Calls `each` with every number.
    pub(crate) fn try_each<E>(&self, each: &mut dyn FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        self.try_each_below(self.root, each)
    }

    /// Calls `each` with every number below a link. Recursion is at most 128 deep.
    fn try_each_below<E>(
        &self,
        link: Option<Link>,
        each: &mut dyn FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E> {
        match link {
            None => Ok(()),
            Some(Link::Leaf(number)) => each(number),
            Some(Link::Node(at)) => {
                let links = self.nodes[at].links;
                links.into_iter().try_for_each(|link| self.try_each_below(Some(link), each))
            }
        }
    }

    fn set(&mut self, place: Place, link: Link) {
        match place {
            Place::Root => self.root = Some(link),
            Place::Side(at, side) => self.nodes[at].links[side] = link,
        }
    }

    /// Returns the number with this key.
    pub(crate) fn find(&self, key: u128, key_of: impl Fn(u32) -> u128) -> Option<u32> {
        match self.walk(key, None) {
            Some((_, _, Link::Leaf(number))) if key_of(number) == key => Some(number),
            _ => None,
        }
    }

    /// Adds a number whose key is not in the set. An error changes nothing.
    pub(crate) fn insert(
        &mut self,
        key: u128,
        number: u32,
        key_of: impl Fn(u32) -> u128,
    ) -> Result<(), TryReserveError> {
        let Some((_, _, Link::Leaf(neighbour))) = self.walk(key, None) else {
            self.root = Some(Link::Leaf(number));
            return Ok(());
        };
        if self.unused.is_none() {
            self.nodes.try_reserve(1)?;
        }
        let bit = (key_of(neighbour) ^ key).ilog2();
        let Some((_, place, link)) = self.walk(key, Some(bit)) else { unreachable!() };
        let mut links = [link; 2];
        links[side(key, bit)] = Link::Leaf(number);
        let node = Node { bit, links };
        let at = match self.unused {
            Some(at) => {
                self.unused = match self.nodes[at].links[0] {
                    Link::Node(next) => Some(next),
                    Link::Leaf(_) => None,
                };
                self.nodes[at] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.set(place, Link::Node(at));
        Ok(())
    }

    /// Puts `new` in the place of `old`, which has the same key.
    pub(crate) fn replace(&mut self, key: u128, old: u32, new: u32) {
        match self.walk(key, None) {
            Some((_, place, Link::Leaf(found))) if found == old => {
                self.set(place, Link::Leaf(new));
            }
            _ => unreachable!("the number is not in the set"),
        }
    }

    pub(crate) fn remove(&mut self, key: u128, number: u32) {
        match self.walk(key, None) {
            Some((_, Place::Root, Link::Leaf(found))) if found == number => self.root = None,
            Some((above, Place::Side(at, side), Link::Leaf(found))) if found == number => {
                let sibling = self.nodes[at].links[1 - side];
                self.set(above, sibling);
                self.nodes[at].links[0] = self.unused.map_or(Link::Leaf(0), Link::Node);
                self.unused = Some(at);
            }
            _ => unreachable!("the number is not in the set"),
        }
    }
}
