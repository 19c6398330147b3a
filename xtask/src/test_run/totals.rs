//! Adding up the `test result:` lines of a test run.

use std::fmt;

/// Number of tests that ran, over all test binaries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Totals {
    /// Counts one line of output, if it is a result line.
    pub(crate) fn add_line(&mut self, line: &str) {
        let line = without_colours(line);
        let Some(counts) = line.strip_prefix("test result:") else { return };
        self.passed += number_before(counts, "passed");
        self.failed += number_before(counts, "failed");
        self.skipped += number_before(counts, "ignored");
    }

    /// Adds the counts of another run.
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Tests that really ran.
    pub(crate) fn ran(&self) -> u64 {
        self.passed + self.failed
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// A line as it reads, without the escape sequences that colour it on a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A sequence ends with a letter: `[32m`, `(B`.
        let letter = part.find(|letter: char| letter.is_ascii_alphabetic());
        plain.push_str(letter.and_then(|at| part.get(at + 1..)).unwrap_or_default());
    }
    plain
}

/// The number that stands before `word`: 5 in `ok. 5 passed; 0 failed`.
fn number_before(text: &str, word: &str) -> u64 {
    let words: Vec<&str> = text.split([' ', ';']).filter(|part| !part.is_empty()).collect();
    let found = words.iter().position(|part| *part == word).and_then(|at| words.get(at.checked_sub(1)?));
    found.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Totals;

    fn totals(output: &str) -> Totals {
        let mut totals = Totals::default();
        output.lines().for_each(|line| totals.add_line(line));
        totals
    }

    #[test]
    fn result_lines_are_added_up() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.00s\n\
            test result: FAILED. 40 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s\n";
        assert_eq!(totals(output), Totals { passed: 42, failed: 3, skipped: 1 });
    }

    #[test]
    fn coloured_result_lines_are_added_up() {
        let output = "\u{1b}[Ktest result: \u{1b}[32mok\u{1b}(B\u{1b}[m. 2 passed; 0 failed; 1 ignored\r\n\
            test result: \u{1b}[31mFAILED\u{1b}(B\u{1b}[m. 40 passed; \u{1b}[1m3\u{1b}[0m failed; 0 ignored\r\n";
        assert_eq!(totals(output), Totals { passed: 42, failed: 3, skipped: 1 });
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(
            totals("a test said: test result: ok. 5 passed\nrunning 9 tests\n5 passed"),
            Totals::default()
        );
    }

    #[test]
    fn it_prints_as_a_test_runner_does() {
        let totals = Totals { passed: 12, failed: 0, skipped: 2 };
        assert_eq!(totals.to_string(), "12 passed, 0 failed, 2 skipped");
    }
}
