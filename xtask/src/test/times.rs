//! Times of the tests, kept from one run to the next.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use xtask::process;

use super::listing::{Test, is_in};
use super::pool::TestResult;
use super::sets::{LONG, SHORT_BUT_SLOW};

/// Number of tests in the list of the slowest.
const SLOWEST: usize = 20;
/// Time above which a test is in the long set, or says why it is short.
const SLOW: Duration = Duration::from_secs(3);
/// Growth that is printed, of tests that take at least a second.
const GROWTH: u32 = 3;
const GROWN: Duration = Duration::from_secs(1);

/// Times of tests by their names.
#[derive(Debug, Default)]
pub(super) struct Times(BTreeMap<String, Duration>);

/// Returns the file of a set: the long one tries more cases of the same tests.
fn file(root: &Path, is_long: bool) -> PathBuf {
    process::target(root).join(if is_long { "test-times-all.json" } else { "test-times.json" })
}

impl Times {
    /// Reads the times of earlier runs; none on a fresh machine.
    pub(super) fn read(root: &Path, is_long: bool) -> anyhow::Result<Self> {
        let path = file(root, is_long);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            text => text.with_context(|| path.display().to_string())?,
        };
        let millis: BTreeMap<String, u64> =
            serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        Ok(Self(millis.into_iter().map(|(name, millis)| (name, Duration::from_millis(millis))).collect()))
    }

    pub(super) fn write(&self, root: &Path, is_long: bool) -> anyhow::Result<()> {
        let millis: BTreeMap<_, _> = self.0.iter().map(|(name, time)| (name, time.as_millis())).collect();
        Ok(fs::write(file(root, is_long), serde_json::to_string_pretty(&millis)?)?)
    }

    /// Puts the longest first, so that the last ones are short and all threads end at once. Without a time, those that
    /// are known to be slow begin.
    pub(super) fn sort_longest_first(&self, tests: &mut [Test]) {
        tests.sort_by_cached_key(|test| {
            let is_slow = is_in(LONG, test) || is_in(SHORT_BUT_SLOW, test);
            let guess = if is_slow { SLOW } else { Duration::ZERO };
            Reverse(self.0.get(&test.to_string()).copied().unwrap_or(guess))
        });
    }

    /// Prints the slowest tests and those that became slow, and keeps the times.
    pub(super) fn report(&mut self, results: &[TestResult<'_>]) {
        let mut slowest: Vec<&TestResult<'_>> = results.iter().collect();
        slowest.sort_by_key(|result| Reverse(result.time));
        let sum: Duration = results.iter().map(|result| result.time).sum();
        println!("the slowest tests; all together {:.1} s:", sum.as_secs_f64());
        for result in slowest.iter().take(SLOWEST) {
            println!("{:>6.2} s  {}", result.time.as_secs_f64(), result.test);
        }
        for result in slowest {
            if let Some(remark) = self.remark(result.test, result.time) {
                println!("slow: {} took {:.2} s, {remark}", result.test, result.time.as_secs_f64());
            }
            self.0.insert(result.test.to_string(), result.time);
        }
    }

    /// Returns a remark on a test that became slow.
    fn remark(&self, test: &Test, time: Duration) -> Option<String> {
        let before = self.0.get(&test.to_string()).copied();
        if let Some(before) = before.filter(|before| time >= GROWN && time >= *before * GROWTH) {
            return Some(format!("{:.2} s before", before.as_secs_f64()));
        }
        if time > SLOW && !is_in(LONG, test) && !is_in(SHORT_BUT_SLOW, test) {
            return Some("which needs a row in xtask/src/test/sets.rs".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Times;
    use crate::test::listing::Test;
    use crate::test::session::Session;
    use std::time::Duration;

    fn test(name: &str) -> Test {
        Test {
            program: "/t/it".into(),
            package: "/w/core".into(),
            crate_name: "core/it".to_owned(),
            name: name.to_owned(),
            session: Session::OnTerminal,
        }
    }

    #[test]
    fn slow_and_grown_tests_are_remarked() {
        let mut times = Times::default();
        times.0.insert("core/it::grown".to_owned(), Duration::from_millis(400));
        times.0.insert("core/it::tiny".to_owned(), Duration::from_millis(2));
        for (name, millis, expected) in [
            ("grown", 1_300, Some("0.40 s before")),
            ("grown", 1_100, None),
            ("tiny", 900, None),
            ("new", 2_900, None),
            ("new", 3_100, Some("which needs a row in xtask/src/test/sets.rs")),
        ] {
            let remark = times.remark(&test(name), Duration::from_millis(millis));
            assert_eq!(remark.as_deref(), expected, "{name} {millis}");
        }
    }

    #[test]
    fn longest_tests_begin() {
        let mut times = Times::default();
        times.0.insert("core/it::b".to_owned(), Duration::from_secs(2));
        let mut tests = ["a", "b"].map(test);
        times.sort_longest_first(&mut tests);
        assert_eq!(tests.map(|test| test.name), ["b", "a"]);
    }
}
