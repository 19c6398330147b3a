//! The tests of a build.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::Selection;
use super::session::Session;
use super::sets::{LONG, SHORT_BUT_SLOW, WITHOUT_TERMINAL};
use crate::cargo::{Build, Program};

/// One test.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    /// Program that contains it.
    pub(super) program: PathBuf,
    /// Folder in which it runs.
    pub(super) package: PathBuf,
    /// Name of the program: `sayso`, or `sayso/it` for the tests of the folder `tests/it`.
    pub(super) crate_name: String,
    /// Name in the program.
    pub(super) name: String,
    pub(super) session: Session,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.crate_name, self.name)?;
        if self.session == Session::WithoutTerminal {
            f.write_str(" (without a terminal)")?;
        }
        Ok(())
    }
}

/// All tests of a build.
#[derive(Debug)]
pub(super) struct Listing(Vec<Test>);

/// Asks each program for its tests.
pub(super) fn list_tests(build: &Build) -> anyhow::Result<Listing> {
    let mut tests = Vec::new();
    for program in build.programs.iter().filter(|program| program.is_test) {
        let output = Command::new(&program.file)
            .args(["--list", "--format", "terse"])
            .current_dir(&program.package)
            .output()
            .with_context(|| format!("cannot run {}", program.file.display()))?;
        if !output.status.success() {
            bail!("{} does not list its tests: {}", program.file.display(), output.status);
        }
        tests.extend(read_list(program, &String::from_utf8(output.stdout)?)?);
    }
    Ok(Listing(tests))
}

fn read_list(program: &Program, list: &str) -> anyhow::Result<Vec<Test>> {
    let crate_name = crate_name(&program.package, &program.name)?;
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names
        .map(|name| Test {
            program: program.file.clone(),
            package: program.package.clone(),
            crate_name: crate_name.clone(),
            name: name.to_owned(),
            session: Session::OnTerminal,
        })
        .collect())
}

/// Name of a program after the folder of its package: `core`, `core/it`.
fn crate_name(package: &Path, target: &str) -> anyhow::Result<String> {
    let folder = package.file_name().context("a package has a folder")?.to_string_lossy();
    Ok(if target == "it" { format!("{folder}/it") } else { folder.into_owned() })
}

impl Listing {
    /// Returns the selected tests, and the number of others that are in the long set alone.
    ///
    /// # Errors
    /// Fails if a row of the sets names no test.
    pub(super) fn into_selection(self, selection: Selection<'_>) -> anyhow::Result<(Vec<Test>, usize)> {
        let rows = [LONG, SHORT_BUT_SLOW, WITHOUT_TERMINAL].concat();
        let names: Vec<String> = self.0.iter().map(Test::to_string).collect();
        if let Some((row, _)) = rows.iter().find(|(row, _)| !names.iter().any(|name| name.starts_with(row))) {
            bail!("no test begins with `{row}`; see xtask/src/test/sets.rs");
        }
        let is_named = |test: &Test| {
            let name = test.to_string();
            selection.words.is_empty() || selection.words.iter().any(|word| name.contains(word))
        };
        let mut tests: Vec<Test> = self.0.into_iter().filter(is_named).collect();
        let all = tests.len();
        if selection.is_long {
            let again = tests.iter().filter(|test| is_in(WITHOUT_TERMINAL, test)).cloned();
            let again = again.map(|test| Test { session: Session::WithoutTerminal, ..test });
            tests.extend(again.collect::<Vec<_>>());
            return Ok((tests, 0));
        }
        tests.retain(|test| !is_in(LONG, test));
        let skipped = all - tests.len();
        Ok((tests, skipped))
    }
}

/// Returns whether a row of a set names a test.
pub(super) fn is_in(set: &[(&str, &str)], test: &Test) -> bool {
    let name = test.to_string();
    set.iter().any(|(row, _)| name.starts_with(row))
}
