//! The features of two texts by name, for display.

use alloc::{string::String, vec::Vec};

use super::{Choice, Features, Sink, Tokens, extract, spans};
use crate::{hash::fmix64, sort::sort_by_key};

/// A feature of a text, and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedFeature {
    /// The words of the feature, with a space between two words unless both are of scripts written without spaces; or its
    /// characters.
    pub name: String,
    /// The number of its words, or of its characters.
    pub span: usize,
    /// How often it occurs in the text, at most `u32::MAX`.
    pub count: u32,
    /// How often it occurs in the other text, at most `u32::MAX`.
    pub other_count: u32,
    /// Not mixed.
    pub hash: u64,
    /// Whether it is a gram of one word among grams of several, which do not decide the resemblance.
    pub is_single: bool,
}

/// Returns the different features of each text, in the order in which they first end. O(n log n) for `n` features.
///
/// Sorting finds the equal ones: in a hash table of millions of features each search has cache misses, and an attacker, who can
/// choose the hashes, could make searches long.
pub(crate) fn named_features<const FOLDS: bool>(
    choice: Choice,
    texts: [&str; 2],
) -> [Vec<NamedFeature>; 2] {
    let [mut a, mut b] = texts.map(|text| {
        let size = Size::of::<FOLDS>(choice, text);
        // While a vector grows, it takes up to three times its final size.
        let mut list = List {
            features: choice.features,
            spans: Vec::with_capacity(size.features),
            text: String::with_capacity(size.bytes),
            tokens: Vec::with_capacity(size.tokens),
        };
        extract::<FOLDS>(choice, text, &mut list);
        list
    });
    count(&mut a.spans, &mut b.spans);
    [a.named(), b.named()]
}

/// Returns an upper bound on the memory that the named features of a text take, in bytes, while they are found, converted to
/// features of `converted` bytes, and written. O(text).
pub(crate) fn memory_of_names<const FOLDS: bool>(
    choice: Choice,
    text: &str,
    converted: usize,
) -> usize {
    let size = Size::of::<FOLDS>(choice, text);
    // The occurrences are grouped, and then named. When a caller converts or writes the features, the occurrences are gone.
    let found = size_of::<Span>() + max(size_of::<(u64, usize)>(), NAMED + NAME);
    let written = converted + NAME + max(NAMED, 2 * MAX_CELLS * size_of::<u64>());
    let max_span = match choice.features {
        Features::Grams => 3,
        Features::Words(n) | Features::Chars(n) => n,
    };
    // A name has at most a space for each token. It is a string, and is copied to a list of all names, which grows.
    let names = 4.0 * f64::from(max_span) * (size.bytes + size.tokens) as f64;
    let features = size.features as f64 * max(found, written) as f64;
    (features + names + (size.bytes + size.tokens * size_of::<Token>()) as f64) as usize
}

/// The maximum number of numbers that a caller writes for a feature. It may copy the list of all numbers.
const MAX_CELLS: usize = 3;

const NAMED: usize = size_of::<NamedFeature>();

/// The maximum overhead of the allocation of a name, in bytes.
const NAME: usize = 24;

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The size of a text: the numbers of its features and of its words or characters, repetitions included, and an upper bound on the
/// bytes of these.
#[derive(Default)]
struct Size {
    features: usize,
    tokens: usize,
    bytes: usize,
}

impl Size {
    fn of<const FOLDS: bool>(choice: Choice, text: &str) -> Self {
        let mut size = Size::default();
        extract::<FOLDS>(choice, text, &mut size);
        size
    }
}

impl Sink for Size {
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], _singles: usize) {
        self.features += hashes.len();
        self.tokens += tokens.len();
        self.bytes += match tokens {
            Tokens::Words(_, words, ..) => words.last().map_or(0, |last| last.end - words[0].start),
            Tokens::Chars(chars) => 4 * chars.len(),
        };
    }

    fn take_last(&mut self, _hash: u64, _span: usize) {
        self.features += 1;
    }
}

