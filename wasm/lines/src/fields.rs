//! The two fields of a line that a document consists of.

use alloc::boxed::Box;

use super::cursor::{Cursor, Quoted, Value};

/// The names of the fields. Neither contains U+FFFD, which `JSON.parse` also reads from invalid UTF-8.
pub struct Fields {
    /// The name of the field with the text.
    pub text: Box<[u8]>,
    /// The name of the field with the id.
    pub id: Box<[u8]>,
}

/// The kinds of ids. `js/cli/line-batch.ts` has the same numbers.
///
/// The id is missing or null.
const NONE: u32 = 1;
/// A number, a boolean, or a string of ASCII without escapes, without its quotation marks.
const PLAIN: u32 = 2;
/// Any other string, with its quotation marks.
const QUOTED: u32 = 3;

/// An id, which is written at `bytes[start..end]`.
pub(super) struct Id {
    pub kind: u32,
    pub start: usize,
    pub end: usize,
}

/// The id and the text of a line.
pub(super) struct Line {
    pub id: Id,
    pub text: Quoted,
}

impl Fields {
    /// Reads the object at the cursor, and moves to the line feed after it. Returns `None` if the line is left to
    /// `JSON.parse`.
    pub(super) fn read(&self, cursor: &mut Cursor) -> Option<Line> {
        let mut text = None;
        let mut id = Id { kind: NONE, start: 0, end: 0 };
        cursor.expect(b'{')?;
        if cursor.peek() == b'}' {
            return None;
        }
        loop {
            let key = cursor.string()?;
            // Unescaped, it may be one of the names.
            if key.has_escapes {
                return None;
            }
            let key = &cursor.bytes[key.start..key.end];
            cursor.expect(b':')?;
            let start = cursor.at;
            let value = cursor.value(0)?;
            let end = cursor.at;
            // If keys are equal, the last one counts.
            if *key == *self.text {
                let Value::String(quoted) = value else { return None };
                text = Some(quoted);
            }
            if *key == *self.id {
                id = match value {
                    Value::Null => Id { kind: NONE, start, end },
                    Value::Plain => Id { kind: PLAIN, start, end },
                    Value::String(Quoted { start, end, has_escapes: false })
                        if cursor.bytes[start..end].is_ascii() =>
                    {
                        Id { kind: PLAIN, start, end }
                    }
                    Value::String(_) => Id { kind: QUOTED, start, end },
                    Value::Nested => return None,
                };
            }
            cursor.skip_space();
            if cursor.skip(b'}') {
                break;
            }
            cursor.expect(b',')?;
        }
        cursor.skip_space();
        (cursor.peek() == b'\n').then_some(Line { id, text: text? })
    }
}
