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

const PURE: &[&str] = &["crates/core/src/", "crates/dialects/src/"];
const LIBRARIES: &[&str] =
    &["crates/core/", "crates/dialects/", "crates/terminal/", "crates/desk/", "crates/server/"];
const HTTP: &[&str] = &["crates/server/src/http", "bench/src/rows/http"];
const LOG: &[&str] = &["crates/server/src/diagnostics", "crates/desk/src"];
const IO: &str = "this crate does no I/O and starts no threads; leave that to the desk";
const ENVIRONMENT: &str = "the binary reads the environment; take the value as an argument";

const BANS: &[Ban] = &[
    only_in("rusqlite", &["crates/desk/src/store/sqlite", "bench/src/floor"], "go through the desk's store"),
    only_in("ureq", &["crates/desk/src/remote"], "only the desk's remote module names its HTTP client"),
    only_in(
        "rmcp",
        &["crates/server/src/mcp", "crates/server/examples/conformance", "crates/sayso/tests/it/mcp/rmcp.rs"],
        "only the server's mcp module names it",
    ),
    only_in("axum", HTTP, "only the server's http module names it, and the bench that compares with it"),
    only_in("hyper", HTTP, "only the server's http module names it"),
    only_in("hyper_util", HTTP, "only the server's http module names it"),
    only_in("tracing", LOG, "in the server only diagnostics names it; log with its `log_event!`"),
    only_in("tracing_subscriber", LOG, "only the server's diagnostics module names it"),
    only_in("crossterm", &["crates/terminal/src/tty"], "only the tty module names it; draw with ratatui"),
    Ban { tests_may: true, ..not_in("std::env", LIBRARIES, ENVIRONMENT) },
    Ban { tests_may: true, ..not_in("std::fs", PURE, IO) },
    Ban { tests_may: true, ..not_in("std::net", PURE, IO) },
    Ban { tests_may: true, ..not_in("std::thread", PURE, IO) },
    Ban { tests_may: true, ..not_in("async fn", PURE, IO) },
    Ban {
        except: &["crates/sayso/tests/it/mcp/rmcp.rs"],
        ..not_in("tokio::time::sleep", &["crates/sayso/tests/", "crates/server/tests/"], "wait for the event")
    },
    not_in("#[ignore]", &[], "make the test run, or delete it"),
];

const fn only_in(name: &'static str, except: &'static [&'static str], advice: &'static str) -> Ban {
    Ban { name, within: &[], except, tests_may: false, advice }
}

const fn not_in(name: &'static str, within: &'static [&'static str], advice: &'static str) -> Ban {
    Ban { name, within, except: &[], tests_may: false, advice }
}

/// Banned names.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    workspace.sources.iter().flat_map(|source| BANS.iter().flat_map(|ban| find_in(source, ban))).collect()
}

fn find_in(source: &Source, ban: &Ban) -> Vec<Finding> {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| source.path.starts_with(prefix));
    if begins(ban.except) || !(ban.within.is_empty() || begins(ban.within)) {
        return Vec::new();
    }
    let named = source.names.iter().filter(|(name, _)| {
        name.strip_prefix(ban.name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    });
    let bad = named.filter(|(_, line)| !(ban.tests_may && source.is_test(*line)));
    bad.map(|(_, line)| {
        let advice = format!("`{}` does not belong here: {}", ban.name, ban.advice);
        Finding::new(&source.path, *line, "banned name", advice)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{BANS, find_in};
    use crate::tidy::source::Source;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let source = Source::parse(path, text.to_owned(), path.contains("/tests/")).unwrap();
        let mut lines: Vec<_> =
            BANS.iter().flat_map(|ban| find_in(&source, ban)).map(|finding| finding.line).collect();
        lines.dedup();
        lines
    }

    const CORE: &str = "crates/core/src/ask.rs";
    const DESK: &str = "crates/desk/src/local.rs";

    #[test]
    fn drivers_stay_in_their_modules() {
        let code = "use rusqlite::Connection;";
        assert_eq!(lines(DESK, code), [1]);
        assert_eq!(lines("crates/desk/src/store/sqlite/ask.rs", code), [0; 0]);
        assert_eq!(lines("crates/sayso/src/main.rs", "fn f() { g!(1, rmcp::Tool::new(2)) }"), [1]);
    }

    #[test]
    fn pure_crates_do_no_io() {
        for code in [
            "use std::{io, fs};",
            "use std::{\nfmt, net::TcpStream};",
            "fn f() { std::thread::spawn(g); }",
            "impl A { async fn g() {} }",
            "fn f() { vec![std::fs::read(x)]; }",
        ] {
            assert_eq!(lines(CORE, code).len(), 1, "{code}");
            assert_eq!(lines(DESK, code), [0; 0], "{code}");
        }
        let module = "#[cfg(test)]\nmod tests {\n use std::fs;\n}\nuse std::fs;\n";
        assert_eq!(lines(CORE, module), [5]);
    }

    #[test]
    fn only_the_binary_reads_the_environment() {
        assert_eq!(lines(DESK, "use std::{fmt, env::args};"), [1]);
        assert_eq!(lines("crates/sayso/src/main.rs", "use std::env;"), [0; 0]);
    }

    #[test]
    fn ignored_tests_are_found() {
        assert_eq!(lines("crates/core/tests/it/x.rs", "#[test]\n#[ignore = \"slow\"]\nfn f() {}"), [2]);
    }

    #[test]
    fn comments_and_strings_pass() {
        assert_eq!(lines(CORE, "// std::fs\nconst X: &str = \"rusqlite std::fs\";"), [0; 0]);
    }
}
