//! The fields of a line that a document consists of.

use alloc::{boxed::Box, string::String};
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A line with at least as many opening brackets in one value is left to `JSON.parse`, whose caller refuses deeper ones.
const MAX_LEVELS: usize = 1000;

/// The names of the fields, which all differ.
pub(super) struct Fields {
    pub text: Box<str>,
    pub id: Box<str>,
    pub scope: Option<Box<str>>,
}

/// The document of a line.
pub(super) struct Line<'a> {
    /// The text; `None` if it has escapes, and is therefore in the memory for unescaped texts.
    pub text: Option<&'a str>,
    pub id: Plain<'a>,
    /// A string without escapes or the source of another value; empty if there is none.
    pub scope: &'a str,
}

/// The source of a value that is not nested.
pub(super) struct Plain<'a> {
    pub kind: u32,
    pub source: &'a str,
}

/// The kinds of ids. `js/node/document-rows.ts` has the same numbers.
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
    /// Reads a line without its line feed. Returns `None` if the line is left to `JSON.parse`. A text with escapes is written to
    /// `unescaped`.
    pub fn read<'a>(&self, line: &'a str, unescaped: &mut String) -> Option<Line<'a>> {
        let mut deserializer = serde_json::Deserializer::from_str(line);
        let reader = ObjectReader { fields: self, unescaped };
        let read = deserializer.deserialize_map(reader).ok()?;
        deserializer.end().ok()?;
        Some(read)
    }
}

/// Reads the object of a line.
struct ObjectReader<'f, 't> {
    fields: &'f Fields,
    unescaped: &'t mut String,
}

impl<'de> Visitor<'de> for ObjectReader<'_, '_> {
    type Value = Line<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Line<'de>, A::Error> {
        let Self { fields, unescaped } = self;
        let mut text = None;
        let mut id = Plain { kind: NONE, source: "" };
        let mut scope = "";
        // An escaped key, which may equal one of the names, cannot be borrowed: the line is left. If keys are equal, the last
        // one counts.
        while let Some(key) = members.next_key::<&str>()? {
            if *key == *fields.text {
                text = Some(members.next_value_seed(TextReader(unescaped))?);
            } else if *key == *fields.id {
                id = plain(&mut members)?;
            } else if fields.scope.as_deref() == Some(key) {
                scope = scope_of(plain(&mut members)?).ok_or_else(left)?;
            } else {
                ignore(&mut members)?;
            }
        }
        Ok(Line { text: text.ok_or_else(left)?, id, scope })
    }
}

/// Returns the error for a line that is left to `JSON.parse`.
fn left<E: Error>() -> E {
    E::custom("left to JSON.parse")
}

/// Reads a value that is not nested.
fn plain<'de, A: MapAccess<'de>>(members: &mut A) -> Result<Plain<'de>, A::Error> {
    let source = members.next_value::<&RawValue>()?.get();
    let (kind, source) = match source.as_bytes()[0] {
        b'{' | b'[' => return Err(left()),
        b'n' => (NONE, ""),
        b'"' if source.is_ascii() && !source.contains('\\') => (PLAIN, unquoted(source)),
        b'"' => (QUOTED, source),
        _ => (LITERAL, source),
    };
    Ok(Plain { kind, source })
}

/// Returns a string without its quotation marks.
fn unquoted(source: &str) -> &str {
    &source[1..source.len() - 1]
}

/// Returns the scope that a value is; `None` for a string with escapes.
fn scope_of(Plain { kind, source }: Plain<'_>) -> Option<&str> {
    match kind {
        QUOTED if source.contains('\\') => None,
        QUOTED => Some(unquoted(source)),
        _ => Some(source),
    }
}

/// Skips a value that is not part of the document.
fn ignore<'de, A: MapAccess<'de>>(members: &mut A) -> Result<(), A::Error> {
    let source = members.next_value::<&RawValue>()?.get().as_bytes();
    let is_nested = matches!(source[0], b'{' | b'[');
    let is_opening = |&&byte: &&u8| matches!(byte, b'{' | b'[');
    if is_nested
        && source.len() > MAX_LEVELS
        && source.iter().filter(is_opening).count() >= MAX_LEVELS
    {
        return Err(left());
    }
    Ok(())
}

/// Reads a text. Returns it as a part of the line, or writes it to the memory for unescaped texts.
struct TextReader<'t>(&'t mut String);

impl<'de> DeserializeSeed<'de> for TextReader<'_> {
    type Value = Option<&'de str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for TextReader<'_> {
    type Value = Option<&'de str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        self.0.clear();
        self.0.push_str(text);
        Ok(None)
    }
}
