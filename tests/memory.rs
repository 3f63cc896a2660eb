//! The memory of a fingerprint: at most 3 MB and 8 bytes for each byte of text. At most 1 MB is kept.
//!
//! Two families take more: shingles of characters have a feature for each byte of ASCII, and a text of nothing but
//! combining marks is normalised as a whole.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use nearprint::{
    Key,
    dedupe::Sketcher,
    simhash::{Fingerprinter, Scheme},
};

/// Counts the bytes in use. `realloc` is the default one, which has the old and the new block in use at once.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it calls the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(IN_USE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The result of `run`, and the most bytes that it had in use at once.
fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = run();
    (result, PEAK.load(Relaxed) - before)
}

/// `len` bytes of what `next` appends, which gets random numbers.
fn text(len: usize, next: impl Fn(&mut String, &mut dyn FnMut(u32) -> u32)) -> String {
    let mut state = 1_u64;
    let mut random = |below: u32| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let mut text = String::with_capacity(len + 100);
    while text.len() < len {
        next(&mut text, &mut random);
    }
    text
}

fn han(random: &mut dyn FnMut(u32) -> u32) -> char {
    char::from_u32(0x4e00 + random(20_000)).unwrap()
}

fn letter(random: &mut dyn FnMut(u32) -> u32) -> char {
    char::from_u32(u32::from('a') + random(26)).unwrap()
}

/// A name, a scheme, and what appends the next part of the text.
type Family = (&'static str, &'static str, Next);
type Next = fn(&mut String, &mut dyn FnMut(u32) -> u32);

/// The memory of the words of a text, which is checked on its own.
const MARGIN: usize = 16 << 20;

const FAMILIES: [Family; 11] = [
    ("Han", "v1:64", |text, random| text.push(han(random))),
    ("Han", "v1:128", |text, random| text.push(han(random))),
    ("Han, term frequencies", "v1:64:tf", |text, random| text.push(han(random))),
    ("Han and digits", "v1:64", |text, random| {
        text.push(han(random));
        text.push(char::from(b'0' + random(10) as u8));
    }),
    ("ASCII words", "v1:64", |text, random| {
        (0..2 + random(7)).for_each(|_| text.push(letter(random)));
        text.push(' ');
    }),
    ("two letters a word", "v1:64", |text, random| {
        (0..2).for_each(|_| text.push(letter(random)));
        text.push(' ');
    }),
    ("letters", "v1:64", |text, random| text.extend([letter(random), ' '])),
    ("repeated", "v1:64", |text, _| {
        text.push_str("the same words again, and the same words again. ")
    }),
    ("one word", "v1:64", |text, random| text.push(letter(random))),
    ("marks", "v1:64", |text, random| {
        text.push(char::from_u32(0x300 + random(0x40)).unwrap());
    }),
    ("shingles of 8 characters", "v1:64:chars8", |text, random| text.push(letter(random))),
];

/// All tests count the same memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn memory_is_linear_and_given_back() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // The tables of Unicode are made once.
    assert_ne!(nearprint::simhash::fingerprint("é 漢"), 0);
    let mut failures = Vec::new();
    for (name, id, next) in FAMILIES {
        for len in if name == "Han" { vec![1 << 20, 4 << 20] } else { vec![1 << 20] } {
            let text = text(len, next);
            let mut fingerprinter = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
            let before = IN_USE.load(Relaxed);
            let (whole, whole_peak) = peak(|| fingerprinter.fingerprint(&text));
            let kept = IN_USE.load(Relaxed) - before;
            let (streamed, stream_peak) = peak(|| {
                let mut stream = fingerprinter.stream();
                text.as_bytes().chunks(10_000).for_each(|chunk| {
                    stream.update_bytes(chunk);
                });
                stream.digest()
            });
            assert_eq!(whole, streamed, "{name}");
            let per_byte = [whole_peak, stream_peak].map(|peak| peak as f64 / len as f64);
            let report = format!("{name} ({id}), {len}: {per_byte:.2?} bytes a byte, {kept} kept");
            println!("{report}");
            let most = match name {
                // One segment of a megabyte of marks is sorted as a whole.
                "marks" | "shingles of 8 characters" => 11,
                _ => 8,
            };
            if whole_peak.max(stream_peak) > most * len + (3 << 20) || kept > 1 << 20 {
                failures.push(report);
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The bound is what a module checks before it lists features: a failed allocation would lose all of its objects.
#[test]
fn features_take_at_most_the_memory_that_is_predicted() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let key = Key::new(*b"16 random bytes.");
    let next_expanding: Next = |text, _| text.push('\u{fdfa}');
    let families = FAMILIES.into_iter().chain([("expanding", "v1:64", next_expanding)]);
    for (name, id, next) in families {
        let scheme: Scheme = id.parse().unwrap();
        let fingerprinter = Fingerprinter::new(scheme).unwrap();
        let sketcher =
            Sketcher::new(id.replace("v1:64", "s1").replace(":tf", "").parse().unwrap_or_default())
                .unwrap();
        let [a, b] = [1 << 19, 1 << 18].map(|len| text(len, next));
        let bounds = [&a, &b].map(|text| fingerprinter.memory_of_features(text));
        let (_, features) = peak(|| fingerprinter.features(&a));
        assert!(features < bounds[0] + MARGIN, "{name}: {features} of {}", bounds[0]);
        let (_, compared) = peak(|| fingerprinter.compare(&a, &b));
        assert!(compared < bounds[0] + bounds[1] + MARGIN, "{name}: {compared} of {bounds:?}");
        let bounds = [&a, &b].map(|text| sketcher.memory_of_features(text));
        let (_, compared) = peak(|| sketcher.compare(key, &a, &b));
        let bound = bounds[0] + bounds[1];
        assert!(compared < bound + MARGIN, "{name}: {compared} of {bounds:?}");
        // A bound that is too large refuses texts that fit.
        assert!(bound < 4 * compared, "{name}: {compared} of {bounds:?}");
    }
}
