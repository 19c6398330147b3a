//! Small workspaces on disk, read as the real one is: each rule finds what breaks it.

use std::fs;

use super::language::{doc_beginnings, is_noun, unique, words};
use super::{Workspace, findings};

const ROOT: (&str, &str) = ("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n");
const PAGE: (&str, &str) =
    ("ARCHITECTURE.md", "`crates/core` has `inner` and `table`, `crates/desk` has `store`.\n");
const DEPENDENCIES: (&str, &str) =
    ("docs/architecture/dependencies.md", "| `serde` | core, desk | x |\n| `rcgen`, `rqrr` | tests | x |\n");
const LIB: (&str, &str) = ("crates/core/src/lib.rs", "//! Core.\n");

/// Returns the findings in a workspace of these files, with manifests that have these dependencies.
fn found(dependencies: &str, files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let manifest = |name: &str| format!("[package]\nname = \"sayso-{name}\"\nedition = \"2024\"\n");
    let core = manifest("core") + "[dependencies]\n" + dependencies;
    let (desk, core) = (manifest("desk"), ("crates/core/Cargo.toml", core.as_str()));
    let desk_lib = ("crates/desk/src/lib.rs", "//! Desk.\n");
    let usual = [ROOT, PAGE, DEPENDENCIES, LIB, desk_lib, core, ("crates/desk/Cargo.toml", &desk)];
    for (path, text) in [&usual, files].concat() {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    findings(&Workspace::read(folder.path()).unwrap()).iter().map(ToString::to_string).collect()
}

/// Asserts that these files have one finding, with these words.
fn assert_found(files: &[(&str, &str)], words: &str) {
    let found = found("", files);
    assert!(found.len() == 1 && found[0].contains(words), "{words:?}: {found:#?}");
}

#[test]
fn tidy_workspace_passes() {
    let files = [
        (
            "crates/core/src/lib.rs",
            "//! Core.\nmod inner { mod deep; }\n#[cfg(test)]\nmod tests;\ninclude!(\"table.rs\");\n\
             // std::fs\nconst X: &str = \"rusqlite std::fs\";\n",
        ),
        ("crates/core/src/inner/deep.rs", "//! Deep.\n#[cfg(test)]\nmod tests {\nuse std::fs;\n}\n"),
        ("crates/core/src/table.rs", "// A table.\n"),
        ("crates/core/src/tests.rs", "use std::fs;\n"),
        ("crates/desk/src/lib.rs", "//! Desk.\nmod store { mod sqlite; }\n"),
        ("crates/desk/src/store/sqlite.rs", "//! SQLite.\nuse rusqlite::Row;\nuse std::fs;\n"),
        ("crates/core/tests/it/main.rs", "mod first;\n"),
        ("crates/core/tests/it/first.rs", "#[test]\nfn works() {}\n"),
    ];
    let dependencies = "serde = \"1\"\n[dev-dependencies]\nrqrr = \"1\"\n";
    assert_eq!(found(dependencies, &files), [""; 0]);
}

#[test]
fn forbidden_edges_are_found() {
    let desk = "sayso-desk = { path = \"../desk\" }\n";
    for (dependencies, name) in [
        (desk, "sayso-desk"),
        ("x = { package = \"rqrr\", version = \"1\" }\n", "rqrr"),
        (&format!("[dev-dependencies]\n{desk}"), "sayso-desk"),
    ] {
        let found = found(dependencies, &[]);
        let expected = format!("crates/core/Cargo.toml:1: crate edge: `sayso-core` may not use `{name}`");
        assert!(found.len() == 1 && found[0].starts_with(&expected), "{expected}: {found:#?}");
    }
    let found = found("mockall = \"1\"\n", &[]);
    assert!(
        found[0].ends_with("describe `mockall`") && found[1].contains("may not use `mockall`"),
        "{found:#?}"
    );
}

#[test]
fn arrows_up_in_core_are_found() {
    let lib = ("crates/core/src/lib.rs", "//! Core.\nmod model;\nmod rules;\n");
    let page = ("ARCHITECTURE.md", "`core` `desk` `model` `rules`\n");
    let arrows = |model: &str, rules: &str| {
        let (model, rules) = (format!("//! Model.\n{model}\n"), format!("//! Rules.\n{rules}\n"));
        found("", &[lib, page, ("crates/core/src/model.rs", &model), ("crates/core/src/rules.rs", &rules)])
    };
    let tests = "#[cfg(test)]\nmod tests {\nuse crate::rules::Rules;\n}";
    assert_eq!(arrows(tests, "use crate::model::{ask::Ask, id::AskId};"), [""; 0]);
    for arrow in [
        "use crate::rules::Rules;",
        "use crate::{limits, rules::Rules};",
        "fn f() { crate::i18n::own(1); }",
        "use crate::Problem;",
        "use crate::other::Thing;",
    ] {
        let found = arrows(arrow, "");
        let expected = "crates/core/src/model.rs:2: module edge: `model` may not use";
        assert!(found.len() == 1 && found[0].starts_with(expected), "{arrow}: {found:#?}");
    }
}

#[test]
fn banned_names_are_found() {
    for code in [
        "use std::{io, fs};",
        "use std::{fmt, net::{TcpStream, UdpSocket}};",
        "fn f() { std::thread::spawn(g); }",
        "impl A { async fn g() {} }",
        "fn f() { vec![std::fs::read(x)]; }",
        "struct AskFile { file: std::fs::File }",
        "use std::{fmt, env::args};",
        "use rusqlite::Connection;",
        "fn f() { g!(1, rmcp::Tool::new(2)) }",
        "fn f(k: &QuestionKind) -> bool { matches!(k, QuestionKind::Date) }",
        "fn f(k: core::QuestionKind) { if let core::QuestionKind::Text(t) = k { g(t) } }",
        "#[cfg(test)]\nmod tests {\n#[test]\n#[ignore = \"slow\"]\nfn f() {}\n}",
    ] {
        assert_found(&[("crates/core/src/lib.rs", &format!("//! Core.\n{code}\n"))], "banned name");
    }
}

#[test]
fn misshapen_files_are_found() {
    assert_found(&[("crates/core/src/lib.rs", "mod x {}\n")], "module doc");
    assert_found(&[("crates/core/src/lib.rs", "//! x\nmod helpers {}\n")], "lib.rs:2: name: `helpers`");
    assert_found(&[("crates/core/src/forgotten.rs", "//! x\n")], "forgotten file");
    assert_found(
        &[("crates/core/tests/it/main.rs", ""), ("crates/core/tests/it/late.rs", "")],
        "it/late.rs:1: forgotten",
    );
    let scripts: Vec<_> = (0..=15).map(|number| format!("web/src/{number}.ts")).collect();
    let crowd: Vec<_> = scripts.iter().map(|path| (path.as_str(), "")).collect();
    assert_eq!(found("", &crowd[1..]), [""; 0]);
    assert_found(&crowd, "web/src:1: folder size: 16 files");
    let module = [("crates/core/src/lib.rs", "//! x\nmod extra;\n"), ("crates/core/src/extra.rs", "//! x\n")];
    assert_found(&module, "describe `extra`");
    let page = format!("`core` `desk`\n{}", "word ".repeat(3_000));
    assert_found(&[("ARCHITECTURE.md", &page)], "the limit is 14000");
}

#[test]
fn poor_names_are_found() {
    let types = |names: &[&str]| -> String { names.iter().map(|name| format!("struct {name};\n")).collect() };
    let lib = format!("//! Core.\n{}", types(&["Told", "AskSummary", "AskState"]));
    assert_found(&[("crates/core/src/lib.rs", &lib)], "33.3 % of type names are bare participles");
    let lib = format!("//! Core.\n{}", types(&["Ask", "AskState"]));
    assert_found(&[("crates/core/src/lib.rs", &lib)], "50.0 % of type names have one word");
    assert_found(
        &[("crates/core/src/lib.rs", "//! x\n/// What it is.\nfn f() {}\n")],
        "begin with a relative word",
    );
    let test = "#[test]\nfn a_name_of_far_too_many_words() {}\n";
    assert_found(&[("crates/core/tests/it.rs", test)], "words in a test's name");
    for name in ["Rating", "Warning", "AskSummary", "ParsedAsk", "session", "blocking_calls", "Speed"] {
        assert!(is_noun(name), "{name}");
    }
    for name in ["Told", "Laid", "Beside", "Then", "asking", "awaited", "Heard", "lacking", "at_desk"] {
        assert!(!is_noun(name), "{name}");
    }
    assert_eq!([words("Ask"), words("AskSummary"), words("ask_summary"), words("ask")], [1, 2, 2, 1]);
    let text = "/// What it is.\n/// Where.\nfn f() {}\n    /// A thing.\nx";
    assert_eq!(doc_beginnings(text).collect::<Vec<_>>(), ["What it is.", "A thing."]);
    assert_eq!(unique(&["A", "B", "A"]), 1);
}
