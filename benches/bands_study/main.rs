//! Prints how the choices of the search by bands trade wrong drops for missed near-duplicates, with a naive implementation in
//! hash maps, and the same for a `Deduplicator`.
//!
//!     cargo bench --bench bands_study -- collection DIR [LIMIT] [DESIGN...]
//!     cargo bench --bench bands_study -- templates PAGES [WORDS:NUMBERS] [DESIGN...]
//!     cargo bench --bench bands_study -- pairs PAGES...
//!     cargo bench --bench bands_study -- errors [DIR]
//!
//! `collection` prints the work on real documents and writes what each design drops to `DIR/DESIGN.tsv`, `templates` prints the
//! mistakes on pages of one template, `pairs` the time of `pairs()` and `clusters()` on such pages, and `errors` the error of the
//! estimates. DIR has `docs.jsonl`; `node benches/corpus.mjs write FROM DIR [COUNT]` unpacks a collection, and makes larger ones
//! from its documents with changed words. LIMIT takes the first documents only. `node benches/corpus.mjs judge FROM COUNT
//! DIR/*.tsv` prints the mistakes.
//!
//! A DESIGN is `Deduplicator`, or what differs from the default, such as `10x3,shared,minhash,threshold=.68`:
//!
//! | part | default | meaning |
//! | --- | --- | --- |
//! | `BANDSxROWS` | `12x3` | bands, and minima of each |
//! | `rarity`, `shared` | `rarity` | the order of candidates: by the rarity or by the number of the keys they share |
//! | `odd`, `minhash`, `exact` | `odd` | what estimates the resemblance |
//! | `cap=N` | 400 | features that an odd sketch samples at most |
//! | `values=N` | 40 | features up to which an odd sketch keeps their values |
//! | `bits=N` | 20 | bits of a value at most, of the 480 that a sketch has for them |
//! | `read=N`, `verify=N` | 64, 32 | entries of a key, and candidates that are verified |
//! | `threshold=X` | .67 | resemblance of a duplicate |

mod collection;
mod errors;
mod search;
mod sketch;
mod templates;

/// The designs that `collection` and `templates` compare unless some are given.
const OF_COLLECTIONS: &str = "Deduplicator 12x3 10x3 8x2 12x3,shared 10x3,shared 8x2,shared read=16 read=256 verify=16 \
    verify=128 cap=300 cap=512 values=0 bits=12 minhash minhash,threshold=.68 threshold=.66 threshold=.68 threshold=.70 exact";
const OF_TEMPLATES: &str = "rarity shared values=0 bits=12 minhash,threshold=.68";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&'static str> = args.into_iter().map(|arg| &*arg.leak()).collect();
    let or = |given: &[&'static str], default: &'static str| -> Vec<&str> {
        if given.is_empty() { default.split_whitespace().collect() } else { given.to_vec() }
    };
    let number = |arg: &str| arg.parse().expect("a number");
    match args[..] {
        ["collection", directory, ref rest @ ..] => {
            let limit = rest.first().and_then(|first| first.parse().ok());
            let designs = &rest[usize::from(limit.is_some())..];
            collection::run(directory, limit.unwrap_or(usize::MAX), &or(designs, OF_COLLECTIONS));
        }
        ["templates", pages, ref rest @ ..] => {
            let shape = rest.first().and_then(|first| first.split_once(':'));
            let shape = shape.map(|(words, numbers)| (number(words), number(numbers)));
            let designs = &rest[usize::from(shape.is_some())..];
            templates::run(number(pages), shape, &or(designs, OF_TEMPLATES));
        }
        ["pairs", ref sizes @ ..] => {
            sizes.iter().for_each(|size| templates::pairs(number(size)));
        }
        ["errors", ref rest @ ..] => errors::run(rest.first().copied()),
        _ => println!(
            "give collection, templates, pairs or errors; the program's first lines explain them"
        ),
    }
}
