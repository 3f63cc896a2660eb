//! A fixed workload, whose instructions `node scripts/instructions.mjs` counts.

use nearprint::{Fingerprinter, Scheme};

/// A pseudorandom text of 100,000 bytes whose words are as varied as those of natural text.
fn text(letters: &[char], space: &str, longest: u32, mut state: u32) -> String {
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut text = String::new();
    while text.len() < 100_000 {
        // The product of two makes some words common and most rare.
        let word = next(60) * next(60);
        for at in 0..1 + word % longest {
            text.push(letters[(word * 7 + at * 13) as usize % letters.len()]);
        }
        text.push_str(match next(12) {
            0 => ". ",
            1 => ", ",
            2 => "’s ",
            _ => space,
        });
    }
    text
}

fn main() {
    let latin: Vec<char> = "etaoinshrdlucmfwypvbgkTAIS".chars().collect();
    let cyrillic: Vec<char> = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф".chars().collect();
    let han: Vec<char> = ('一'..'十').collect();
    let texts = [text(&latin, " ", 9, 1), text(&cyrillic, " ", 11, 2), text(&han, "", 30, 3)];
    let mut prints = 0;
    for id in ["v1:64", "v1:64:words1:tf", "v1:64:chars2:tf"] {
        let mut fingerprinter = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
        for text in &texts {
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (piece, more) = rest.split_at(rest.floor_char_boundary(3000));
                prints ^= fingerprinter.fingerprint(piece);
                rest = more;
            }
        }
    }
    println!("{prints:016x}");
}