/// Counts each feature of both texts at its first occurrence in each. O(n log n) for `n` occurrences.
fn count(a: &mut [Span], b: &mut [Span]) {
    // The number of an occurrence in the second text follows the numbers in the first. Mixed, because the highest bits of
    // FNV hashes of short words agree.
    let hashes = a.iter().chain(&*b).map(|span| fmix64(span.hash));
    let mut numbered: Vec<(u64, usize)> = hashes.zip(0..).collect();
    sort_by_key(&mut numbered, &|&(hash, _)| hash);
    for equal in numbered.chunk_by(|x, y| x.0 == y.0) {
        let (mut first_in_a, mut first_in_b, mut count_in_a) = (usize::MAX, usize::MAX, 0_usize);
        for &(_, number) in equal {
            match number.checked_sub(a.len()) {
                None => {
                    first_in_a = first_in_a.min(number);
                    count_in_a += 1;
                }
                Some(number) => first_in_b = first_in_b.min(number),
            }
        }
        let counts = [count_in_a, equal.len() - count_in_a];
        let [count_in_a, count_in_b] = counts.map(|count| count.try_into().unwrap_or(u32::MAX));
        if let Some(span) = a.get_mut(first_in_a) {
            (span.count, span.other_count) = (count_in_a, count_in_b);
        }
        if let Some(span) = b.get_mut(first_in_b) {
            (span.count, span.other_count) = (count_in_b, count_in_a);
        }
    }
}

/// An occurrence of a feature: the hash, and the tokens from `start` to `end`.
struct Span {
    hash: u64,
    start: usize,
    end: usize,
    is_single: bool,
    /// How often the feature occurs in the text, if this is its first occurrence, else 0.
    count: u32,
    /// How often it occurs in the other text, if this is its first occurrence.
    other_count: u32,
}

/// Collects features.
struct List {
    features: Features,
    /// In the order in which they end.
    spans: Vec<Span>,
    /// The words or characters so far, without separators.
    text: String,
    tokens: Vec<Token>,
}

/// A word or a character.
struct Token {
    /// Where it starts and ends in the text of the list.
    start: usize,
    end: usize,
    /// Whether its script is written without spaces.
    is_unspaced: bool,
    is_dense: bool,
}

impl Sink for List {
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        let known = self.tokens.len();
        match tokens {
            Tokens::Words(text, words, ..) => {
                for word in words {
                    let start = self.text.len();
                    self.text.push_str(&text[word.start..word.end]);
                    self.end_token(start, word.is_unspaced, word.is_dense);
                }
            }
            Tokens::Chars(chars) => {
                for char in chars {
                    let start = self.text.len();
                    self.text.push(char.decode());
                    self.end_token(start, true, false);
                }
            }
        }
        let (singles, others) = hashes.split_at(singles);
        let (mut singles, mut others) = (singles.iter(), others.iter());
        let has_singles = self.features == Features::Grams;
        for end in known + 1..=self.tokens.len() {
            let is_dense =
                |back: usize| end.checked_sub(back).is_some_and(|at| self.tokens[at].is_dense);
            for span in spans(self.features, end, [is_dense(1), is_dense(3)]) {
                let is_single = span == 1 && has_singles;
                let hashes = if is_single { &mut singles } else { &mut others };
                let &hash = hashes.next().expect("a hash for every span");
                self.add(hash, end, span, is_single);
            }
        }
    }

    fn take_last(&mut self, hash: u64, span: usize) {
        let is_single = span == 1 && self.features == Features::Grams;
        self.add(hash, self.tokens.len(), span, is_single);
    }
}

impl List {
    /// Adds the feature of the `span` tokens before the token `end`.
    fn add(&mut self, hash: u64, end: usize, span: usize, is_single: bool) {
        self.spans.push(Span { hash, start: end - span, end, is_single, count: 0, other_count: 0 });
    }

    /// Adds the token whose text begins at `start`.
    fn end_token(&mut self, start: usize, is_unspaced: bool, is_dense: bool) {
        self.tokens.push(Token { start, end: self.text.len(), is_unspaced, is_dense });
    }

    /// Returns the text of consecutive words or characters.
    fn join(&self, tokens: &[Token]) -> String {
        let [first, .., last] = tokens else {
            return tokens.iter().map(|only| &self.text[only.start..only.end]).collect();
        };
        let mut text = String::with_capacity(last.end - first.start + tokens.len());
        let mut needs_space = false;
        for token in tokens {
            if !text.is_empty() && (needs_space || !token.is_unspaced) {
                text.push(' ');
            }
            text.push_str(&self.text[token.start..token.end]);
            needs_space = !token.is_unspaced;
        }
        text
    }

    /// Returns the features in the order of their first occurrences, which have counts.
    fn named(&self) -> Vec<NamedFeature> {
        let first = self.spans.iter().filter(|span| span.count > 0);
        let mut named = Vec::with_capacity(first.clone().count());
        named.extend(first.map(|&Span { hash, start, end, is_single, count, other_count }| {
            let name = self.join(&self.tokens[start..end]);
            NamedFeature { name, span: end - start, count, other_count, hash, is_single }
        }));
        named
    }
}
