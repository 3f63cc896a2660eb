//! Drops near-duplicates from JSON Lines with `id` and `text`, on all cores: `dedupe_lines [FILE]`. Without a file, it reads
//! standard input. It writes the kept lines as they are, as `nearprint dedupe` does. A line that is not JSON with a text is not
//! written: it is named on standard error, and the exit code is 2. Such lines include texts with an escaped lone surrogate, which a
//! string of Rust cannot contain, and numbers beyond the range of `f64`.

use std::{
    error::Error,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    process::ExitCode,
};

use nearprint::dedupe::{Decision, Deduplicator, Options, Sketch, Sketcher};
use rayon::prelude::*;
use serde_json::Value;

/// The number of lines that are sketched at a time.
const BATCH: usize = 10_000;

/// Returns the sketch of the text of a line, if it is JSON with one. Ids are for the reader of the output: documents are
/// identified by position.
fn sketch(sketcher: &mut Sketcher, line: &[u8]) -> Option<Sketch> {
    let document: Value = serde_json::from_slice(line).ok()?;
    Some(sketcher.sketch(document.get("text")?.as_str()?))
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let input: Box<dyn BufRead> = match std::env::args().nth(1) {
        Some(file) => Box::new(BufReader::new(File::open(file)?)),
        None => Box::new(io::stdin().lock()),
    };
    let mut output = BufWriter::new(io::stdout().lock());
    let (mut kept, options) = (Deduplicator::default(), Options::default());
    let mut lines = input.split(b'\n');
    let (mut place, mut unread) = (0, 0);
    loop {
        let batch: Vec<Vec<u8>> = lines.by_ref().take(BATCH).collect::<Result<_, _>>()?;
        if batch.is_empty() {
            output.flush()?;
            return Ok(ExitCode::from(if unread > 0 { 2 } else { 0 }));
        }
        // Each thread has a sketcher, whose memory is used again for the next text.
        let sketches: Vec<Option<Sketch>> = batch
            .par_iter()
            .map_init(Sketcher::default, |sketcher, line| sketch(sketcher, line))
            .collect();
        // Decisions depend on the order of the documents.
        for (line, sketch) in batch.iter().zip(&sketches) {
            place += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match sketch {
                None => {
                    unread += 1;
                    eprintln!("line {place} is not JSON with a text");
                }
                Some(sketch) => {
                    if let Decision::New = kept.observe(place, sketch, &options)? {
                        output.write_all(line)?;
                        output.write_all(b"\n")?;
                    }
                }
            }
        }
    }
}
