//! A batch of lines: read, unescaped and sketched.

use alloc::{string::String, vec::Vec};

use memchr::memchr;
use nearprint::{Fingerprinter, Scope};

use super::fields::{Fields, Line};

/// A longer line is left to `JSON.parse`, which keeps the buffers small.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The number of cells of a row. All positions are in the batch.
///
/// | cell | content |
/// | --- | --- |
/// | 0 | the number of the line in the batch, from 0 |
/// | 1, 2 | its start, and the end of its line feed |
/// | 3 | 0 for a line that is left to `JSON.parse`; otherwise the kind of its id |
/// | 4, 5 | the start and the end of the id |
/// | 6 | the length of the text in UTF-16 units |
/// | 7, 8 | the start and the end of the scope; equal if there is none |
/// | 9 | the end of the sketch in the sketches |
pub const CELLS: usize = 10;

/// Reads lines, and holds the results of the last call.
pub struct Batch {
    fields: Fields,
    fingerprinter: Fingerprinter,
    /// A row for each line that is not blank.
    pub rows: Vec<[u32; CELLS]>,
    /// The binary forms of the sketches, one after the other.
    pub sketches: Vec<u8>,
    /// Memory for an unescaped text.
    unescaped: String,
}

impl Batch {
    /// Returns a reader that makes sketches of the fingerprinter's scheme. The names of the fields differ, and none may contain
    /// U+FFFD, which `JSON.parse` also reads from invalid UTF-8.
    pub fn new(
        fingerprinter: Fingerprinter,
        text_field: &str,
        id_field: &str,
        scope_field: Option<&str>,
    ) -> Self {
        let [text, id] = [text_field, id_field].map(Into::into);
        let fields = Fields { text, id, scope: scope_field.map(Into::into) };
        let (rows, sketches) = (Vec::new(), Vec::new());
        Self { fields, fingerprinter, rows, sketches, unescaped: String::new() }
    }

    /// Reads lines, each with its line feed.
    pub fn read(&mut self, lines: &str) {
        self.rows.clear();
        self.sketches.clear();
        let mut start = 0;
        for number in 0.. {
            if start == lines.len() {
                break;
            }
            let rest = &lines[start..];
            let len = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let end = (start + len + 1).min(lines.len());
            let line = &rest[..len];
            if !line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                let [number, start, end] = [number, start, end].map(|cell| cell as u32);
                let read = self.read_line(line, lines).unwrap_or_default();
                let [kind, id, id_end, units, scope, scope_end] = read;
                let sketched = self.sketches.len() as u32;
                self.rows.push([
                    number, start, end, kind, id, id_end, units, scope, scope_end, sketched,
                ]);
            }
            start = end;
        }
    }

    /// Reads a line of `lines`, and sketches its text. Returns cells 3 to 8 of its row, or `None` if the line is left to
    /// `JSON.parse`.
    fn read_line(&mut self, line: &str, lines: &str) -> Option<[u32; 6]> {
        if line.len() >= MAX_LINE_BYTES {
            return None;
        }
        let Line { text, id, scope } = self.fields.read(line, &mut self.unescaped)?;
        let text = text.unwrap_or(&self.unescaped);
        self.fingerprinter.sketch_in(Scope::new(scope), text).write_to(&mut self.sketches);
        let ([id_start, id_end], [from, to]) = (range(id.source, lines), range(scope, lines));
        Some([id.kind, id_start, id_end, utf16_len(text), from, to])
    }
}

/// Returns the start and the end of a part of `lines`; equal if it is empty.
fn range(part: &str, lines: &str) -> [u32; 2] {
    let start = (part.as_ptr() as usize).wrapping_sub(lines.as_ptr() as usize);
    if part.is_empty() { [0; 2] } else { [start, start + part.len()].map(|at| at as u32) }
}

/// Returns the length in UTF-16 units: one for each character, and one more for each character of four bytes. The compiler
/// vectorises sums that fit in a byte.
fn utf16_len(text: &str) -> u32 {
    let units = |&byte: &u8| u8::from(byte as i8 >= -0x40) + u8::from(byte >= 0xf0);
    text.as_bytes().chunks(120).map(|part| u32::from(part.iter().map(units).sum::<u8>())).sum()
}
