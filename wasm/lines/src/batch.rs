//! A batch of lines: read, unescaped and sketched.

use alloc::vec::Vec;

use nearprint::Fingerprinter;

use super::{
    cursor::Cursor,
    fields::{Fields, Id, Line},
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
/// | 7 | the end of the sketch in the sketches |
pub const CELLS: usize = 8;

/// The lines that were read last.
#[derive(Default)]
pub struct Batch {
    /// A row for each line that is not blank.
    pub rows: Vec<[u32; CELLS]>,
    /// The binary forms of the sketches, one after the other.
    pub sketches: Vec<u8>,
    text: Vec<u8>,
}

impl Batch {
    /// Reads lines, each with its line feed, and makes sketches of the fingerprinter's scheme.
    pub fn read(&mut self, fields: &Fields, fingerprinter: &mut Fingerprinter, bytes: &[u8]) {
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
            let line = fields.read(&mut cursor);
            let at_end =
                if is_blank || line.is_some() { cursor.at } else { line_feed(bytes, start) };
            let end = (at_end + 1).min(bytes.len());
            if !is_blank {
                let mut row = [0; CELLS];
                row[..3].copy_from_slice(&[number, start as u32, end as u32]);
                if let Some(line) = line.filter(|_| end - start <= MAX_LINE_BYTES) {
                    self.summarize(&line, bytes, fingerprinter, &mut row);
                }
                row[7] = self.sketches.len() as u32;
                self.rows.push(row);
            }
            start = end;
        }
    }

    fn summarize(
        &mut self,
        line: &Line,
        bytes: &[u8],
        fingerprinter: &mut Fingerprinter,
        row: &mut [u32; CELLS],
    ) {
        let content = &bytes[line.text.start..line.text.end];
        let text = if line.text.has_escapes {
            let len = unescape(content, &mut self.text);
            &self.text[..len]
        } else {
            content
        };
        // Invalid UTF-8 is left to `JSON.parse`.
        let Ok(text) = core::str::from_utf8(text) else { return };
        let Id { kind, start, end } = line.id;
        row[3..7].copy_from_slice(&[kind, start as u32, end as u32, utf16_len(text)]);
        fingerprinter.sketch(text).write_to(&mut self.sketches);
    }
}

/// Returns the position of the next line feed, or the end.
fn line_feed(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    from + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// Returns the length in UTF-16 units: one for each character, and one more for each character of four bytes. The compiler
/// makes vectors of sums that fit in a byte.
fn utf16_len(text: &str) -> u32 {
    let units = |&byte: &u8| u8::from(byte as i8 >= -0x40) + u8::from(byte >= 0xf0);
    text.as_bytes().chunks(120).map(|part| u32::from(part.iter().map(units).sum::<u8>())).sum()
}
