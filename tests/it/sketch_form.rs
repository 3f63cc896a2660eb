//! The crate's sketches in the form of the reference.

#[cfg(feature = "serde")]
use std::{fmt::Debug, str::FromStr};

use nearprint::dedupe::{Scope, Sketch, Sketcher};
#[cfg(feature = "serde")]
use nearprint::{dedupe::SketchScheme, simhash};
use nearprint_reference as reference;

/// Returns the crate's sketch of a text in a scope.
pub fn sketch_in(core: &mut Sketcher, scope: &str, text: &str) -> Sketch {
    core.sketch_in(Scope::new(scope), text)
}

/// Asserts that a sketch of the crate equals one of the reference: its binary form and its keys.
#[track_caller]
pub fn assert_same(sketch: &Sketch, expected: &[u8], why: &str) {
    assert_eq!(sketch.to_bytes(), expected, "{why}");
    assert_eq!(sketch.keys(), Some(reference::keys(expected)), "{why}: keys");
}

/// Returns whether a text has fewer than 16 different features: the lowest bit of the first hash of its sketch.
pub fn has_few_features(sketch: &Sketch) -> bool {
    sketch.hashes()[0] & 1 == 1
}

#[test]
fn the_text_of_a_sketch_is_its_bytes_in_hexadecimal() {
    let mut core = Sketcher::default();
    let long =
        "The river burst its banks early on Tuesday, the council said, and the road is closed.";
    for text in ["", "Good news", long] {
        let sketch = core.sketch(text);
        let hex = sketch.to_string();
        let bytes: Vec<String> =
            sketch.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, bytes.concat());
        assert_eq!(hex.parse(), Ok(sketch.clone()));
        assert_eq!(hex.to_uppercase().parse(), Ok(sketch));
        for other in [&hex[1..], &hex[2..], &format!("{hex}00"), &hex.replacen('0', "g", 1), "é"] {
            assert!(other.parse::<Sketch>().is_err(), "{other}");
        }
    }
}

#[test]
#[cfg(feature = "serde")]
fn serde_writes_the_id_of_a_scheme() {
    fn check<T>(id: &str, wrong: &str)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + FromStr<Err: Debug> + PartialEq + Debug,
    {
        let scheme: T = id.parse().unwrap();
        assert_eq!(serde_json::to_value(&scheme).unwrap(), id);
        assert_eq!(serde_json::from_value::<T>(id.into()).unwrap(), scheme);
        let error = serde_json::from_value::<T>(wrong.into()).unwrap_err();
        assert!(error.to_string().starts_with("scheme must be"), "{error}");
    }
    check::<SketchScheme>("s1:chars5", "v1:64");
    check::<simhash::Scheme>("v1:128:words3:tf", "s1");
    #[cfg(feature = "compat")]
    check::<simhash::compat::Scheme>("charikar-py", "v1:64");
}

#[test]
#[cfg(feature = "serde")]
fn serde_writes_the_text_of_a_sketch() {
    let sketch = Sketcher::default().sketch("Good news");
    let json = serde_json::to_string(&sketch).unwrap();
    assert_eq!(json, format!("\"{sketch}\""));
    assert_eq!(serde_json::from_str::<Sketch>(&json).unwrap(), sketch);
    let error = serde_json::from_str::<Sketch>("\"00\"").unwrap_err();
    assert!(error.to_string().starts_with("bytes must be the binary form of a sketch"), "{error}");
}
