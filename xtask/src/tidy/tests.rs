//! A small workspace on disk, read as the real one is.

use std::fs;

use super::{RULES, Workspace};

/// Findings in a workspace of these files.
fn findings(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let workspace = Workspace::read(folder.path()).unwrap();
    let mut found: Vec<_> = RULES.iter().flat_map(|rule| rule(&workspace)).collect();
    found.sort();
    found.iter().map(ToString::to_string).collect()
}

const ROOT: (&str, &str) = ("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n");
const PAGE: (&str, &str) = ("ARCHITECTURE.md", "`crates/core` uses `serde`.\n");
const CRATE_PAGE: (&str, &str) = ("docs/architecture/core.md", "Core has `ask`.\n");
const CORE: (&str, &str) = (
    "crates/core/Cargo.toml",
    "[package]\nname = \"sayso-core\"\nedition = \"2024\"\n[dependencies]\nserde = \"1\"\n",
);

#[test]
fn tidy_workspace_passes() {
    let files = [
        ROOT,
        PAGE,
        CRATE_PAGE,
        CORE,
        (
            "crates/core/src/lib.rs",
            "//! Core.\nmod ask;\n#[cfg(test)]\nmod tests;\ninclude!(\"ask/table.rs\");\n",
        ),
        ("crates/core/src/ask.rs", "//! An ask.\nmod inner { mod deep; }\n"),
        ("crates/core/src/ask/inner/deep/mod.rs", "//! Deep.\n"),
        ("crates/core/src/ask/table.rs", "// A table.\n"),
        ("crates/core/src/tests.rs", "use std::fs;\n"),
        ("crates/core/tests/it/main.rs", "mod first;\n"),
        ("crates/core/tests/it/first.rs", "#[test]\nfn works() {}\n"),
    ];
    assert_eq!(findings(&files), [""; 0]);
}

#[test]
fn untidy_workspace_fails() {
    let files = [
        ROOT,
        PAGE,
        CRATE_PAGE,
        (
            "crates/core/Cargo.toml",
            "[package]\nname = \"sayso-core\"\nedition = \"2024\"\n[dev-dependencies]\ntokio = \"1\"\n\
             [dependencies]\nx = { package = \"rusqlite\", version = \"1\" }\n",
        ),
        ("crates/core/src/lib.rs", "mod ask;\nmod extra;\n"),
        ("crates/core/src/ask.rs", "//! An ask.\nuse std::{fmt, fs};\n"),
        ("crates/core/src/extra.rs", "//! Extra.\n"),
        ("crates/core/src/forgotten.rs", "//! Forgotten.\n"),
        ("crates/core/tests/it/main.rs", ""),
        ("crates/core/tests/it/late.rs", ""),
    ];
    let found = findings(&files);
    for expected in [
        "ARCHITECTURE.md:1: architecture: describe `extra`",
        "ARCHITECTURE.md:1: architecture: describe `rusqlite`",
        "ARCHITECTURE.md:1: architecture: describe `tokio`",
        "crates/core/Cargo.toml:1: crate edge: `sayso-core` may not use `rusqlite`; see xtask/src/tidy/allowed.rs",
        "crates/core/src/ask.rs:2: banned name: `std::fs` does not belong here: this crate does no I/O and starts no \
         threads; leave that to the desk",
        "crates/core/src/forgotten.rs:1: forgotten file: declare it with `mod` in its parent, or delete it",
        "crates/core/src/lib.rs:1: module doc: begin the file with `//!` and what it is for",
        "crates/core/tests/it/late.rs:1: forgotten file: declare it with `mod` in its parent, or delete it",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected} is not in {found:#?}");
    }
    assert_eq!(found.len(), 8, "{found:#?}");
}

#[test]
fn long_architecture_page_fails() {
    let page = format!("`crates/core` uses `serde`.\n{}", "word ".repeat(3_000));
    let found =
        findings(&[ROOT, ("ARCHITECTURE.md", &page), CORE, ("crates/core/src/lib.rs", "//! Core.\n")]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("the limit is 14000"), "{found:#?}");
}
