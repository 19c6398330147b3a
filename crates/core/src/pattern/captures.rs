//! Capture groups: their names, and the text that a reference to one finds. JavaScript resets the groups inside a
//! repeat at the start of each iteration; the engine keeps them. The two agree if each iteration sets the group again
//! before anything reads it.

use super::fault::PatternFault;
use super::scanner::PatternScanner;

/// State of a group, as seen by a reference after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupState {
    /// Set on every path through the current iteration.
    Set,
    /// Not set on some path.
    MaybeSet,
    /// Perhaps kept by the engine from an iteration before the last.
    Stale,
}

/// The groups so far, in their order.
#[derive(Debug, Default)]
pub(super) struct CaptureGroups(Vec<GroupState>);

impl CaptureGroups {
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn open(&mut self) {
        self.0.push(GroupState::Set);
    }

    /// Marks groups that another branch skips.
    pub(super) fn mark_skipped(&mut self, since: usize) {
        for state in self.0.iter_mut().skip(since) {
            if *state == GroupState::Set {
                *state = GroupState::MaybeSet;
            }
        }
    }

    /// Marks groups inside a repeat.
    pub(super) fn mark_repeated(&mut self, since: usize, low: usize, high: Option<usize>) {
        if !matches!(high, Some(0 | 1)) {
            for state in self.0.iter_mut().skip(since) {
                if *state == GroupState::MaybeSet {
                    *state = GroupState::Stale;
                }
            }
        }
        if low == 0 {
            self.mark_skipped(since);
        }
    }

    /// Returns whether a reference from here finds the same text in JavaScript.
    pub(super) fn matches_javascript(&self, index: usize) -> bool {
        self.0.get(index) != Some(&GroupState::Stale)
    }

    /// Returns whether that is only true if no repeated group contains both.
    pub(super) fn matches_in_one_iteration(&self, index: usize) -> bool {
        self.0.get(index) == Some(&GroupState::MaybeSet)
    }
}

/// Returns the capture groups in order, each with its name if it has one.
pub(super) fn group_names(source: &str) -> Result<Vec<Option<String>>, PatternFault> {
    let mut scan = PatternScanner::new(source);
    let mut groups = Vec::new();
    let mut in_class = false;
    while let Some(c) = scan.next() {
        match c {
            '\\' => {
                scan.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && scan.peek() != Some('?') => groups.push(None),
            '(' if !in_class && scan.ahead(1) == Some('<') && !matches!(scan.ahead(2), Some('=' | '!')) => {
                let start = scan.at() - 1;
                scan.eat("?<");
                let name = scan.name('>');
                if name.is_none() || groups.contains(&name) {
                    return Err(scan.broken(start));
                }
                groups.push(name);
            }
            _ => {}
        }
    }
    Ok(groups)
}
