//! A batch of lines: read, unescaped and sketched.

use alloc::vec::Vec;

use nearprint::Fingerprinter;

use super::{
    cursor::Cursor,
    fields::{Fields, Id, Line},
    unescape::unescape,
};
use crate::simd::{Bytes, window::with_padding};

/// A longer line is left to `JSON.parse`, which keeps the buffers small.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The number of cells of a row. All positions are in the batch.
///
/// | cell | content |
/// | --- | --- |
/// | 0 | the number of the line in the batch, from 0 |
/// | 1, 2 | its start, and the end of its line feed |
/// | 3 | the kind: 0 for a line that is left to `JSON.parse`; otherwise the kind of its id: 1 none, 2 number, 3 plain string, 4 JSON |
/// | 4, 5 | the start and the end of the id; for a number, the low and the high half of its two's complement |
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
        let (kind, start, end) = match line.id {
            Id::None => (1, 0, 0),
            Id::Whole(number) => (2, number as u32, (number >> 32) as u32),
            Id::Plain { start, end } => (3, start as u32, end as u32),
            Id::Quoted { start, end } => (4, start as u32, end as u32),
        };
        row[3..7].copy_from_slice(&[kind, start, end, utf16_len(text)]);
        fingerprinter.sketch(text).write_to(&mut self.sketches);
    }
}

/// Returns the position of the next line feed, or the end.
fn line_feed(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    from + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// Returns the length in UTF-16 units: one for each character, and one more for each character of four bytes.
fn utf16_len(text: &str) -> u32 {
    let text = text.as_bytes();
    let mut units = text.len() as u32;
    for at in (0..text.len()).step_by(16) {
        with_padding(text, at, |bytes| {
            let bytes = Bytes::new(bytes);
            if bytes.movemask() != 0 {
                units -= bytes.in_range(0x80, 0xbf).movemask().count_ones();
                units += bytes.in_range(0xf0, 0xff).movemask().count_ones();
            }
        });
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;
    use std::{format, string::String};

    fn json() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            any::<String>().prop_map(|text| Value::from(text)
                .as_str()
                .map(|t| serde_json::to_string(t).expect("a string"))
                .unwrap_or_default()),
            any::<f64>().prop_map(|number| format!("{}", Value::from(number))),
            any::<i64>().prop_map(|number| format!("{number}")),
            prop::sample::select(&[
                "null",
                "true",
                "[ ]",
                "{}",
                r#"[{"text": [1, -0.5e+3]}, "\\"]"#,
                "01",
                "-",
                "tru",
                "\"\t\""
            ])
            .prop_map(String::from),
        ];
        let key = prop::sample::select(&["text", "id", "other", r"\u0069d"]);
        let space = prop::sample::select(&["", " ", "\t", "\r"]);
        prop::collection::vec((key, value, space), 0..6).prop_map(|members| {
            let members: std::vec::Vec<String> = members
                .iter()
                .map(|(key, value, space)| format!("{space}\"{key}\"{space}:{space}{value}{space}"))
                .collect();
            format!("{{{}}}", members.join(","))
        })
    }

    proptest! {
        #[test]
        fn lines_are_read_as_a_parser_reads_them(line in json(), next in "[ -~]{0,20}") {
            let bytes = format!("{line}\n{next}\n");
            let fields = Fields { text: b"text".as_slice().into(), id: b"id".as_slice().into() };
            let mut batch = Batch::default();
            let mut fingerprinter = Fingerprinter::default();
            batch.read(&fields, &mut fingerprinter, bytes.as_bytes());
            let [number, start, end, kind, id_start, id_end, units, sketch] = batch.rows[0];
            prop_assert_eq!((number, start, end as usize), (0, 0, line.len() + 1));
            if kind == 0 {
                return Ok(());
            }
            let parsed: Value = serde_json::from_str(&line).expect("the line is valid");
            let text = parsed["text"].as_str().expect("a text");
            prop_assert_eq!(units as usize, text.encode_utf16().count());
            let expected = fingerprinter.sketch(text).to_bytes();
            prop_assert_eq!(&batch.sketches[..sketch as usize], &expected[..]);
            let id = || &bytes[id_start as usize..id_end as usize];
            let id = match kind {
                1 => Value::Null,
                2 => Value::from((u64::from(id_end) << 32 | u64::from(id_start)) as i64),
                3 => Value::from(id()),
                _ => serde_json::from_str(id()).expect("a value"),
            };
            prop_assert_eq!(id, parsed["id"].clone());
        }
    }
}
