//! The frozen fingerprints and sketches of `tests/vectors.json`, which `tests/js/vectors.test.mjs` checks too.
//!
//! `UPDATE=1 cargo test --test it vectors -- --test-threads 1` regenerates them with the reference implementation: only for a scheme with a new
//! name, or for more vectors.

use std::fmt::Write as _;

use nearprint::{Fingerprinter, Scheme, Sketch};
use nearprint_reference as reference;
use serde_json::{Value, json};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors.json");

/// The FNV-1a of all fingerprints of each scheme. A change here breaks the fingerprints that users have stored.
const FROZEN: [(&str, u64); 1] = [("v1", 0x3d25_7184_d79b_fb6b)];

/// The FNV-1a of all sketches. A change here also breaks the sketches and snapshots that users have stored.
const FROZEN_SKETCHES: u64 = 0x2090_a776_8ddd_105e;

fn read() -> Value {
    serde_json::from_str(&std::fs::read_to_string(PATH).unwrap()).unwrap()
}

fn write(file: &Value) {
    std::fs::write(PATH, serde_json::to_string_pretty(file).unwrap() + "\n").unwrap();
}

fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// The bytes of an input: a text, UTF-16 units, bytes in hexadecimal, or a repeated text.
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

#[test]
fn the_core_and_the_reference_give_every_vector() {
    let mut file = read();
    let ids: Vec<String> = strings(&file["ids"]).map(String::from).collect();
    for vector in file["vectors"].as_array_mut().unwrap() {
        let bytes = bytes(&vector["input"]);
        let text = String::from_utf8_lossy(&bytes);
        let by_reference: Vec<String> =
            ids.iter().map(|id| hex(id, reference::fingerprint(id, &text))).collect();
        if is_update() {
            vector["hex"] = json!(by_reference);
            continue;
        }
        let why = &vector["why"];
        assert_eq!(
            strings(&vector["hex"]).collect::<Vec<_>>(),
            by_reference,
            "the reference: {why}"
        );
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
        let text = String::from_utf8_lossy(&bytes);
        let by_reference: Vec<String> =
            ids.iter().map(|id| digits(&reference::sketch(id, &text))).collect();
        if is_update() {
            vector["hex"] = json!(by_reference);
            continue;
        }
        let why = &vector["why"];
        assert_eq!(
            strings(&vector["hex"]).collect::<Vec<_>>(),
            by_reference,
            "the reference: {why}"
        );
        for (id, expected) in ids.iter().zip(&by_reference) {
            let mut core = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
            let of = |sketch: Sketch| digits(&sketch.to_bytes());
            assert_eq!(&of(core.sketch_bytes(&bytes)), expected, "{id}: {why}");
            assert_eq!(&of(core.sketch(&text)), expected, "{id}, as a string: {why}");
            let mut stream = core.stream();
            bytes.chunks(7).for_each(|chunk| {
                stream.update_bytes(chunk);
            });
            assert_eq!(&of(stream.sketch()), expected, "{id}, as a stream: {why}");
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
    let found = nearprint::fnv::fnv1a_64(all.as_bytes());
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
    let found = nearprint::fnv::fnv1a_64(all.as_bytes());
    assert_eq!(
        found, *frozen,
        "the fingerprints of {scheme} have changed, to {found:#018x}: a change needs a new scheme name"
    );
    assert!(strings(&file["ids"]).all(|id| id.starts_with(&format!("{scheme}:"))));
}
