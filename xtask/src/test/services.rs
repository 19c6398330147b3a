//! Programs that the tests of a run share: a PostgreSQL server, in which each test makes a database of its own, and a
//! browser, in which each test has a profile of its own. A test that runs without them starts its own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};
use xtask::process;

use super::pool::Environment;

/// Programs that end with this value.
#[derive(Debug)]
pub(super) struct Services {
    /// Variables that say where they are.
    pub(super) environment: Environment,
    programs: Vec<Child>,
}

impl Services {
    /// Starts all of them.
    pub(super) fn start(root: &Path, database_server: &Path, is_long: bool) -> anyhow::Result<Self> {
        let mut services = Self { environment: Vec::new(), programs: Vec::new() };
        services.add("SAYSO_TEST_DATABASE_SERVER", &mut Command::new(database_server))?;
        let words = ["node", "crates/sayso/tests/node/browser.mjs"];
        services.add("SAYSO_TEST_BROWSER", &mut process::command(root, &words)?)?;
        if is_long {
            services.environment.push(("SAYSO_TEST_CASES", "all".into()));
        }
        Ok(services)
    }

    /// Starts a program that prints where it is, and ends with its standard input.
    fn add(&mut self, variable: &'static str, command: &mut Command) -> anyhow::Result<()> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run `{}`", process::shown(command)))?;
        let mut place = String::new();
        BufReader::new(child.stdout.take().context("no standard output")?).read_line(&mut place)?;
        self.programs.push(child);
        if place.trim().is_empty() {
            bail!("`{}` does not print where it is", process::shown(command));
        }
        self.environment.push((variable, place.trim().into()));
        Ok(())
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        for mut program in self.programs.drain(..) {
            drop(program.stdin.take());
            // It has ended, whatever its exit code is.
            let _ = program.wait();
        }
    }
}
