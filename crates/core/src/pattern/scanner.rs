//! Scanner of a pattern's characters and escapes.

use super::char_set::{CharSet, DIGITS, SPACE, WORD};
use super::fault::PatternFault;
use super::property;

/// A pattern with the read position.
#[derive(Debug)]
pub(super) struct PatternScanner {
    chars: Vec<char>,
    at: usize,
}

/// Meaning of an escape.
#[derive(Debug)]
pub(super) enum PatternEscape {
    Char(u32),
    Set(CharSet),
    /// `\b`, or `\B` if false.
    Boundary(bool),
    Number(usize),
    Name(String),
}

impl PatternScanner {
    pub(super) fn new(source: &str) -> Self {
        Self { chars: source.chars().collect(), at: 0 }
    }

    /// Returns the character this many places after the next one.
    pub(super) fn ahead(&self, by: usize) -> Option<char> {
        self.chars.get(self.at + by).copied()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    /// Reads this text, or nothing.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let mut end = self.at;
        for c in text.chars() {
            if self.chars.get(end) != Some(&c) {
                return false;
            }
            end += 1;
        }
        self.at = end;
        true
    }

    fn peek_digit(&self, radix: u32) -> Option<u32> {
        self.peek()?.to_digit(radix)
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the text read since this position.
    pub(super) fn text_since(&self, start: usize) -> String {
        self.chars.get(start..self.at).unwrap_or_default().iter().collect()
    }

    /// Returns the fault of invalid text read since this position.
    pub(super) fn broken(&self, start: usize) -> PatternFault {
        PatternFault::Broken { construct: self.text_since(start), place: start + 1 }
    }

    fn foreign(&self, start: usize, instead: Option<&'static str>) -> PatternFault {
        PatternFault::Foreign { construct: self.text_since(start), instead }
    }

    /// Reads digits as a number that saturates beyond any limit.
    pub(super) fn number(&mut self) -> Option<usize> {
        let start = self.at;
        let mut number = 0_usize;
        while let Some(digit) = self.peek_digit(10) {
            number = number.saturating_mul(10).saturating_add(digit as usize);
            self.at += 1;
        }
        if self.at == start { None } else { Some(number) }
    }

    /// Reads `{2}`, `{2,}` or `{2,3}` after its brace. Any other text is a literal brace.
    pub(super) fn bounds(&mut self) -> Option<(usize, Option<usize>)> {
        let start = self.at;
        let bounds = self.read_bounds();
        if bounds.is_none() {
            self.at = start;
        }
        bounds
    }

    fn read_bounds(&mut self) -> Option<(usize, Option<usize>)> {
        let low = self.number()?;
        let high = if self.eat(",") { self.number() } else { Some(low) };
        if self.eat("}") { Some((low, high)) } else { None }
    }

    /// Reads a name up to this character, including it.
    pub(super) fn name(&mut self, end: char) -> Option<String> {
        let mut name = String::new();
        loop {
            match self.next()? {
                c if c == end => return if name.is_empty() { None } else { Some(name) },
                c if c.is_alphanumeric() || c == '_' || c == '$' => name.push(c),
                _ => return None,
            }
        }
    }

    /// Reads an escape, after its backslash.
    pub(super) fn escape(&mut self, in_class: bool) -> Result<PatternEscape, PatternFault> {
        let start = self.at - 1;
        let Some(c) = self.next() else { return Err(self.broken(start)) };
        let escape = match c {
            'd' => PatternEscape::Set(CharSet::from_ranges(DIGITS)),
            'D' => PatternEscape::Set(CharSet::complement(DIGITS)),
            'w' => PatternEscape::Set(CharSet::from_ranges(WORD)),
            'W' => PatternEscape::Set(CharSet::complement(WORD)),
            's' => PatternEscape::Set(CharSet::from_ranges(SPACE)),
            'S' => PatternEscape::Set(CharSet::complement(SPACE)),
            'b' if in_class => PatternEscape::Char(0x08),
            'b' | 'B' if !in_class => PatternEscape::Boundary(c == 'b'),
            't' => PatternEscape::Char(0x09),
            'n' => PatternEscape::Char(0x0a),
            'v' => PatternEscape::Char(0x0b),
            'f' => PatternEscape::Char(0x0c),
            'r' => PatternEscape::Char(0x0d),
            '0' if self.peek_digit(10).is_none() => PatternEscape::Char(0),
            'c' => PatternEscape::Char(self.control(start)?),
            'x' => PatternEscape::Char(self.hex(2).ok_or_else(|| self.broken(start))?),
            'u' => PatternEscape::Char(self.unicode(start)?),
            'p' | 'P' => PatternEscape::Set(self.property(start)?),
            'k' if !in_class => self.reference(start)?,
            '1'..='9' if !in_class => {
                self.at -= 1;
                PatternEscape::Number(self.number().ok_or_else(|| self.broken(start))?)
            }
            'A' => return Err(self.foreign(start, Some("^"))),
            'Z' | 'z' => return Err(self.foreign(start, Some("$"))),
            c if c.is_ascii_digit() => {
                self.number();
                return Err(self.broken(start));
            }
            c if c.is_ascii_alphabetic() => return Err(self.foreign(start, None)),
            c => PatternEscape::Char(u32::from(c)),
        };
        Ok(escape)
    }

    fn control(&mut self, start: usize) -> Result<u32, PatternFault> {
        match self.next() {
            Some(letter) if letter.is_ascii_alphabetic() => Ok(u32::from(letter) % 32),
            _ => Err(self.broken(start)),
        }
    }

    /// Reads exactly this many hexadecimal digits, or nothing.
    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut value = 0;
        for by in 0..digits {
            value = value * 16 + self.ahead(by)?.to_digit(16)?;
        }
        self.at += digits;
        Some(value)
    }

