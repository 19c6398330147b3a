//! Character classes: the part between brackets.

use super::fault::Fault;
use super::scan::{Escape, Scan};
use super::set::Set;

enum Atom {
    Char(u32),
    Set(Set),
}

impl From<Atom> for Set {
    fn from(atom: Atom) -> Self {
        match atom {
            Atom::Char(code) => Self::one(code),
            Atom::Set(set) => set,
        }
    }
}

/// Reads a class, after its opening bracket.
pub(super) fn class(scan: &mut Scan) -> Result<Set, Fault> {
    let start = scan.at() - 1;
    let negated = scan.eat("^");
    let mut set = Set::default();
    loop {
        refuse_foreign(scan)?;
        let begin = scan.at();
        let Some(first) = atom(scan, start)? else { break };
        let makes_range = scan.peek() == Some('-') && !matches!(scan.ahead(1), None | Some(']'));
        if !makes_range {
            set.add(first.into());
            continue;
        }
        let doubled = scan.ahead(1) == Some('-');
        scan.next();
        match (first, atom(scan, start)?) {
            (Atom::Char(low), Some(Atom::Char(high))) if low <= high => set.add_range(low, high),
            _ if doubled => return Err(Fault::Foreign { construct: "--".to_owned(), instead: None }),
            (Atom::Char(_), Some(Atom::Char(_))) => return Err(scan.broken(begin)),
            // Not a range: the set, a hyphen, and the next item.
            (first, last) => {
                set.add(first.into());
                set.add_range(u32::from('-'), u32::from('-'));
                set.add(last.map(Set::from).unwrap_or_default());
            }
        }
    }
    if negated {
        set.negate();
    }
    Ok(set)
}

/// Rejects class syntax of other engines that JavaScript without flags reads as plain characters. An author who writes
/// it does not mean those characters.
fn refuse_foreign(scan: &mut Scan) -> Result<(), Fault> {
    let start = scan.at();
    for construct in ["&&", "~~"] {
        if scan.eat(construct) {
            return Err(Fault::Foreign { construct: construct.to_owned(), instead: None });
        }
    }
    if scan.eat("[:") {
        while scan.peek().is_some_and(|c| c.is_ascii_alphabetic() || c == '^') {
            scan.next();
        }
        if scan.eat(":]") {
            return Err(Fault::Foreign { construct: scan.since(start), instead: Some("[a-z]") });
        }
    }
    scan.go_to(start);
    Ok(())
}

/// Reads one character or set; `None` at the closing bracket.
fn atom(scan: &mut Scan, start: usize) -> Result<Option<Atom>, Fault> {
    let begin = scan.at();
    match scan.next() {
        None => Err(Fault::Unclosed { construct: "[", place: start + 1 }),
        Some(']') => Ok(None),
        Some('\\') => match scan.escape(true)? {
            Escape::Char(code) => Ok(Some(Atom::Char(code))),
            Escape::Set(set) => Ok(Some(Atom::Set(set))),
            Escape::Boundary(_) | Escape::Number(_) | Escape::Name(_) => Err(scan.broken(begin)),
        },
        Some(c) => Ok(Some(Atom::Char(u32::from(c)))),
    }
}
