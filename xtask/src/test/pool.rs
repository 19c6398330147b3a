//! Runs tests, several at once.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::num::NonZero;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::listing::Test;
use super::session;

/// Tests that run at once beyond one a core: some wait for programs that wait themselves.
const SPARE_THREADS: usize = 1;

/// Variables that each test gets.
pub(super) type Environment = Vec<(&'static str, OsString)>;

/// Result of a test.
#[derive(Debug)]
pub(super) struct TestResult<'t> {
    pub(super) test: &'t Test,
    pub(super) is_passed: bool,
    pub(super) time: Duration,
    output: String,
}

impl TestResult<'_> {
    /// Prints a line, and the output of a test that failed.
    pub(super) fn print(&self) {
        let word = if self.is_passed { "ok" } else { "FAILED" };
        println!("{:>6.2} s  {} ... {word}", self.time.as_secs_f64(), self.test);
        if !self.is_passed {
            println!("{}", self.output.trim_end());
        }
    }
}

/// Runs tests in this order and prints each result as it comes.
pub(super) fn run_all<'t>(
    tests: &'t [Test],
    environment: &Environment,
) -> anyhow::Result<Vec<TestResult<'t>>> {
    let queue = Mutex::new(tests.iter().collect::<VecDeque<_>>());
    let threads = thread::available_parallelism().map_or(1, NonZero::get) + SPARE_THREADS;
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || run_queued(queue, environment, &sender));
        }
        drop(sender);
        let mut results = Vec::new();
        for result in receiver {
            let result: TestResult<'t> = result?;
            result.print();
            results.push(result);
        }
        Ok(results)
    })
}

/// Runs tests of the queue until it is empty, or one cannot be started.
fn run_queued<'t>(
    queue: &Mutex<VecDeque<&'t Test>>,
    environment: &Environment,
    results: &Sender<anyhow::Result<TestResult<'t>>>,
) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(test) = next else { return };
        if results.send(run_one(test, environment)).is_err() {
            return;
        }
    }
}

/// Runs one test.
///
/// # Errors
/// Fails if it cannot be started.
pub(super) fn run_one<'t>(test: &'t Test, environment: &Environment) -> anyhow::Result<TestResult<'t>> {
    let mut environment = environment.clone();
    environment.push(("CARGO_MANIFEST_DIR", test.package.clone().into()));
    let words = [test.program.as_os_str(), "--exact".as_ref(), test.name.as_ref()];
    let started = Instant::now();
    let (code, output) = session::run(&test.package, &words, &environment, test.session)?;
    Ok(TestResult {
        test,
        // A program that knows no test of this name ends well, too.
        is_passed: code.as_deref() == Some("0") && output.contains("1 passed"),
        time: started.elapsed(),
        output,
    })
}
