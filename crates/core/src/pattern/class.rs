//! Character classes: the part between brackets.

use super::char_set::CharSet;
use super::fault::PatternFault;
use super::scanner::{PatternEscape, PatternScanner};

enum ClassAtom {
    Char(u32),
    Set(CharSet),
}

impl From<ClassAtom> for CharSet {
    fn from(atom: ClassAtom) -> Self {
        match atom {
            ClassAtom::Char(code) => Self::from_char(code),
            ClassAtom::Set(set) => set,
        }
    }
}

/// Reads a class, after its opening bracket.
pub(super) fn read_class(scan: &mut PatternScanner) -> Result<CharSet, PatternFault> {
    let start = scan.at() - 1;
    let is_negated = scan.eat("^");
    let mut set = CharSet::default();
    loop {
        reject_foreign(scan)?;
        let begin = scan.at();
        let Some(first) = read_atom(scan, start)? else { break };
        let makes_range = scan.peek() == Some('-') && !matches!(scan.ahead(1), None | Some(']'));
        if !makes_range {
            set.add(first.into());
            continue;
        }
        let is_double_hyphen = scan.ahead(1) == Some('-');
        scan.next();
        match (first, read_atom(scan, start)?) {
            (ClassAtom::Char(low), Some(ClassAtom::Char(high))) if low <= high => set.add_range(low, high),
            _ if is_double_hyphen => {
                return Err(PatternFault::Foreign { construct: "--".to_owned(), instead: None });
            }
            (ClassAtom::Char(_), Some(ClassAtom::Char(_))) => return Err(scan.broken(begin)),
            // Not a range: the set, a hyphen, and the next item.
            (first, last) => {
                set.add(first.into());
                set.add_range(u32::from('-'), u32::from('-'));
                if let Some(last) = last {
                    set.add(last.into());
                }
            }
        }
    }
    if is_negated {
        set.negate();
    }
    Ok(set)
}

/// Rejects class syntax of other engines that JavaScript without flags reads as plain characters. An author who writes
/// it does not mean those characters.
fn reject_foreign(scan: &mut PatternScanner) -> Result<(), PatternFault> {
    let start = scan.at();
    for construct in ["&&", "~~"] {
        if scan.eat(construct) {
            return Err(PatternFault::Foreign { construct: construct.to_owned(), instead: None });
        }
    }
    if scan.eat("[:") {
        while let Some('a'..='z' | 'A'..='Z' | '^') = scan.peek() {
            scan.next();
        }
        if scan.eat(":]") {
            return Err(PatternFault::Foreign { construct: scan.text_since(start), instead: Some("[a-z]") });
        }
    }
    scan.go_to(start);
    Ok(())
}

/// Reads one character or set; `None` at the closing bracket.
fn read_atom(scan: &mut PatternScanner, start: usize) -> Result<Option<ClassAtom>, PatternFault> {
    let begin = scan.at();
    match scan.next() {
        None => Err(PatternFault::Unclosed { construct: "[", place: start + 1 }),
        Some(']') => Ok(None),
        Some('\\') => match scan.escape(true)? {
            PatternEscape::Char(code) => Ok(Some(ClassAtom::Char(code))),
            PatternEscape::Set(set) => Ok(Some(ClassAtom::Set(set))),
            PatternEscape::Boundary(_) | PatternEscape::Number(_) | PatternEscape::Name(_) => {
                Err(scan.broken(begin))
            }
        },
        Some(c) => Ok(Some(ClassAtom::Char(u32::from(c)))),
    }
}
