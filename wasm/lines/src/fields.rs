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

/// An id; a string at `bytes[start..end]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Id {
    /// The field is missing or null.
    None,
    Whole(i64),
    /// A string of ASCII without escapes, without its quotation marks.
    Plain {
        start: usize,
        end: usize,
    },
    /// Any other string, with its quotation marks.
    Quoted {
        start: usize,
        end: usize,
    },
}

/// The id and the text of a line.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub id: Id,
    pub text: Quoted,
}

impl Fields {
    /// Reads the object at the cursor, and moves to the line feed after it. Returns `None` if the line is left to
    /// `JSON.parse`.
    pub(super) fn read(&self, cursor: &mut Cursor) -> Option<Line> {
        let mut text = None;
        let mut id = Id::None;
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
            let value = cursor.value(0)?;
            // If keys are equal, the last one counts.
            if *key == *self.text {
                let Value::String(quoted) = value else { return None };
                text = Some(quoted);
            }
            if *key == *self.id {
                id = match value {
                    Value::Null => Id::None,
                    Value::Whole(number) => Id::Whole(number),
                    Value::String(Quoted { start, end, has_escapes }) => {
                        if !has_escapes && cursor.bytes[start..end].is_ascii() {
                            Id::Plain { start, end }
                        } else {
                            Id::Quoted { start: start - 1, end: end + 1 }
                        }
                    }
                    Value::Other => return None,
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
