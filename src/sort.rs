//! The one sorting routine: the standard library's takes 3 kB of WebAssembly for each type.

/// Shorter lists are sorted by insertion.
const SHORT: usize = 20;

/// Sorts numbers.
pub(crate) fn sort(numbers: &mut [u64]) {
    sort_by_key(numbers, &|&number| number);
}

/// Sorts items by the highest bit in which their keys differ, and then each half: at most 64 passes, whatever the keys. Items
/// with equal keys are in no particular order.
pub(crate) fn sort_by_key<T: Copy>(items: &mut [T], key: &impl Fn(&T) -> u64) {
    if items.len() <= SHORT {
        return insert(items, key);
    }
    let (any, all) = items.iter().map(key).fold((0, !0), |(any, all), it| (any | it, all & it));
    let Some(bit) = (any ^ all).checked_ilog2() else { return };
    // Without a branch, which would be mispredicted half of the time.
    let mut zeros = 0;
    for at in 0..items.len() {
        let item = items[at];
        items.swap(at, zeros);
        zeros += usize::from(key(&item) >> bit & 1 == 0);
    }
    let (low, high) = items.split_at_mut(zeros);
    sort_by_key(low, key);
    sort_by_key(high, key);
}

fn insert<T: Copy>(items: &mut [T], key: &impl Fn(&T) -> u64) {
    for end in 1..items.len() {
        let item = items[end];
        let mut at = end;
        while at > 0 && key(&items[at - 1]) > key(&item) {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
    }
}
