//! `cargo xtask browser`: runs all tests in a real browser, with each screen in each language, look and size, of which
//! `check` sees a sample. Then it builds the program as it is shipped, and measures its page and its element, beside other
//! renderers. It prints a table.
//!
//! `--tests` measures nothing. `--no-peers` leaves out the other renderers, which are installed by their lock file.
//! `--screens` only takes the pictures of the page for the docs.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::bench::NPM;
use crate::process;
use crate::test_run::totals::Totals;
use crate::test_run::{self, Session};

/// Folder of the programs that measure, and of the peers.
const FOLDER: &str = "bench/browser";

/// Tests of the program that run in a browser, by their modules.
const TESTS: &[&str] = &["mcp::apps::", "web::", "threads::page::", "websocket::page::"];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if !has("--screens") {
        run_tests(root)?;
    }
    if !has("--tests") {
        measure(root, arguments)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the tests with each screen, and prints what they took.
fn run_tests(root: &Path) -> anyhow::Result<()> {
    let (started, mut totals) = (Instant::now(), Totals::default());
    let cargo = ["env", "SAYSO_BROWSER=all", "cargo", "test", "--locked", "--no-fail-fast", "--workspace"];
    let words = [&cargo[..], &["--test", "it", "--"], TESTS].concat();
    let result = test_run::run(root, &words, Session::OnTerminal, io::stdout().lock(), &mut totals);
    println!("{:.1} s of tests in a browser\n{totals}", started.elapsed().as_secs_f64());
    result.with_context(|| format!("{} failed", totals.failed))?;
    if totals.ran() == 0 {
        bail!("no test ran");
    }
    Ok(())
}

fn measure(root: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let folder = root.join(FOLDER);
    if !arguments.iter().any(|argument| argument == "--no-peers") {
        NPM.install(&folder)?;
    }
    process::run(&mut process::command(
        root,
        &["cargo", "build", "--locked", "--profile", "dist", "-p", "sayso"],
    )?)?;
    let program = process::target(root).join("dist/sayso");
    let program = program.to_str().context("the target folder has no UTF-8 name")?;
    process::run(process::command(&folder, &["node", "run.mjs", program])?.args(arguments))
}

#[cfg(test)]
mod tests {
    use super::TESTS;
    use std::path::Path;

    #[test]
    fn browser_tests_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/sayso/tests/it");
        for name in TESTS {
            let file = folder.join(format!("{}.rs", name.trim_end_matches("::").replace("::", "/")));
            assert!(file.is_file(), "{name}");
        }
    }
}
