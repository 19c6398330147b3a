//! The tests: one runner lists those of all crates, runs each in a process and on a terminal of its own, and keeps what
//! each took.
//!
//! The *short* set runs by default. The long set ([`sets`]) has what takes long and tries the same promises with more
//! cases.

mod listing;
mod pool;
mod services;
pub(crate) mod session;
mod sets;
mod times;

use std::path::Path;

use anyhow::bail;

use crate::cargo;
use listing::{Test, list_tests};
use pool::TestResult;
use services::Services;
use times::Times;

/// Tests to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection<'a> {
    /// True for the long set, too, and for more cases in tests that have a number of them.
    pub(crate) is_long: bool,
    /// Parts of names, one of which a test must have; all tests if there is none.
    pub(crate) words: &'a [String],
}

/// Number of tests by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Tests of the long set that did not run.
    pub(crate) skipped: usize,
}

/// Builds all tests, runs the selected ones and prints their times. A test that fails runs once more, alone; if it
/// passes then it is unstable, which is printed and does not fail the run.
///
/// # Errors
/// Fails if a build, a service or a test fails, or if no test ran.
pub(crate) fn run(root: &Path, selection: Selection<'_>, totals: &mut Totals) -> anyhow::Result<()> {
    let programs = cargo::build_programs(root)?;
    let build = cargo::build_tests(root)?;
    let (mut tests, skipped) = list_tests(&build)?.into_selection(selection)?;
    totals.skipped += skipped;
    let mut times = Times::read(root, selection.is_long)?;
    times.sort_longest_first(&mut tests);
    println!("running {} tests, {skipped} others are in the long set", tests.len());
    let services = Services::start(root, programs.program("database_server")?, selection.is_long)?;
    let results = pool::run_all(&tests, &services.environment)?;
    let (passed, failed): (Vec<_>, Vec<_>) = results.into_iter().partition(|result| result.is_passed);
    let unstable = run_again(&failed, &services, totals)?;
    totals.passed += passed.len() + unstable.len();
    times.report(&passed);
    times.write(root, selection.is_long)?;
    for test in &unstable {
        println!("unstable: {test} failed once, and passed when it ran again alone");
    }
    if totals.failed > 0 {
        bail!("{} failed", totals.failed);
    }
    if totals.passed == 0 {
        bail!("no test ran");
    }
    Ok(())
}

/// Runs failed tests again, one after another, and returns those that pass.
fn run_again<'t>(
    failed: &[TestResult<'t>],
    services: &Services,
    totals: &mut Totals,
) -> anyhow::Result<Vec<&'t Test>> {
    let mut unstable = Vec::new();
    for first in failed {
        println!("again, alone: {}", first.test);
        let second = pool::run_one(first.test, &services.environment)?;
        second.print();
        if second.is_passed {
            unstable.push(first.test);
        } else {
            totals.failed += 1;
        }
    }
    Ok(unstable)
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}
