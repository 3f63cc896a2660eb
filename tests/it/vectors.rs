//! The frozen fingerprints and sketches of `tests/vectors.json`, which `tests/js/vectors.test.mjs` checks too.
//!
//! `UPDATE=1 cargo test --package nearprint-tests --test it vectors -- --test-threads 1` regenerates them with the reference:
//! only for a scheme with a new name, or for more vectors.

use std::fmt::Write as _;

use nearprint::{
    Key,
    dedupe::{Sketch, SketchScheme, Sketcher},
    simhash::{Fingerprinter, Scheme},
};
use nearprint_reference as reference;
use serde_json::{Value, json};

use crate::sketch_form::{assert_same, sketch_in};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors.json");

/// The FNV-1a of all fingerprints of each scheme. A change here breaks the fingerprints that users have stored.
const FROZEN: [(&str, u64); 1] = [("v1", 0x3d25_7184_d79b_fb6b)];

/// The FNV-1a of all sketches and of the resemblances of pairs. A change here also breaks the sketches and snapshots that
/// users have stored.
const FROZEN_SKETCHES: u64 = 0x1436_e467_12c2_920e;

fn read() -> Value {
    serde_json::from_str(&std::fs::read_to_string(PATH).unwrap()).unwrap()
}

fn write(file: &Value) {
    std::fs::write(PATH, serde_json::to_string_pretty(file).unwrap() + "\n").unwrap();
}

fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// The bytes of an input: a text, UTF-16 units, bytes in hexadecimal, a repeated text, or numbered words: the words from 3 up
/// to 6 are the text "w3 w4 w5".
fn bytes(input: &Value) -> Vec<u8> {
    if let Some(text) = input.as_str() {
        return text.into();
    }
    if let Some(units) = input["utf16"].as_array() {
        let units: Vec<u16> = units.iter().map(|unit| unit.as_u64().unwrap() as u16).collect();
        return String::from_utf16_lossy(&units).into_bytes();
    }
    if let Some(hex) = input["utf8"].as_str() {
        return (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
    }
    if let Some(range) = input["words"].as_array() {
        let [from, to] = [0, 1].map(|at| range[at].as_u64().unwrap());
        let words: Vec<String> = (from..to).map(|number| format!("w{number}")).collect();
        return words.join(" ").into_bytes();
    }
    input["repeat"][0]
        .as_str()
        .unwrap()
        .repeat(input["repeat"][1].as_u64().unwrap() as usize)
        .into_bytes()
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().unwrap().iter().map(|value| value.as_str().unwrap())
}

fn hex(id: &str, fingerprint: u128) -> String {
    let bits: usize = id.split(':').nth(1).unwrap().parse().unwrap();
    format!("{fingerprint:0width$x}", width = bits / 4)
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of an input.
fn text(input: &Value) -> String {
    String::from_utf8_lossy(&bytes(input)).into_owned()
}

/// Writes the answer of the reference in an update, else checks it.
fn settle(vector: &mut Value, name: &str, by_reference: Value) {
    if is_update() {
        vector[name] = by_reference;
    } else {
        assert_eq!(vector[name], by_reference, "the reference: {}", vector["why"]);
    }
}

#[test]
fn the_core_and_the_reference_give_every_vector() {
    let mut file = read();
    let ids: Vec<String> = strings(&file["ids"]).map(String::from).collect();
    for vector in file["vectors"].as_array_mut().unwrap() {
        let bytes = bytes(&vector["input"]);
        let text = text(&vector["input"]);
        let by_reference: Vec<String> =
            ids.iter().map(|id| hex(id, reference::fingerprint(id, &text))).collect();
        settle(vector, "hex", json!(by_reference));
        let why = &vector["why"];
        for (id, expected) in ids.iter().zip(&by_reference) {
            let mut core = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
            assert_eq!(&hex(id, core.fingerprint_bytes(&bytes)), expected, "{id}: {why}");
            assert_eq!(&hex(id, core.fingerprint(&text)), expected, "{id}, as a string: {why}");
            let mut stream = core.stream();
            bytes.chunks(7).for_each(|chunk| {
                stream.update_bytes(chunk);
            });
            assert_eq!(&hex(id, stream.digest()), expected, "{id}, as a stream: {why}");
        }
    }
    if is_update() {
        write(&file);
    }
}

#[test]
fn the_core_and_the_reference_give_every_sketch() {
    let mut file = read();
    let sketches = &mut file["sketches"];
    let ids: Vec<String> = strings(&sketches["ids"]).map(String::from).collect();
    for vector in sketches["vectors"].as_array_mut().unwrap() {
        let bytes = bytes(&vector["input"]);
        let text = text(&vector["input"]);
        let by_reference: Vec<Vec<u8>> =
            ids.iter().map(|id| reference::sketch(id, "", &text)).collect();
        settle(vector, "hex", by_reference.iter().map(|bytes| digits(bytes)).collect());
        if is_update() {
            continue;
        }
        let why = &vector["why"];
        for (id, expected) in ids.iter().zip(&by_reference) {
            let mut core = Sketcher::new(id.parse::<SketchScheme>().unwrap()).unwrap();
            assert_same(&core.sketch_bytes(&bytes), expected, &format!("{id}: {why}"));
            assert_same(&core.sketch(&text), expected, &format!("{id}, as a string: {why}"));
            let mut stream = core.stream();
            bytes.chunks(7).for_each(|chunk| {
                stream.update_bytes(chunk);
            });
            assert_same(&stream.sketch(), expected, &format!("{id}, as a stream: {why}"));
        }
    }
    if is_update() {
        write(&file);
    }
}

/// The crate's and the reference's sketch of a text by a scheme, with a key if it is not null, in a scope.
fn both(id: &str, key: &Value, scope: &Value, text: &str) -> (Sketch, Vec<u8>) {
    let mut scheme: SketchScheme = id.parse().unwrap();
    let key: Option<[u8; 16]> = key.as_str().map(|key| key.as_bytes().try_into().unwrap());
    if let Some(key) = key {
        scheme = scheme.keyed(Key::new(key)).unwrap();
    }
    let scope = scope.as_str().unwrap_or_default();
    let expected = reference::keyed_sketch(&scheme.to_string(), id, key.as_ref(), scope, text);
    (sketch_in(&mut Sketcher::new(scheme).unwrap(), scope, text), expected)
}

#[test]
fn the_core_and_the_reference_give_every_scoped_or_keyed_sketch() {
    let mut file = read();
    for vector in file["sketches"]["scoped"].as_array_mut().unwrap() {
        let text = text(&vector["input"]);
        let id = vector["id"].as_str().unwrap();
        let (sketch, expected) = both(id, &vector["key"], &vector["scope"], &text);
        settle(vector, "hex", json!(digits(&expected)));
        if !is_update() {
            assert_same(&sketch, &expected, &vector["why"].to_string());
        }
    }
    if is_update() {
        write(&file);
    }
}

#[test]
fn the_core_and_the_reference_give_every_resemblance() {
    let mut file = read();
    for pair in file["sketches"]["pairs"].as_array_mut().unwrap() {
        let id = pair["id"].as_str().unwrap();
        let [(a, expected_a), (b, expected_b)] = [0, 1]
            .map(|at| both(id, &Value::Null, &pair["scopes"][at], &text(&pair["inputs"][at])));
        let expected = reference::resemblance(&expected_a, &expected_b);
        settle(pair, "resemblance", json!(expected));
        if !is_update() {
            assert_eq!(a.resemblance(&b).unwrap(), expected, "{}", pair["why"]);
            assert_eq!(b.resemblance(&a).unwrap(), expected, "{}, exchanged", pair["why"]);
        }
    }
    if is_update() {
        write(&file);
    }
}

#[test]
fn no_sketch_has_changed() {
    let file = read();
    let mut all = String::new();
    for vector in file["sketches"]["vectors"].as_array().unwrap() {
        for hex in strings(&vector["hex"]) {
            writeln!(all, "{hex}").unwrap();
        }
    }
    for vector in file["sketches"]["scoped"].as_array().unwrap() {
        writeln!(all, "{}", vector["hex"].as_str().unwrap()).unwrap();
    }
    for pair in file["sketches"]["pairs"].as_array().unwrap() {
        writeln!(all, "{}", pair["resemblance"].as_f64().unwrap()).unwrap();
    }
    let found = nearprint::hash::fnv1a_64(all.as_bytes());
    assert_eq!(
        found, FROZEN_SKETCHES,
        "the sketches have changed, to {found:#018x}: a change needs a new scheme name"
    );
}

#[test]
fn no_fingerprint_has_changed_under_its_name() {
    let file = read();
    let mut all = String::new();
    for vector in file["vectors"].as_array().unwrap() {
        for hex in strings(&vector["hex"]) {
            writeln!(all, "{hex}").unwrap();
        }
    }
    let scheme = file["scheme"].as_str().unwrap();
    let [(_, frozen)] = FROZEN.iter().filter(|(name, _)| *name == scheme).collect::<Vec<_>>()[..]
    else {
        panic!("{scheme} is not frozen yet")
    };
    let found = nearprint::hash::fnv1a_64(all.as_bytes());
    assert_eq!(
        found, *frozen,
        "the fingerprints of {scheme} have changed, to {found:#018x}: a change needs a new scheme name"
    );
    assert!(strings(&file["ids"]).all(|id| id.starts_with(&format!("{scheme}:"))));
}
