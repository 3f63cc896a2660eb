//! The one sorting routine: the standard library's takes 3 kB of WebAssembly for each type.

/// Shorter runs are sorted by insertion.
const SHORT: usize = 20;

/// Sorts numbers, by the highest bit in which they differ, and then each half: at most 64 passes, whatever the numbers.
pub(crate) fn sort(numbers: &mut [u64]) {
    if numbers.len() <= SHORT {
        return insert(numbers);
    }
    let (any, all) = numbers.iter().fold((0, !0), |(any, all), &it| (any | it, all & it));
    let Some(bit) = (any ^ all).checked_ilog2() else { return };
    // Without a branch, which would be mispredicted half of the time.
    let mut zeros = 0;
    for at in 0..numbers.len() {
        let number = numbers[at];
        numbers.swap(at, zeros);
        zeros += usize::from(number >> bit & 1 == 0);
    }
    let (low, high) = numbers.split_at_mut(zeros);
    sort(low);
    sort(high);
}

fn insert(numbers: &mut [u64]) {
    for end in 1..numbers.len() {
        let number = numbers[end];
        let mut at = end;
        while at > 0 && numbers[at - 1] > number {
            numbers[at] = numbers[at - 1];
            at -= 1;
        }
        numbers[at] = number;
    }
}
