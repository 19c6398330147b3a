//! Character sets of JavaScript, written so that every engine reads them alike.

use super::budget::{ASCII_STATES, WIDE_STATES};
use std::fmt::Write as _;

/// `\d`.
pub(super) const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
/// `\w`.
pub(super) const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
/// `\s`: white space and line terminators of ECMAScript.
pub(super) const SPACE: &[(u32, u32)] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
/// The characters that `.` does not match.
pub(super) const LINE_ENDS: &[(u32, u32)] = &[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];

const LAST: u32 = 0x10_ffff;

/// A set of characters: ranges, and properties such as `\p{L}` that the engine knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CharSet {
    ranges: Vec<(u32, u32)>,
    properties: Vec<String>,
    negated: bool,
}

impl CharSet {
    pub(super) fn from_ranges(ranges: &[(u32, u32)]) -> Self {
        Self { ranges: ranges.to_vec(), ..Self::default() }
    }

    /// Creates the complement of these ranges, which are in order.
    pub(super) fn complement(ranges: &[(u32, u32)]) -> Self {
        let mut set = Self::default();
        let mut next = 0;
        for &(first, last) in ranges {
            if first > next {
                set.ranges.push((next, first - 1));
            }
            next = last + 1;
        }
        set.ranges.push((next, LAST));
        set
    }

    pub(super) fn from_property(text: String) -> Self {
        Self { properties: vec![text], ..Self::default() }
    }

    pub(super) fn from_char(code: u32) -> Self {
        Self::from_ranges(&[(code, code)])
    }

    pub(super) fn add_range(&mut self, first: u32, last: u32) {
        self.ranges.push((first, last));
    }

    pub(super) fn add(&mut self, other: Self) {
        self.ranges.extend(other.ranges);
        self.properties.extend(other.properties);
    }

    pub(super) fn negate(&mut self) {
        self.negated = !self.negated;
    }

    /// Returns the cost of matching one character: sets beyond ASCII take several states of the engine.
    pub(super) fn weight(&self) -> u64 {
        let is_ascii = self.ranges.iter().all(|&(_, last)| last < 0x80);
        if is_ascii && self.properties.is_empty() && !self.negated { ASCII_STATES } else { WIDE_STATES }
    }

    /// Writes the set in the engine's syntax: code points only, so that nothing in it is ambiguous.
    pub(super) fn write(&self, out: &mut String) {
        if self.ranges.is_empty() && self.properties.is_empty() {
            out.push_str(if self.negated { ANY } else { NONE });
            return;
        }
        out.push_str(if self.negated { "[^" } else { "[" });
        for (first, last) in &self.ranges {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\x{{{first:X}}}-\\x{{{last:X}}}");
        }
        for property in &self.properties {
            out.push_str(property);
        }
        out.push(']');
    }
}

/// Every character.
const ANY: &str = r"[\x{0}-\x{10FFFF}]";
/// No character.
const NONE: &str = r"[^\x{0}-\x{10FFFF}]";

/// Writes one character in the engine's syntax.
pub(super) fn write_char(code: u32, out: &mut String) {
    match char::from_u32(code) {
        Some(plain) if plain.is_ascii_alphanumeric() => out.push(plain),
        _ => {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\x{{{code:X}}}");
        }
    }
}
