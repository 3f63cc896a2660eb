//! The structure of `src/`, by its `use` lines: the wings, the foundation, and no circles.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// A module: its file, its child modules, and what it imports.
struct Module {
    text: String,
    imports: Vec<Import>,
}

/// A name that a module imports, with the whole path of modules and the item.
struct Import {
    path: Vec<String>,
    is_public: bool,
}

type Modules = BTreeMap<Vec<String>, Module>;

fn words(path: &str) -> Vec<String> {
    path.split("::").filter(|part| !part.is_empty()).map(String::from).collect()
}

/// Returns a file without comments and without its tests, which are last.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Appends the paths of a tree of imports: `a::{b, c::d}` has two.
fn paths(tree: &str, before: &str, to: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((path, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap().trim().trim_end_matches("::self");
        let path = [before, path].concat();
        to.push(path.strip_suffix("::self").map_or(path.clone(), String::from));
        return;
    };
    let group = group.strip_suffix('}').expect("a group ends");
    let (mut depth, mut start) = (0, 0);
    let before = [before, path].concat();
    for (at, char) in group.char_indices().chain([(group.len(), ',')]) {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &group[start..at];
                if !part.trim().is_empty() {
                    paths(part, &before, to);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// Returns the imports of a module, as paths from the root.
fn imports(module: &[String], code: &str, has: &dyn Fn(&[String]) -> bool) -> Vec<Import> {
    let mut all = Vec::new();
    for statement in code.split(';') {
        let Some(start) = statement.rfind("\nuse ").or_else(|| statement.rfind("use ")) else {
            continue;
        };
        let (head, tree) =
            (&statement[..start], statement[start..].trim().trim_start_matches("use "));
        let line = head.rsplit('\n').next().unwrap().trim();
        let is_public = statement[start..].starts_with("use ") && line.starts_with("pub");
        if !(line.is_empty() || is_public) {
            continue;
        }
        let mut found = Vec::new();
        paths(tree, "", &mut found);
        for path in found {
            let mut path = words(&path);
            let mut from = module.to_vec();
            match path[0].as_str() {
                "crate" => from.clear(),
                "self" => {}
                "super" => {
                    while path[0] == "super" {
                        from.pop();
                        path.remove(0);
                    }
                    path.insert(0, String::new());
                }
                _ => {
                    let child = [module, &path[..1]].concat();
                    if !has(&child) {
                        continue;
                    }
                    path.insert(0, String::new());
                }
            }
            all.push(Import { path: [from, path[1..].to_vec()].concat(), is_public });
        }
    }
    all
}

fn read(folder: &Path, module: &[String], to: &mut BTreeMap<Vec<String>, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if path.is_dir() {
            read(&path, &[module, &[name]].concat(), to);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let module = match name.as_str() {
                "mod" | "lib" => module.to_vec(),
                _ => [module, &[name]].concat(),
            };
            to.insert(module, code(&fs::read_to_string(path).unwrap()));
        }
    }
}

fn modules() -> Modules {
    let mut files = BTreeMap::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src"), &[], &mut files);
    let has = |module: &[String]| files.contains_key(module);
    let module = |(module, text): (&Vec<String>, &String)| {
        let imports = imports(module, text, &has);
        (module.clone(), Module { text: text.clone(), imports })
    };
    files.iter().map(module).collect()
}

/// Returns the module that defines what a path names: re-exports are followed.
fn definition(modules: &Modules, path: &[String]) -> Vec<String> {
    let mut path = path.to_vec();
    for _ in 0..10 {
        // The longest part that is a module, and the item in it.
        let len = (0..=path.len()).rev().find(|&len| modules.contains_key(&path[..len])).unwrap();
        let Some(item) = path.get(len) else { break };
        let is_it = |import: &&Import| import.is_public && import.path.last() == Some(item);
        match modules[&path[..len]].imports.iter().find(is_it) {
            Some(import) => path = [&import.path[..], &path[len + 1..]].concat(),
            None => return path[..len].to_vec(),
        }
    }
    path
}

/// Returns the modules whose items each module uses. A re-export is a use if the name occurs in other lines too.
fn uses(modules: &Modules) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let used = |(name, module): (&Vec<String>, &Module)| {
        let is_used = |import: &&Import| {
            let item = import.path.last().map_or("", String::as_str);
            let is_word = |char: char| char.is_alphanumeric() || char == '_';
            !import.is_public
                || module.text.split(|char| !is_word(char)).filter(|word| *word == item).count() > 1
        };
        let imports = module.imports.iter().filter(is_used);
        let others = imports.map(|import| definition(modules, &import.path));
        (name.clone(), others.filter(|other| other != name).collect())
    };
    modules.iter().map(used).collect()
}

/// The side of a file: a wing, or what both wings may use.
fn side(module: &[String]) -> &'static str {
    match module.first().map_or("", String::as_str) {
        "simhash" => "simhash",
        "sketch" | "dedupe" => "dedupe",
        "" => "root",
        _ => "foundation",
    }
}

#[test]
fn imports_are_read() {
    let modules = modules();
    assert!(modules.len() > 80);
    let uses = uses(&modules);
    let of = |module: &str| uses[&words(module)].iter().map(|it| it.join("::")).collect::<Vec<_>>();
    assert_eq!(of("sketch::near"), ["error", "sketch::record"]);
    // Re-exported by `sketch`.
    assert_eq!(of("dedupe::options"), ["sketch::near"]);
    assert!(of("simhash::fingerprint").contains(&"features::choice".into()));
    let mut found = Vec::new();
    paths("a::{self, b, c::{d, e as f}}", "", &mut found);
    assert_eq!(found, ["a", "a::b", "a::c::d", "a::c::e"]);
}

#[test]
fn the_wings_do_not_know_each_other() {
    let modules = modules();
    for (module, uses) in uses(&modules) {
        for used in uses {
            let (from, to) = (side(&module), side(&used));
            let is_allowed = match from {
                "root" => true,
                "foundation" => !matches!(to, "simhash" | "dedupe"),
                wing => to == wing || to == "foundation",
            };
            assert!(is_allowed, "{} uses {}", module.join("::"), used.join("::"));
        }
    }
    // Paths outside of the imports.
    for (module, Module { text, .. }) in &modules {
        let others = match side(module) {
            "root" => continue,
            "simhash" => ["crate::sketch", "crate::dedupe", "crate::Deduplicator"],
            "dedupe" => ["crate::simhash"; 3],
            _ => ["crate::sketch", "crate::dedupe", "crate::simhash"],
        };
        for other in others {
            assert!(!text.contains(other), "{} names {other}", module.join("::"));
        }
    }
}

#[test]
fn no_imports_form_a_circle() {
    let mut uses = uses(&modules());
    // Removes modules that use no other one, until only circles are left.
    while let Some(done) = uses.iter().find(|(_, used)| used.is_empty()).map(|it| it.0.clone()) {
        uses.remove(&done);
        uses.values_mut().for_each(|used| _ = used.remove(&done));
    }
    let left = uses.iter().map(|(module, used)| {
        format!(
            "{} uses {:?}",
            module.join("::"),
            used.iter().map(|it| it.join("::")).collect::<Vec<_>>()
        )
    });
    let left: Vec<String> = left.collect();
    assert!(left.is_empty(), "circles among:\n{}", left.join("\n"));
}
