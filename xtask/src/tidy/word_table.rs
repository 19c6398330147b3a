//! The table of words that only some places may use.

/// Words that must not stand in some sources. Comments and strings do not count.
#[derive(Debug)]
pub(crate) struct Banned {
    /// The words, as code. A `use` with braces is read as if each of its paths stood alone.
    pub(crate) code: &'static str,
    /// Beginnings of paths where they are banned; everywhere when empty.
    pub(crate) within: &'static [&'static str],
    /// Beginnings of paths where they are allowed all the same.
    pub(crate) except: &'static [&'static str],
    /// Whether tests may use them wherever they are.
    pub(crate) tests_may: bool,
    /// A comment that allows them on its line and the next, when a reason follows it.
    pub(crate) excuse: Option<&'static str>,
    /// What to do instead.
    pub(crate) advice: &'static str,
}

const DEFAULT: Banned =
    Banned { code: "", within: &[], except: &[], tests_may: false, excuse: None, advice: "" };

const PURE: &[&str] = &["crates/core/", "crates/dialects/"];
const PURE_SRC: &[&str] = &["crates/core/src/", "crates/dialects/src/"];
const NO_ENVIRONMENT: &[&str] =
    &["crates/core/", "crates/dialects/", "crates/terminal/", "crates/desk/", "crates/server/"];

const fn only_in(code: &'static str, except: &'static [&'static str], advice: &'static str) -> Banned {
    Banned { code, except, advice, ..DEFAULT }
}

const fn never_in(code: &'static str, within: &'static [&'static str], advice: &'static str) -> Banned {
    Banned { code, within, advice, ..DEFAULT }
}

const fn not_in_src(code: &'static str, advice: &'static str) -> Banned {
    Banned { code, within: PURE_SRC, tests_may: true, advice, ..DEFAULT }
}

const fn nowhere(code: &'static str, advice: &'static str) -> Banned {
    Banned { code, advice, ..DEFAULT }
}

const TIME: &str = "time and ids come in as arguments here; the desk makes them";
const IO: &str = "this crate does no I/O; leave it to the desk";
const EXPECT: &str = "use `#[expect(…, reason = \"…\")]`: it fails when it is no longer needed";

/// All banned words.
pub(crate) const TABLE: &[Banned] = &[
    only_in(
        "rusqlite",
        &["crates/desk/src/store/sqlite", "bench/src/floor"],
        "only the desk's SQLite store names its driver; go through the store",
    ),
    only_in("ureq", &["crates/desk/src/remote"], "only the desk's remote module names its HTTP client"),
    only_in(
        "rmcp",
        &["crates/server/src/mcp", "crates/sayso/tests/it/mcp_rmcp.rs"],
        "only the server's mcp module names it",
    ),
    only_in(
        "axum",
        &["crates/server/src/http", "bench/src/http"],
        "only the server's http module names it, and the bench that measures beside it",
    ),
    only_in(
        "crossterm",
        &["crates/terminal/src/screen/tty"],
        "only the screen's tty module names it; others have words of their own for input, and draw with ratatui",
    ),
    only_in("hyper", &["crates/server/src/http"], "only the server's http module names it"),
    only_in("hyper_util", &["crates/server/src/http"], "only the server's http module names it"),
    never_in("Timestamp::now", PURE, TIME),
    never_in("Zoned::now", PURE, TIME),
    never_in("SystemTime::now", PURE, TIME),
    never_in("now_v7", PURE, TIME),
    never_in("new_v4", PURE, TIME),
    Banned {
        tests_may: true,
        ..never_in(
            "std::env",
            NO_ENVIRONMENT,
            "the binary reads the environment; take the value as an argument",
        )
    },
    not_in_src("std::fs", IO),
    not_in_src("std::net", IO),
    not_in_src("std::thread", "this crate starts no threads; leave it to the caller"),
    not_in_src("async fn", "this crate is not async; leave waiting to the desk"),
    Banned {
        excuse: Some("tidy: sleep because"),
        ..nowhere("thread::sleep", "wait for the event, or say `// tidy: sleep because …` beside it")
    },
    Banned {
        excuse: Some("tidy: sleep because"),
        ..never_in(
            "tokio::time::sleep",
            &["crates/sayso/tests/", "crates/server/tests/"],
            "wait for the event, or say `// tidy: sleep because …` beside it",
        )
    },
    nowhere("#[ignore", "make the test run, or delete it"),
    nowhere("todo!", "do it, or return a Problem that says it cannot be done yet"),
    nowhere("dbg!", "remove it"),
    nowhere("#[allow(", EXPECT),
    nowhere("#![allow(", EXPECT),
];
