//! Lines of JSON against another parser, and against what was written.

use nearprint::{Fingerprinter, Scheme, Scope};
use nearprint_lines::Batch;
use proptest::prelude::*;
use serde_json::Value;

/// A character as JSON may write it.
fn written() -> impl Strategy<Value = (String, String)> {
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
        (r"\ud800", "\u{fffd}"),
        (r"\uDfff", "\u{fffd}"),
    ]);
    // A lone surrogate is not followed by the other half.
    let short = short.prop_map(|(from, to)| (format!("{from}."), format!("{to}.")));
    prop_oneof![3 => plain, 1 => number, 1 => short]
}

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
    let key = prop::sample::select(&["text", "id", "scope", "other", r"\u0069d"]);
    let space = prop::sample::select(&["", " ", "\t", "\r"]);
    prop::collection::vec((key, value, space), 0..6).prop_map(|members| {
        let members: Vec<String> = members
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
        let mut batch = Batch::new(Fingerprinter::default(), "text", "id", Some("scope"));
        batch.read(&bytes);
        let [number, start, end, kind, id_start, id_end, units, from, to, sketch] = batch.rows[0];
        prop_assert_eq!((number, start, end as usize), (0, 0, line.len() + 1));
        if kind == 0 {
            return Ok(());
        }
        let parsed: Value = serde_json::from_str(&line).expect("the line is valid");
        let text = parsed["text"].as_str().expect("a text");
        prop_assert_eq!(units as usize, text.encode_utf16().count());
        let scope = &bytes[from as usize..to as usize];
        match &parsed["scope"] {
            Value::String(string) => prop_assert_eq!(scope, string),
            Value::Null => prop_assert_eq!(scope, ""),
            other => prop_assert_eq!(&serde_json::from_str::<Value>(scope).expect("a value"), other),
        }
        let expected = Fingerprinter::default().sketch_in(Scope::new(scope), text).to_bytes();
        prop_assert_eq!(&batch.sketches[..sketch as usize], &expected[..]);
        let id = || &bytes[id_start as usize..id_end as usize];
        let id = match kind {
            1 => Value::Null,
            3 => Value::from(id()),
            _ => serde_json::from_str(id()).expect("a value"),
        };
        prop_assert_eq!(id, parsed["id"].clone());
    }

    #[test]
    fn text_is_what_was_written(parts in prop::collection::vec(written(), 0..60)) {
        let (content, expected): (Vec<String>, Vec<String>) = parts.into_iter().unzip();
        let bytes = format!("{{\"text\": \"{}\"}}\n", content.concat());
        let expected = expected.concat();
        // The words of such a sketch are all characters.
        let scheme = || "v1:64:verbatim:chars1".parse::<Scheme>().unwrap();
        let mut fingerprinter = Fingerprinter::new(scheme()).unwrap();
        let mut batch = Batch::new(Fingerprinter::new(scheme()).unwrap(), "text", "id", None);
        // The second time, the buffer has old content.
        for _ in 0..2 {
            batch.read(&bytes);
            let [.., kind, _, _, units, _, _, _] = batch.rows[0];
            prop_assert_eq!((kind, units as usize), (1, expected.encode_utf16().count()));
            prop_assert_eq!(&batch.sketches, &fingerprinter.sketch(&expected).to_bytes());
        }
    }
}
