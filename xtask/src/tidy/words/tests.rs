use super::find;
use crate::tidy::tree::Tree;

const MANIFESTS: [(&str, &str); 2] = [
    ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
    ("crates/core/Cargo.toml", "[package]\nname = \"sayso-core\"\n"),
];

/// The lines with findings.
fn found(path: &str, text: &str) -> Vec<usize> {
    let tree = Tree::of(&[MANIFESTS.as_slice(), &[(path, text)]].concat());
    find(&tree).into_iter().map(|finding| finding.line).collect()
}

/// The same code is refused in the first places and accepted in the others.
fn check(code: &str, refused: &[&str], accepted: &[&str]) {
    for path in refused {
        assert_eq!(found(path, &format!("fn f() {{}}\n{code}\n")), [2], "{code} in {path}");
    }
    for path in accepted {
        assert_eq!(found(path, &format!("fn f() {{}}\n{code}\n")), [0; 0], "{code} in {path}");
    }
}

const CORE: &str = "crates/core/src/ask.rs";
const CORE_TEST: &str = "crates/core/tests/it/main.rs";
const DIALECTS: &str = "crates/dialects/src/auq.rs";
const DESK: &str = "crates/desk/src/local.rs";
const TERMINAL: &str = "crates/terminal/src/inbox.rs";
const BINARY: &str = "crates/sayso/src/main.rs";
const XTASK: &str = "xtask/src/main.rs";

#[test]
fn drivers_are_named_in_their_module_only() {
    let sqlite =
        ["crates/desk/src/store/sqlite.rs", "crates/desk/src/store/sqlite/wake.rs", "bench/src/floor.rs"];
    check("use rusqlite::Connection;", &[DESK, CORE, BINARY, XTASK, "crates/desk/src/store.rs"], &sqlite);
    check("use rmcp::Tool;", &[BINARY, "crates/server/src/http.rs"], &["crates/server/src/mcp/tools.rs"]);
    check("use axum::Router;", &[BINARY, "crates/server/src/mcp.rs"], &["crates/server/src/http.rs"]);
}

#[test]
fn pure_crates_read_no_clock() {
    for code in ["jiff::Timestamp::now();", "Zoned::now();", "SystemTime::now()", "Uuid::now_v7()"] {
        check(code, &[CORE, CORE_TEST, DIALECTS], &[DESK, BINARY]);
    }
}

#[test]
fn the_binary_alone_reads_the_environment() {
    for code in ["std::env::var(\"X\")", "use std::env;", "use std::{fmt, env::args};"] {
        check(code, &[CORE, DIALECTS, DESK, TERMINAL], &[BINARY, XTASK]);
    }
}

#[test]
fn pure_crates_do_no_io_outside_of_tests() {
    for code in [
        "std::fs::read(x)",
        "use std::{io, fs};",
        "std::net::TcpStream",
        "std::thread::spawn",
        "async fn g() {}",
    ] {
        check(code, &[CORE, DIALECTS], &[CORE_TEST, DESK, BINARY]);
    }
    let module = "#[cfg(test)]\nmod tests {\n use std::fs;\n}\nuse std::fs;\n";
    assert_eq!(found("crates/core/src/lib.rs", module), [5]);
}

#[test]
fn sleeping_needs_a_reason_beside_it() {
    check("std::thread::sleep(x);", &[DESK, CORE_TEST, XTASK], &[]);
    check("thread::sleep(x); // tidy: sleep because", &[DESK], &[]);
    check("thread::sleep(x); // tidy: sleep because there is no event", &[], &[DESK]);
    let above = "// tidy: sleep because there is no event\nthread::sleep(x);\nthread::sleep(y);";
    assert_eq!(found(DESK, above), [3]);
}

#[test]
fn unfinished_and_hidden_work_is_found_everywhere() {
    let everywhere = [CORE, CORE_TEST, DESK, BINARY, XTASK];
    for code in [
        "#[ignore]",
        "#[ignore = \"slow\"]",
        "todo!()",
        "todo!(\"later\")",
        "dbg!(x);",
        "#[allow(unused)]",
        "#![allow(unused)]",
    ] {
        check(code, &everywhere, &[]);
    }
    for code in ["let todo = 1;", "if todo != 1 {}", "dbg != x", "#[expect(unused)]", "ignore()", "allow(x)"]
    {
        check(code, &[], &everywhere);
    }
}

#[test]
fn comments_and_strings_are_not_code() {
    for code in ["// todo!() std::env::var", "/// `rusqlite`", "let x = \"dbg!(1) rusqlite\";"] {
        check(code, &[], &[CORE, DESK, BINARY]);
    }
}

#[test]
fn grouped_imports_are_written_out() {
    let deep = "use std::{\n    collections::{BTreeMap, BTreeSet},\n    fs,\n    env::{self, var},\n};\n";
    assert_eq!(found(CORE, deep), [4, 3]);
    assert_eq!(found(CORE, "use std::{fmt, io};\nuse other::{env, fs};\n"), [0; 0]);
}
