//! The programs that the tests need: how to see that each is there, and where it comes from.
//!
//! A new tool is one row in [`TOOLS`].

use std::path::Path;
use std::process::{Command, Stdio};

/// Something that must be installed before the tests can run.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Features that do not work without it.
    pub(crate) needed_for: &'static str,
    /// A command that succeeds when the tool is there, and changes nothing. It runs at the root.
    pub(crate) probe: &'static [&'static str],
    pub(crate) source: Source,
}

/// Source of a tool.
#[derive(Debug)]
pub(crate) enum Source {
    /// Debian packages.
    Debian(&'static [&'static str]),
    /// A component of the Rust toolchain.
    Rustup(&'static str),
    /// The npm packages that `package-lock.json` pins.
    Npm,
    /// The Python packages that `requirements.txt` pins, in an environment of the project's own.
    Pip,
    /// Nothing we can do by command: what the person has to do.
    ByHand(&'static str),
}

/// Everything that the tests need.
pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "cargo",
        needed_for: "building",
        probe: &["cargo", "--version"],
        source: Source::ByHand("install Rust from https://rustup.rs"),
    },
    Tool {
        name: "rustfmt",
        needed_for: "the format check",
        probe: &["cargo", "fmt", "--version"],
        source: Source::Rustup("rustfmt"),
    },
    Tool {
        name: "clippy",
        needed_for: "the lints",
        probe: &["cargo", "clippy", "--version"],
        source: Source::Rustup("clippy"),
    },
    Tool {
        name: "C compiler",
        needed_for: "SQLite, and for linking",
        probe: &["cc", "--version"],
        source: Source::Debian(&["gcc", "libc6-dev"]),
    },
    Tool {
        name: "C library",
        needed_for: "SQLite",
        probe: &["cc", "-E", "-x", "c", "-include", "stdio.h", "/dev/null"],
        source: Source::Debian(&["gcc", "libc6-dev"]),
    },
    Tool {
        name: "git",
        needed_for: "working on the project",
        probe: &["git", "--version"],
        source: Source::Debian(&["git"]),
    },
    Tool {
        name: "strace",
        needed_for: "disks that fail, in tests",
        probe: &["strace", "--version"],
        source: Source::Debian(&["strace"]),
    },
    Tool {
        name: "libfaketime",
        needed_for: "clocks that are set, in tests",
        // The program `faketime` fails where a killed one left a semaphore for its process id.
        probe: &["sh", "-c", "ls /usr/lib/*/faketime/libfaketimeMT.so.1"],
        source: Source::Debian(&["libfaketime"]),
    },
    Tool {
        // Debian 12 has 18; what package.json pins runs on it.
        name: "node 18 or newer",
        needed_for: "running the generated schemas and the clients of others",
        probe: &["node", "--eval", "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)"],
        source: Source::Debian(&["nodejs"]),
    },
    Tool {
        name: "npm",
        needed_for: "installing its packages",
        probe: &["npm", "--version"],
        source: Source::Debian(&["npm"]),
    },
    Tool {
        name: "npm packages",
        needed_for: "compiling and running the generated schemas, and the clients of others",
        probe: &["npm", "ls"],
        source: Source::Npm,
    },
    Tool {
        name: "python",
        needed_for: "running the packages below",
        // Debian has the module in a package of its own.
        probe: &["python3", "-m", "ensurepip", "--version"],
        source: Source::Debian(&["python3", "python3-venv"]),
    },
    Tool {
        name: "Python packages",
        needed_for: "fuzzing the HTTP API, reading its streams as others do, and an agent of others",
        probe: &[
            ".venv/bin/python",
            "-m",
            "pip",
            "--isolated",
            "install",
            "--dry-run",
            "--no-index",
            "--no-deps",
            "--requirement",
            "requirements.txt",
        ],
        source: Source::Pip,
    },
    Tool {
        name: "chromium",
        needed_for: "the example page in a real browser",
        probe: &["chromium", "--version"],
        source: Source::Debian(&["chromium"]),
    },
    Tool {
        name: "firefox",
        needed_for: "the page in Firefox",
        probe: &["firefox-esr", "--version"],
        source: Source::Debian(&["firefox-esr"]),
    },
    Tool {
        name: "webkit",
        needed_for: "the page in WebKit",
        probe: &["sh", "-c", "command -v WebKitWebDriver xvfb-run"],
        source: Source::Debian(&["webkit2gtk-driver", "xvfb"]),
    },
    Tool {
        name: "postgresql",
        needed_for: "desks in a database",
        probe: &["sh", "-c", "ls /usr/lib/postgresql/*/bin/initdb && setpriv --version"],
        source: Source::Debian(&["postgresql", "util-linux"]),
    },
    Tool {
        name: "haproxy",
        needed_for: "the example of a desk on several machines",
        probe: &["/usr/sbin/haproxy", "-v"],
        source: Source::Debian(&["haproxy"]),
    },
    Tool {
        name: "pgbouncer",
        needed_for: "the warning of a pooler",
        probe: &["/usr/sbin/pgbouncer", "--version"],
        source: Source::Debian(&["pgbouncer"]),
    },
    Tool {
        name: "curl",
        needed_for: "reading a stream as people do",
        // It sends JSON from 7.82 on.
        probe: &["curl", "--json", "{}", "--version"],
        source: Source::Debian(&["curl"]),
    },
];

/// The tools this machine lacks.
pub(crate) fn missing(root: &Path, tools: &'static [Tool]) -> Vec<&'static Tool> {
    tools.iter().filter(|tool| !succeeds(root, tool.probe)).collect()
}

/// Returns whether a command can be run in a folder and ends well. Its output is discarded.
pub(crate) fn succeeds(folder: &Path, words: &[&str]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::{Source, Tool, missing};
    use std::path::Path;

    const SAMPLE: &[Tool] = &[
        Tool {
            name: "there",
            needed_for: "this test",
            probe: &["cargo", "--version"],
            source: Source::ByHand(""),
        },
        Tool {
            name: "refuses",
            needed_for: "this test",
            probe: &["cargo", "--no-such-switch"],
            source: Source::ByHand(""),
        },
        Tool {
            name: "not there",
            needed_for: "this test",
            probe: &["sayso-no-such-program"],
            source: Source::ByHand(""),
        },
    ];

    #[test]
    fn a_tool_is_missing_when_its_probe_fails_or_cannot_run() {
        let names: Vec<_> = missing(Path::new("."), SAMPLE).iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["refuses", "not there"]);
    }
}
