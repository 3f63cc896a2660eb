//! The ids of schemes: each scheme has one, and all others are refused with a reason.

use nearprint::{dedupe::SketchScheme, simhash::Scheme};

#[test]
fn a_scheme_has_one_spelling() {
    for id in
        ["v1:32", "v1:128:verbatim:words64:fnv1a:tf", "v1:64:chars1:raw:binary", "v1:64:words10"]
    {
        assert_eq!(id.parse::<Scheme>().map(|scheme| scheme.to_string()).as_deref(), Ok(id));
    }
    let order = |id| format!("scheme must be an id with its parts in order and once, {id}");
    let part = || String::from("scheme must be an id whose parts are known");
    let bits = || String::from("scheme must be an id of 32, 64 or 128 bits, such as v1:64");
    let start = || String::from("scheme must be an id that starts with v1");
    let shingles = || String::from("features must be shingles of 1 to 64 words or characters");
    let refused = [
        ("v1:64:raw:fnv1a", order("v1:64:fnv1a:raw"), "'v1:64:raw:fnv1a'"),
        ("v1:64:raw:raw", order("v1:64:raw"), "'v1:64:raw:raw'"),
        ("v1:64:tf:binary", order("v1:64:binary"), "'v1:64:tf:binary'"),
        ("v1:64:words2:chars2", order("v1:64:chars2"), "'v1:64:words2:chars2'"),
        ("v1:64:words02", order("v1:64:words2"), "'v1:64:words02'"),
        ("v1:64:words+2", order("v1:64:words2"), "'v1:64:words+2'"),
        ("v1:64:words", part(), "'words'"),
        ("v1:64:words256", part(), "'words256'"),
        ("v1:64:words2x", part(), "'words2x'"),
        ("v1:64:", part(), "''"),
        ("v1:64:tf:log", part(), "'log'"),
        ("v1:064", bits(), "'v1:064'"),
        ("v2:64", start(), "'v2:64'"),
        ("v1:64:words0", shingles(), "0"),
        ("v1:64:chars65", shingles(), "65"),
        ("v1:128:raw", "mix must be true for 128 bits".into(), "false"),
    ];
    for (id, requirement, got) in refused {
        let error = id.parse::<Scheme>().unwrap_err();
        assert_eq!(error.to_string(), format!("{requirement}, got {got}"), "{id}");
    }
    let long = "é".repeat(1000).parse::<Scheme>().unwrap_err().to_string();
    assert!(long.len() < 150, "{long}");
}

#[test]
fn schemes_of_sketches_have_one_spelling() {
    for id in ["s1", "s1:words64", "s1:chars1", "s1:chars5:key6b05b8960e676da0"] {
        let scheme = id.parse::<SketchScheme>();
        assert_eq!(scheme.map(|scheme| scheme.to_string()).as_deref(), Ok(id));
    }
    for (id, requirement) in [
        ("v1:64", "an id that starts with s1, got 'v1:64'"),
        ("s1:64", "an id whose parts are known, got '64'"),
        ("s1:fnv1a", "an id whose parts are known, got 'fnv1a'"),
        ("s1:words02", "an id with its parts in order and once, s1:words2, got 's1:words02'"),
        (
            "s1:key6b05b8960e676da0:chars5",
            "an id with its parts in order and once, s1:chars5:key6b05b8960e676da0, got 's1:key6b05b8960e676da0:chars5'",
        ),
    ] {
        let error = id.parse::<SketchScheme>().unwrap_err();
        assert_eq!(error.to_string(), format!("scheme must be {requirement}"));
    }
    let error = "s1:words0".parse::<SketchScheme>().unwrap_err().to_string();
    assert_eq!(error, "features must be shingles of 1 to 64 words or characters, got 0");
}
