//! Lines that are read, unescaped and sketched.

use alloc::{string::String, vec::Vec};

use memchr::memchr;
use nearprint::dedupe::{Scope, Sketcher};

use super::fields::{Fields, Line};

/// A longer line is left to `JSON.parse`, which keeps the buffers small.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The number of cells of a row. `js/node/document-rows.ts` has the same.
///
/// | cell | content |
/// | --- | --- |
/// | 0 | the number of the line in the batch, from 0 |
/// | 1, 2 | its start, and the end of its line feed, in the batch |
/// | 3 | 0 for a line that is left to `JSON.parse`; otherwise the kind of its id |
/// | 4 | the end of the id in the ids |
/// | 5 | the length of the text in UTF-16 units |
/// | 6 | 1 if the document has a scope |
/// | 7 | the end of the sketch in the sketches |
pub const CELLS: usize = 8;

/// Reads lines, and holds the results of the last call.
pub struct LineSketcher {
    fields: Fields,
    sketcher: Sketcher,
    /// A row for each line that is not blank.
    pub rows: Vec<[u32; CELLS]>,
    /// The sources of the ids, one after the other.
    pub ids: Vec<u8>,
    /// The binary forms of the sketches, one after the other.
    pub sketches: Vec<u8>,
    /// Memory for an unescaped text.
    unescaped: String,
}

impl LineSketcher {
    /// Returns a reader that makes sketches of the scheme of `sketcher`. The names of the fields differ, and none may contain
    /// U+FFFD, which `JSON.parse` also reads from invalid UTF-8.
    pub fn new(
        sketcher: Sketcher,
        text_field: &str,
        id_field: &str,
        scope_field: Option<&str>,
    ) -> Self {
        let [text, id] = [text_field, id_field].map(Into::into);
        let fields = Fields { text, id, scope: scope_field.map(Into::into) };
        let (rows, ids, sketches) = (Vec::new(), Vec::new(), Vec::new());
        Self { fields, sketcher, rows, ids, sketches, unescaped: String::new() }
    }

    /// Reads lines, each with its line feed.
    pub fn read(&mut self, lines: &str) {
        self.rows.clear();
        self.ids.clear();
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
                let [kind, units, has_scope] = self.read_line(line).unwrap_or_default();
                let [number, start, end, id_end, sketch_end] =
                    [number, start, end, self.ids.len(), self.sketches.len()]
                        .map(|cell| cell as u32);
                self.rows.push([number, start, end, kind, id_end, units, has_scope, sketch_end]);
            }
            start = end;
        }
    }

    /// Reads a line, and sketches its text. Returns cells 3, 5 and 6 of its row, or `None` if the line is left to `JSON.parse`.
    fn read_line(&mut self, line: &str) -> Option<[u32; 3]> {
        if line.len() >= MAX_LINE_BYTES {
            return None;
        }
        let Line { text, id, scope } = self.fields.read(line, &mut self.unescaped)?;
        let text = text.unwrap_or(&self.unescaped);
        self.sketcher.sketch_in(Scope::new(scope), text).write_to(&mut self.sketches);
        self.ids.extend_from_slice(id.source.as_bytes());
        Some([id.kind, utf16_len(text), u32::from(!scope.is_empty())])
    }
}

/// Returns the length in UTF-16 units: one for each character, and one more for each character of four bytes. The compiler
/// vectorises sums that fit in a byte.
fn utf16_len(text: &str) -> u32 {
    let units = |&byte: &u8| u8::from(byte as i8 >= -0x40) + u8::from(byte >= 0xf0);
    text.as_bytes().chunks(120).map(|part| u32::from(part.iter().map(units).sum::<u8>())).sum()
}
