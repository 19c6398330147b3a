//! Rule: some names belong to some places only. What holds everywhere is a lint of Clippy (`Cargo.toml`, `clippy.toml`).

use super::Finding;
use super::source::Source;
use super::workspace::Workspace;

/// A path, attribute or keyword that is banned from some files.
struct Ban {
    name: &'static str,
    /// Beginnings of the paths of files where it is banned; empty for all files.
    within: &'static [&'static str],
    /// Beginnings of the paths of files that are excepted.
    except: &'static [&'static str],
    tests_may: bool,
    advice: &'static str,
}

const PURE: &[&str] = &["crates/core/", "crates/dialects/"];
const LIBRARIES: &[&str] =
    &["crates/core/", "crates/dialects/", "crates/terminal/", "crates/desk/", "crates/server/"];
const HTTP: &[&str] = &["crates/server/src/http", "bench/src/rows/http"];
const LOG: &[&str] = &["crates/server/src/diagnostics", "crates/desk/src"];
const IO: &str = "this crate does no I/O and starts no threads; leave that to the desk";
/// Files that may name the kinds of question.
const KINDS: &str = "crates/core/src/kinds";
const MCP_CLIENT: &str = "crates/sayso/tests/it/mcp/clients/rust_sdk.rs";

const BANS: &[Ban] = &[
    only_in("rusqlite", &["crates/desk/src/store/sqlite", "bench/src/floor"], "go through the desk's store"),
    only_in("tokio_postgres", &["crates/desk/src/store/postgres"], "go through the desk's store"),
    only_in("ureq", &["crates/desk/src/remote"], "only the desk's remote module names the HTTP client"),
    only_in(
        "rmcp",
        &["crates/server/src/mcp", "crates/server/examples/conformance", MCP_CLIENT],
        "only the server's mcp module names it",
    ),
    only_in("axum", HTTP, "only the server's http module names it, and the bench that compares with it"),
    only_in("hyper", HTTP, "only the server's http module names it"),
    only_in("hyper_util", HTTP, "only the server's http module names it"),
    only_in("tracing", LOG, "in the server only diagnostics names it; log with its `log_event!`"),
    only_in("tracing_subscriber", LOG, "only the server's diagnostics module names it"),
    only_in("crossterm", &["crates/terminal/src/tty"], "only the tty module names it; draw with ratatui"),
    Ban {
        except: &["crates/server/build.rs"],
        ..not_in("std::env", LIBRARIES, "the binary reads the environment; take the value as an argument")
    },
    not_in("std::fs", PURE, IO),
    not_in("std::net", PURE, IO),
    not_in("std::thread", PURE, IO),
    not_in("async fn", PURE, IO),
    Ban {
        within: &["crates/sayso/tests/", "crates/server/tests/"],
        ..only_in("tokio::time::sleep", &[MCP_CLIENT], "wait for the event")
    },
    only_in("#[ignore]", &[], "make the test run, or delete it"),
];

const fn only_in(name: &'static str, except: &'static [&'static str], advice: &'static str) -> Ban {
    Ban { name, within: &[], except, tests_may: false, advice }
}

const fn not_in(name: &'static str, within: &'static [&'static str], advice: &'static str) -> Ban {
    Ban { name, within, except: &[], tests_may: true, advice }
}

/// Banned names.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &workspace.sources {
        findings.extend(BANS.iter().flat_map(|ban| find_in(source, ban)));
        findings.extend(find_kinds(source));
    }
    findings
}

/// Finds kinds of question that are named outside their files: there the compiler does not say what a new kind needs if
/// an arm is `_`, or a test is `if let` or `matches!`.
fn find_kinds(source: &Source) -> Vec<Finding> {
    if source.path.starts_with(KINDS) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (name, line) in &source.names {
        let mut parts = name.split("::").skip_while(|part| *part != "QuestionKind");
        // A function of the enum has a small letter.
        if parts.nth(1).is_some_and(|variant| variant.starts_with(char::is_uppercase)) {
            let advice = format!("`{name}` does not belong here: ask the question for its `input()`");
            findings.push(Finding::new(&source.path, *line, "banned name", advice));
        }
    }
    findings
}

fn find_in(source: &Source, ban: &Ban) -> Vec<Finding> {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| source.path.starts_with(prefix));
    if begins(ban.except) || !(ban.within.is_empty() || begins(ban.within)) {
        return Vec::new();
    }
    let is_banned = |name: &str| {
        name.strip_prefix(ban.name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let bad = source
        .names
        .iter()
        .filter(|(name, line)| is_banned(name) && !(ban.tests_may && source.is_test(*line)));
    let advice = format!("`{}` does not belong here: {}", ban.name, ban.advice);
    bad.map(|(_, line)| Finding::new(&source.path, *line, "banned name", &*advice)).collect()
}
