//! Lines of JSON against what was written. `tests/js/cli-lines.test.mjs` compares the command line with `JSON.parse`, and also
//! reads damaged lines.

use nearprint::dedupe::{Scope, SketchScheme, Sketcher};
use nearprint_lines::LineSketcher;
use proptest::prelude::*;

/// A value: its source, and its content if it is a string.
#[derive(Clone, Debug)]
struct Written {
    source: String,
    string: Option<String>,
}

/// A character as JSON may write it.
fn character() -> impl Strategy<Value = (String, String)> {
    let plain = any::<char>()
        .prop_filter("needs an escape", |&c| !matches!(c, '"' | '\\' | '\0'..'\x20'))
        .prop_map(|c| (String::from(c), String::from(c)));
    let number = any::<char>().prop_map(|c| {
        let units =
            c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
        (units, String::from(c))
    });
    let short = prop::sample::select(&[
        (r#"\""#, "\""),
        (r"\\", "\\"),
        (r"\/", "/"),
        (r"\b", "\x08"),
        (r"\f", "\x0c"),
        (r"\n", "\n"),
        (r"\r", "\r"),
        (r"\t", "\t"),
    ]);
    let short = short.prop_map(|(from, to)| (String::from(from), String::from(to)));
    prop_oneof![30 => plain, 1 => number, 1 => short]
}

fn string() -> impl Strategy<Value = Written> {
    prop::collection::vec(character(), 0..60).prop_map(|parts| {
        let (content, string): (Vec<String>, Vec<String>) = parts.into_iter().unzip();
        Written { source: format!("\"{}\"", content.concat()), string: Some(string.concat()) }
    })
}

fn value() -> impl Strategy<Value = Written> {
    let others = &[
        "null",
        "true",
        "0",
        "-12",
        "1.50e+3",
        "9007199254740993",
        "1e999",
        "[ ]",
        "{}",
        r#"[{"text": [1, -0.5e+3]}, "\\"]"#,
    ];
    let other = prop::sample::select(others)
        .prop_map(|source| Written { source: source.into(), string: None });
    prop_oneof![3 => string(), 2 => other]
}

/// The kind and the source of an id, a scope and a text, or `None` for a line that is left to `JSON.parse`.
type Row = Option<(u32, String, String, String)>;

/// Returns what the members of an object state about the document.
fn expected(members: &[(&str, Written)]) -> Row {
    let (mut text, mut kind, mut id, mut scope) = (None, 1, String::new(), String::new());
    for (key, Written { source, string }) in members {
        let is_nested = source.starts_with(['{', '[']);
        let is_plain = string.as_ref().is_some_and(|string| *source == format!("\"{string}\""));
        match *key {
            "text" => text = Some(string.clone()?),
            "id" if is_nested => return None,
            "id" if source == "null" => (kind, id) = (1, String::new()),
            "id" if is_plain && source.is_ascii() => (kind, id) = (3, string.clone()?),
            "id" => (kind, id) = (if string.is_some() { 4 } else { 2 }, source.clone()),
            "scope" if is_nested || (string.is_some() && !is_plain) => return None,
            "scope" if source == "null" => scope = String::new(),
            "scope" => scope = string.clone().unwrap_or_else(|| source.clone()),
            "other" => {}
            // A key with escapes may equal a name.
            _ => return None,
        }
    }
    Some((kind, id, scope, text?))
}

/// A scheme whose features are all characters of the text as it is.
fn characters() -> Sketcher {
    Sketcher::new("s1:chars1".parse::<SketchScheme>().unwrap()).unwrap()
}

proptest! {
    #[test]
    fn rows_are_what_was_written(
        lines in prop::collection::vec((
            prop::collection::vec((
                prop::sample::select(&["text", "text", "id", "scope", "other", r"\u0069d"]),
                value(),
            ), 0..6),
            prop::sample::select(&["", " ", "\t", "\r"]),
            prop::sample::select(&["\n", "\r\n", "\n\n", "\n \t\n"]),
        ), 0..4),
        last in prop::sample::select(&["", "{", "{}", r#"{"text": "#]),
    ) {
        let mut bytes = String::new();
        let mut rows: Vec<(usize, usize, usize, Row)> = Vec::new();
        for (members, space, end) in &lines {
            let [start, number] = [bytes.len(), bytes.matches('\n').count()];
            let each = members
                .iter()
                .map(|(key, value)| format!("{space}\"{key}\"{space}:{space}{}{space}", value.source));
            bytes += &format!("{space}{{{}}}{space}", each.collect::<Vec<_>>().join(","));
            let line_end = bytes.len() + end.find('\n').unwrap() + 1;
            bytes += end;
            rows.push((number, start, line_end, expected(members)));
        }
        if !last.is_empty() {
            let [start, number] = [bytes.len(), bytes.matches('\n').count()];
            bytes += last;
            rows.push((number, start, bytes.len(), None));
        }
        let mut sketcher = LineSketcher::new(characters(), "text", "id", Some("scope"));
        sketcher.read(&bytes);
        prop_assert_eq!(sketcher.rows.len(), rows.len());
        let (mut ids, mut sketched) = (0, 0);
        for (row, (number, start, end, read)) in sketcher.rows.iter().zip(rows) {
            let [row_number, row_start, row_end, kind, id_end, units, has_scope, sketch_end] =
                row.map(|cell| cell as usize);
            prop_assert_eq!([row_number, row_start, row_end], [number, start, end]);
            let Some((id_kind, id, scope, text)) = read else {
                prop_assert_eq!((kind, id_end, sketch_end), (0, ids, sketched));
                continue;
            };
            prop_assert_eq!(kind as u32, id_kind);
            prop_assert_eq!(&sketcher.ids[ids..id_end], id.as_bytes());
            prop_assert_eq!(has_scope, usize::from(!scope.is_empty()));
            prop_assert_eq!(units, text.encode_utf16().count());
            let sketch = characters().sketch_in(Scope::new(&scope), &text).to_bytes();
            prop_assert_eq!(&sketcher.sketches[sketched..sketch_end], &sketch[..]);
            (ids, sketched) = (id_end, sketch_end);
        }
        prop_assert_eq!(sketcher.ids.len(), ids);
        prop_assert_eq!(sketcher.sketches.len(), sketched);
    }
}

/// Returns whether a line is left to `JSON.parse`.
fn is_left(line: &str) -> bool {
    let mut sketcher = LineSketcher::new(Sketcher::default(), "text", "id", None);
    sketcher.read(line);
    sketcher.rows[0][3] == 0
}

#[test]
fn lone_surrogates_deep_values_and_long_lines_are_left() {
    let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let cases = [
        (r#"{"text": "a"}"#.into(), false),
        (r#"{"text": "\ud800"}"#.into(), true),
        (r#"{"text": "\udc00 b"}"#.into(), true),
        (r#"{"text": "\ud83d\ude00"}"#.into(), false),
        (r#"{"text": "a", "id": "\ud800"}"#.into(), false),
        (r#"{"text": "a", "other": "\ud800"}"#.into(), false),
        (format!(r#"{{"text": "a", "other": {}}}"#, nested(999)), false),
        (format!(r#"{{"text": "a", "other": {}}}"#, nested(1001)), true),
        (format!(r#"{{"text": "{}"}}"#, "a".repeat(1 << 19)), false),
        (format!(r#"{{"text": "{}"}}"#, "a".repeat(1 << 20)), true),
    ];
    for (line, expected) in cases {
        assert_eq!(is_left(&line), expected, "{:.60}", line);
    }
}
