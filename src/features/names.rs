//! The features of a text by name, for display.

use alloc::{string::String, vec, vec::Vec};

use super::{Choice, Features, Sink, Tokens, extract, spans};
use crate::sort::sort;

/// A feature of a text, and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedFeature {
    /// The words of the feature, with a space between two words unless both are of scripts written without spaces; or its
    /// characters.
    pub name: String,
    /// The number of its words, or of its characters.
    pub span: usize,
    /// At most `u32::MAX`.
    pub count: u32,
    /// Not mixed.
    pub hash: u64,
    /// Whether it is a gram of one word among grams of several, which do not decide the resemblance.
    pub is_single: bool,
}

/// Returns the different features of `text`, in the order in which they first end. O(text · log features).
pub(crate) fn named_features<const FOLDS: bool>(choice: Choice, text: &str) -> Vec<NamedFeature> {
    let mut list = List { features: choice.features, spans: Vec::new(), tokens: Vec::new() };
    extract::<FOLDS>(choice, text, &mut list);
    list.different()
}

/// An occurrence of a feature: the hash, and the tokens from `start` to `end`.
struct Span {
    hash: u64,
    start: usize,
    end: usize,
    is_single: bool,
}

/// Collects features.
struct List {
    features: Features,
    /// In the order in which they end.
    spans: Vec<Span>,
    /// The words or characters so far.
    tokens: Vec<Token>,
}

struct Token {
    text: String,
    /// Whether its script is written without spaces.
    is_unspaced: bool,
    is_dense: bool,
}

/// Returns the text of consecutive words or characters.
fn join(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut needs_space = false;
    for token in tokens {
        if !text.is_empty() && (needs_space || !token.is_unspaced) {
            text.push(' ');
        }
        text.push_str(&token.text);
        needs_space = !token.is_unspaced;
    }
    text
}

impl Sink for List {
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        let known = self.tokens.len();
        match tokens {
            Tokens::Words(text, words, ..) => self.tokens.extend(words.iter().map(|word| Token {
                text: text[word.start..word.end].into(),
                is_unspaced: word.is_unspaced,
                is_dense: word.is_dense,
            })),
            Tokens::Chars(chars) => self.tokens.extend(chars.iter().map(|char| Token {
                text: char.decode().into(),
                is_unspaced: true,
                is_dense: false,
            })),
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
        self.spans.push(Span { hash, start: end - span, end, is_single });
    }

    fn different(&self) -> Vec<NamedFeature> {
        let Self { spans, tokens, .. } = self;
        // For bisection: an attacker can choose the hashes of features, which would make a hash table slow.
        let mut order: Vec<u64> = spans.iter().map(|span| span.hash).collect();
        sort(&mut order);
        order.dedup();
        const NONE: usize = usize::MAX;
        let mut places = vec![NONE; order.len()];
        let mut features: Vec<NamedFeature> = Vec::new();
        for &Span { hash, start, end, is_single } in spans {
            let place =
                &mut places[order.binary_search(&hash).expect("all hashes are in the order")];
            if *place == NONE {
                *place = features.len();
                let name = join(&tokens[start..end]);
                features.push(NamedFeature { name, span: end - start, count: 0, hash, is_single });
            }
            let count = &mut features[*place].count;
            *count = count.saturating_add(1);
        }
        features
    }
}
