//! Texts that cost most, each a repetition of one of these units. The tests check their words, and the workload `hostile` counts
//! their instructions.

pub const UNITS: [&str; 18] = [
    "\u{301}",                                   // one segment of marks
    "\u{323}\u{301}\u{345}\u{334}\u{5b0}\u{ad}", // marks that are not in their order
    "\u{16d67}",                                 // may join what is before it
    "aÀ漢\u{301}",                               // windows that end at every other character
    "\u{200d}",                                  // joiners
    "👩\u{200d}",                                // joined pictographs
    "🇩",                                         // flags, in pairs
    "a.",                                        // joiners between letters: one word
    "a.\u{301}",                                 // and with marks on the joiner
    "a'\u{200d}1",                               // a joiner that joins nothing
    "א\"\u{5b0}",                                // a quote that waits for a Hebrew letter
    "א'",                                        // apostrophes that windows do not decide
    "_ ",                                        // runs of `_`, which they do not decide either
    "aaaa_ _ ",                                  // windows that decide just enough to go on
    "abc \u{e31}",                               // marks where windows do not expect them
    "x²",                                        // unknown to windows
    "ঘ",                                         // unknown too, and one word
    "1,",                                        // separators between digits: one word
];
