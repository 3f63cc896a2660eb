//! A batch of lines: read, unescaped and sketched.

use alloc::vec::Vec;

use nearprint::{Fingerprinter, Scope};

use super::{
    cursor::Cursor,
    fields::{Fields, Line},
    unescape::unescape,
};

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
    text: Vec<u8>,
}

impl Batch {
    /// Returns a reader that makes sketches of the fingerprinter's scheme. No name of a field may contain U+FFFD, which
    /// `JSON.parse` also reads from invalid UTF-8.
    pub fn new(
        fingerprinter: Fingerprinter,
        text_field: &str,
        id_field: &str,
        scope_field: Option<&str>,
    ) -> Self {
        let [text, id] = [text_field, id_field].map(|name| name.as_bytes().into());
        let fields = Fields { text, id, scope: scope_field.map(|name| name.as_bytes().into()) };
        Self { fields, fingerprinter, rows: Vec::new(), sketches: Vec::new(), text: Vec::new() }
    }

    /// Reads lines, each with its line feed.
    pub fn read(&mut self, lines: &str) {
        let bytes = lines.as_bytes();
        self.rows.clear();
        self.sketches.clear();
        let mut start = 0;
        for number in 0.. {
            if start >= bytes.len() {
                break;
            }
            let mut cursor = Cursor { bytes, at: start };
            cursor.skip_space();
            let is_blank = cursor.peek() == b'\n';
            let line = self.fields.read(&mut cursor);
            let at_end =
                if is_blank || line.is_some() { cursor.at } else { line_feed(bytes, start) };
            let end = (at_end + 1).min(bytes.len());
            if !is_blank {
                let line = line.filter(|_| end - start <= MAX_LINE_BYTES);
                let read =
                    line.and_then(|line| Some((self.sketch(&line, lines)?, line.id, line.scope)));
                let (units, [kind, id_start, id_end], scope) = read.unwrap_or_default();
                let [start, end, from, to, sketched] =
                    [start, end, scope[0], scope[1], self.sketches.len()].map(|at| at as u32);
                self.rows
                    .push([number, start, end, kind, id_start, id_end, units, from, to, sketched]);
            }
            start = end;
        }
    }

    /// Sketches the text of a line. Returns its length in UTF-16 units.
    fn sketch(&mut self, Line { text, scope, .. }: &Line, lines: &str) -> Option<u32> {
        let scope = Scope::new(lines.get(scope[0]..scope[1])?);
        let mut content = lines.get(text.start..text.end)?;
        if text.has_escapes {
            let len = unescape(content.as_bytes(), &mut self.text);
            content = core::str::from_utf8(&self.text[..len]).ok()?;
        }
        self.fingerprinter.sketch_in(scope, content).write_to(&mut self.sketches);
        Some(utf16_len(content))
    }
}

/// Returns the position of the next line feed, or the end.
fn line_feed(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    from + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// Returns the length in UTF-16 units: one for each character, and one more for each character of four bytes. The compiler
/// vectorises sums that fit in a byte.
fn utf16_len(text: &str) -> u32 {
    let units = |&byte: &u8| u8::from(byte as i8 >= -0x40) + u8::from(byte >= 0xf0);
    text.as_bytes().chunks(120).map(|part| u32::from(part.iter().map(units).sum::<u8>())).sum()
}
