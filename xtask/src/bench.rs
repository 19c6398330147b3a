//! `cargo xtask bench`: builds the program as it is shipped and runs the benchmark. With `--report` it measures
//! everything twice, at rest and beside a compiler, and writes `docs/performance.md`.
//!
//! The peers that it compares us with are installed by their lock files, unless `--no-peers` is said: they need Node
//! and Python, and nothing else of ours does.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use xtask::process;

/// Folder of the peers.
const PEERS: &str = "bench/peers";

/// Packages that a lock file pins.
#[derive(Debug)]
pub(crate) struct Packages {
    lock: &'static str,
    /// The folder that they are installed into.
    folder: &'static str,
    /// Command that installs them.
    commands: &'static [&'static [&'static str]],
    /// Files that it requires.
    needs: &'static str,
}

/// Packages of npm.
pub(crate) const NPM: Packages = Packages {
    lock: "package-lock.json",
    folder: "node_modules",
    commands: &[&["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]],
    needs: "Node 20 or later, with npm",
};

const PACKAGES: &[Packages] = &[
    NPM,
    Packages {
        lock: "requirements.txt",
        folder: ".venv",
        commands: &[
            &["python3", "-m", "venv", "--clear", ".venv"],
            &[
                ".venv/bin/python",
                "-m",
                "pip",
                "install",
                "--require-hashes",
                "--no-deps",
                "-r",
                "requirements.txt",
            ],
        ],
        needs: "Python 3.11 or later, with venv",
    },
];

pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    // The page alone needs nothing but what was measured.
    let renders = has("--render");
    if !renders && !has("--no-peers") {
        let peers = root.join(PEERS);
        PACKAGES.iter().try_for_each(|packages| packages.install(&peers))?;
    }
    // Code that is measured in process is built as it is shipped, too. Built together, one could change the other.
    for package in ["sayso", "bench"].into_iter().filter(|package| !renders || *package == "bench") {
        let words = ["cargo", "build", "--locked", "--profile", "dist", "-p", package];
        process::run(&mut process::command(root, &words)?)?;
    }
    let target = process::target(root);
    let bench = target.join("dist/bench");
    let mut bench =
        process::command(root, &[bench.to_str().context("the target folder has no UTF-8 name")?])?;
    process::run(bench.arg(target.join("dist/sayso")).args(arguments))?;
    Ok(ExitCode::SUCCESS)
}

impl Packages {
    /// Installs what the lock file pins, unless just that is there.
    pub(crate) fn install(&self, peers: &Path) -> anyhow::Result<()> {
        let file = peers.join(self.lock);
        let lock = fs::read(&file).with_context(|| format!("no {}", file.display()))?;
        // A copy of the lock file, written last, says what is installed.
        let installed = peers.join(self.folder).join("installed-lock");
        if fs::read(&installed).is_ok_and(|copy| copy == lock) {
            return Ok(());
        }
        for words in self.commands {
            let missing = || format!("the peers need {}; `--no-peers` leaves them out", self.needs);
            process::run(&mut process::command(peers, words)?).with_context(missing)?;
        }
        Ok(fs::write(installed, lock)?)
    }
}