    fn unicode(&mut self, start: usize) -> Result<u32, PatternFault> {
        if self.eat("{") {
            return self.code_point(start);
        }
        let first = self.hex(4).ok_or_else(|| self.broken(start))?;
        if !(0xd800..0xdc00).contains(&first) {
            return self.scalar(first, start);
        }
        let after = self.at;
        if self.eat("\\u")
            && let Some(second @ 0xdc00..0xe000) = self.hex(4)
        {
            return Ok(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        }
        self.at = after;
        self.scalar(first, start)
    }

    /// Reads a code point and its closing brace.
    fn code_point(&mut self, start: usize) -> Result<u32, PatternFault> {
        let mut value = 0_u32;
        let digits_start = self.at;
        while let Some(digit) = self.peek_digit(16) {
            value = value.saturating_mul(16).saturating_add(digit);
            self.at += 1;
        }
        let has_digits = self.at > digits_start;
        if self.eat("}") && has_digits && value <= 0x10_ffff {
            self.scalar(value, start)
        } else {
            Err(self.broken(start))
        }
    }

    /// Rejects half of a surrogate pair, which is no character and occurs in no answer.
    fn scalar(&self, value: u32, start: usize) -> Result<u32, PatternFault> {
        match char::from_u32(value) {
            Some(_) => Ok(value),
            None => Err(PatternFault::Unsupported { construct: self.text_since(start) }),
        }
    }

    fn property(&mut self, start: usize) -> Result<CharSet, PatternFault> {
        let is_negated = self.text_since(start) == "\\P";
        if !self.eat("{") {
            self.next();
            return Err(self.foreign(start, Some(r"\p{L}")));
        }
        let mut name = String::new();
        loop {
            match self.next() {
                Some('}') => break,
                Some(c) => name.push(c),
                None => return Err(self.broken(start)),
            }
        }
        if !property::is_known(&name) {
            return Err(self.foreign(start, None));
        }
        let letter = if is_negated { 'P' } else { 'p' };
        Ok(CharSet::from_property(format!("\\{letter}{{{name}}}")))
    }

    fn reference(&mut self, start: usize) -> Result<PatternEscape, PatternFault> {
        if !self.eat("<") {
            return Err(self.broken(start));
        }
        self.name('>').map(PatternEscape::Name).ok_or_else(|| self.broken(start))
    }
}
