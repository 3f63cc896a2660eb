//! The fields of a line that a document consists of.

use alloc::boxed::Box;

use super::cursor::{Cursor, Quoted, Value};

/// The names of the fields.
pub(super) struct Fields {
    pub text: Box<[u8]>,
    pub id: Box<[u8]>,
    pub scope: Option<Box<[u8]>>,
}

/// What is read of a line.
pub(super) struct Line {
    pub text: Quoted,
    /// The kind, the start and the end of the id.
    pub id: [u32; 3],
    /// The start and the end of the scope, a string without escapes or another value; equal if there is none.
    pub scope: [usize; 2],
}

/// The kinds of ids. `js/cli/document.ts` has the same numbers.
///
/// The id is missing or null.
const NONE: u32 = 1;
/// A number or a boolean.
const LITERAL: u32 = 2;
/// A string of ASCII without escapes, without its quotation marks.
const PLAIN: u32 = 3;
/// Any other string, with its quotation marks.
const QUOTED: u32 = 4;

impl Fields {
    /// Reads the object at the cursor, and moves to the line feed after it. Returns `None` if the line is left to `JSON.parse`.
    pub fn read(&self, cursor: &mut Cursor) -> Option<Line> {
        let mut text = None;
        let mut id = [NONE, 0, 0];
        let mut scope = [0; 2];
        cursor.expect(b'{')?;
        loop {
            let key = cursor.string()?;
            // An escaped key may equal one of the names.
            if key.has_escapes {
                return None;
            }
            let key = &cursor.bytes[key.start..key.end];
            cursor.expect(b':')?;
            let start = cursor.at;
            let value = cursor.value(0)?;
            // If keys are equal, the last one counts.
            if *key == *self.text {
                let Value::String(quoted) = value else { return None };
                text = Some(quoted);
            }
            if self.scope.as_deref() == Some(key) {
                scope = match value {
                    Value::Null => [0; 2],
                    Value::Plain => [start, cursor.at],
                    Value::String(Quoted { start, end, has_escapes: false }) => [start, end],
                    Value::String(_) | Value::Nested => return None,
                };
            }
            if *key == *self.id {
                let (kind, start, end) = match value {
                    Value::Null => (NONE, 0, 0),
                    Value::Plain => (LITERAL, start, cursor.at),
                    Value::String(Quoted { start, end, has_escapes: false })
                        if cursor.bytes[start..end].is_ascii() =>
                    {
                        (PLAIN, start, end)
                    }
                    Value::String(_) => (QUOTED, start, cursor.at),
                    Value::Nested => return None,
                };
                id = [kind, start as u32, end as u32];
            }
            cursor.skip_space();
            if cursor.skip(b'}') {
                break;
            }
            cursor.expect(b',')?;
        }
        cursor.skip_space();
        (cursor.peek() == b'\n').then_some(Line { text: text?, id, scope })
    }
}
