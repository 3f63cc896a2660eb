//! Fixed lines of JSON, to count the instructions of reading them. Their texts contain no words: the workload `sketches`
//! counts the instructions of sketches.

use nearprint::{Sketcher, hash::fmix64};
use nearprint_lines::LineSketcher;

/// Parts of strings, as JSON writes them. A text has parts in ASCII only.
const ASCII: [&str; 6] =
    ["................", ", ; : ! ?", "(-)", r"\n", r#"\"\""#, r"\u002e\u002e"];
const OTHERS: [&str; 4] = ["Straße und Café", "……、「」。", r"\ud83d\ude00", r"\u2026\t"];

fn string(parts: &[&str], count: u64, seed: u64) -> String {
    (0..count).map(|at| parts[fmix64(seed << 8 | at) as usize % parts.len()]).collect()
}

fn line(number: u64) -> String {
    let text = string(&ASCII, 40, number);
    let summary = string(&[&ASCII[..], &OTHERS].concat(), 40, number + 1);
    let id = match number % 4 {
        0 => format!("{number}"),
        1 => format!(r#""document-{number}""#),
        2 => format!(r#""№ \u0031{number}""#),
        // Left to `JSON.parse`.
        _ => format!("[{number}]"),
    };
    let tags = r#"["a", {"b": [1.5e3, true, null]}, {}]"#;
    format!(
        "{{\"id\": {id}, \"summary\": \"{summary}\", \"tags\": {tags}, \"text\": \"{text}\"}}\n"
    )
}

fn main() {
    let lines: String = (0..500).map(line).collect();
    let mut sketcher = LineSketcher::new(Sketcher::default(), "text", "id", None);
    let mut sum = 0;
    for _ in 0..20 {
        sketcher.read(&lines);
        sum += sketcher.rows.iter().flatten().map(|&cell| u64::from(cell)).sum::<u64>();
    }
    println!("{sum} {}", sketcher.sketches.len());
}
