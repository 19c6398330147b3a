//! The groups that capture: their names, and what a reference to one finds. JavaScript forgets what the groups within a
//! repeat have matched whenever a round of it begins, and the engine keeps it: the two agree where each round sets the
//! group anew before anything looks at it.

use super::fault::Fault;
use super::scan::Scan;

/// Whether a group has been set, seen from behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Whoever comes by here has passed it in this round.
    Set,
    /// There is a way around it.
    Perhaps,
    /// The engine may keep it from a round before the last.
    Stale,
}

/// The groups so far, in their order.
#[derive(Debug, Default)]
pub(super) struct Captures(Vec<Kept>);

impl Captures {
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn open(&mut self) {
        self.0.push(Kept::Set);
    }

    /// Another branch begins, or ends, beside these groups.
    pub(super) fn pass_by(&mut self, since: usize) {
        for kept in self.0.iter_mut().skip(since).filter(|kept| **kept == Kept::Set) {
            *kept = Kept::Perhaps;
        }
    }

    /// These groups stand in something that is repeated.
    pub(super) fn repeat(&mut self, since: usize, low: usize, high: Option<usize>) {
        if high.is_none_or(|high| high > 1) {
            for kept in self.0.iter_mut().skip(since).filter(|kept| **kept == Kept::Perhaps) {
                *kept = Kept::Stale;
            }
        }
        if low == 0 {
            self.pass_by(since);
        }
    }

    /// Whether a reference from here finds the same in JavaScript.
    pub(super) fn is_same(&self, index: usize) -> bool {
        self.0.get(index) != Some(&Kept::Stale)
    }

    /// Whether it does only if no group around both is repeated.
    pub(super) fn is_same_in_one_round(&self, index: usize) -> bool {
        self.0.get(index) == Some(&Kept::Perhaps)
    }
}

/// The capture groups in order, each with its name if it has one.
pub(super) fn names(source: &str) -> Result<Vec<Option<String>>, Fault> {
    let mut scan = Scan::new(source);
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
                let name = scan.name('>').filter(|name| !groups.contains(&Some(name.clone())));
                groups.push(Some(name.ok_or_else(|| scan.broken(start))?));
            }
            _ => {}
        }
    }
    Ok(groups)
}
