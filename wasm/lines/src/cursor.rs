//! A position in JSON, and what the grammar allows there (ECMA-404; ECMAScript, `JSON.parse`).

use crate::simd::{
    Bytes,
    window::{WINDOW, with_padding},
};

/// Deeper values are left to `JSON.parse`.
const MAX_LEVELS: u32 = 32;

/// A string without its quotation marks: `bytes[start..end]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quoted {
    pub start: usize,
    pub end: usize,
    pub has_escapes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    String(Quoted),
    /// A number, `true` or `false`.
    Plain,
    Null,
    /// An object or an array.
    Nested,
}

/// Each method that reads something returns `None` if the grammar does not allow it, and moves past it otherwise.
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Cursor<'_> {
    /// Returns the next byte, or a line feed at the end: the grammar allows none inside a line.
    #[inline]
    pub fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(b'\n')
    }

    /// Skips white space, except line feeds.
    #[inline]
    pub fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// Skips `byte`, if it is the next one.
    #[inline]
    pub fn skip(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips `byte` and the white space around it.
    #[inline]
    pub fn expect(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        self.skip(byte).then(|| self.skip_space())
    }

    /// Reads a value of any kind. Its members are checked, not returned.
    pub fn value(&mut self, level: u32) -> Option<Value> {
        match self.peek() {
            b'"' => self.string().map(Value::String),
            b'{' => self.nested(level, b'}').map(|()| Value::Nested),
            b'[' => self.nested(level, b']').map(|()| Value::Nested),
            b'n' => self.literal(b"null").map(|()| Value::Null),
            b't' => self.literal(b"true").map(|()| Value::Plain),
            b'f' => self.literal(b"false").map(|()| Value::Plain),
            _ => self.number().map(|()| Value::Plain),
        }
    }

    /// Reads an object or an array.
    fn nested(&mut self, level: u32, close: u8) -> Option<()> {
        if level == MAX_LEVELS {
            return None;
        }
        self.at += 1;
        self.skip_space();
        if self.skip(close) {
            return Some(());
        }
        loop {
            if close == b'}' {
                self.string()?;
                self.expect(b':')?;
            }
            self.value(level + 1)?;
            self.skip_space();
            if self.skip(close) {
                return Some(());
            }
            self.expect(b',')?;
        }
    }

    fn literal(&mut self, word: &[u8]) -> Option<()> {
        let is_next = self.bytes[self.at..].starts_with(word);
        self.at += word.len();
        is_next.then_some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn number(&mut self) -> Option<()> {
        self.skip(b'-');
        // No digit may follow a leading zero.
        if !self.skip(b'0') {
            self.digits()?;
        }
        if self.skip(b'.') {
            self.digits()?;
        }
        if self.skip(b'e') || self.skip(b'E') {
            let _ = self.skip(b'+') || self.skip(b'-');
            self.digits()?;
        }
        Some(())
    }

    /// Reads a string. Its bytes may be invalid UTF-8.
    pub fn string(&mut self) -> Option<Quoted> {
        if !self.skip(b'"') {
            return None;
        }
        let start = self.at;
        let mut has_escapes = false;
        // In each window, one bit for each byte that matters: a quotation mark, a backslash or a control character.
        'windows: loop {
            let base = self.at;
            let mut marks = with_padding(self.bytes, base.min(self.bytes.len()), special);
            while marks != 0 {
                self.at = base + marks.trailing_zeros() as usize;
                match self.peek() {
                    b'"' => {
                        let end = self.at;
                        self.at += 1;
                        return Some(Quoted { start, end, has_escapes });
                    }
                    b'\\' => self.escape()?,
                    _ => return None,
                }
                has_escapes = true;
                let done = self.at - base;
                if done >= WINDOW {
                    continue 'windows;
                }
                marks &= u64::MAX << done;
            }
            self.at = base + WINDOW;
        }
    }

    /// Reads a backslash and the rest of the escape.
    #[inline]
    fn escape(&mut self) -> Option<()> {
        self.at += 1;
        match self.peek() {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
            b'u' => {
                let digits = self.bytes.get(self.at + 1..self.at + 5)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 5;
            }
            _ => return None,
        }
        Some(())
    }
}

/// Returns one bit for each quotation mark, backslash and control character.
#[inline]
fn special(bytes: &[u8; WINDOW]) -> u64 {
    let mut marks = 0;
    for (at, bytes) in bytes.as_chunks().0.iter().enumerate() {
        let bytes = Bytes::new(bytes);
        let special = bytes.is(b'"').or(bytes.is(b'\\')).or(bytes.in_range(0, 0x1f));
        marks |= special.movemask() << (16 * at);
    }
    marks
}
