//! Error messages of `JSON.parse`. Commands of JavaScript programs pass them to their callers.

/// Returns the message of V8's `SyntaxError` for a text; `None` for valid JSON.
pub(crate) fn syntax_error(text: &str) -> Option<String> {
    let mut scan = Scan { units: text.encode_utf16().collect(), at: 0 };
    let fault = scan.document().err()?;
    Some(scan.words(text, fault))
}

/// Syntax error at the current position.
enum Fault {
    /// An error with a message of its own.
    Here(&'static str),
    /// An unexpected token.
    Unexpected,
}

/// Enclosing container of a value.
#[derive(Clone, Copy)]
enum Inside {
    Array,
    Object,
}

const FIRST_NAME: Fault = Fault::Here("Expected property name or '}' in JSON");
const NEXT_NAME: Fault = Fault::Here("Expected double-quoted property name in JSON");
const COLON: Fault = Fault::Here("Expected ':' after property name in JSON");
const ARRAY_GOES_ON: Fault = Fault::Here("Expected ',' or ']' after array element in JSON");
const OBJECT_GOES_ON: Fault = Fault::Here("Expected ',' or '}' after property value in JSON");
const AFTER: Fault = Fault::Here("Unexpected non-whitespace character after JSON");

/// Length of the excerpt quoted on each side of the position, in UTF-16 units.
const CONTEXT_UNITS: usize = 10;

/// String forms of non-string values, which V8 quotes whole.
const NO_TEXTS: [&str; 4] = ["NaN", "Infinity", "undefined", "[object Object]"];

struct Scan {
    units: Vec<u16>,
    at: usize,
}

impl Scan {
    fn peek(&self) -> Option<char> {
        let unit = *self.units.get(self.at)?;
        // Half of a surrogate pair is no token of JSON.
        Some(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn must_take(&mut self, wanted: char, fault: Fault) -> Result<(), Fault> {
        if self.take(wanted) { Ok(()) } else { Err(fault) }
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Result<(), Fault> {
        let mut open = Vec::new();
        loop {
            if self.value(&mut open)? {
                continue;
            }
            loop {
                self.space();
                match open.last() {
                    None if self.at == self.units.len() => return Ok(()),
                    None => return Err(AFTER),
                    Some(Inside::Array) if self.take(',') => break,
                    Some(Inside::Array) => self.must_take(']', ARRAY_GOES_ON)?,
                    Some(Inside::Object) if self.take(',') => {
                        self.space();
                        // V8 has a message of its own only for the colon after a first name.
                        self.name(NEXT_NAME, Fault::Unexpected)?;
                        break;
                    }
                    Some(Inside::Object) => self.must_take('}', OBJECT_GOES_ON)?,
                }
                open.pop();
            }
        }
    }

    /// Reads a value, or the start of a container; returns whether a value must follow.
    fn value(&mut self, open: &mut Vec<Inside>) -> Result<bool, Fault> {
        self.space();
        match self.peek() {
            Some('{') => {
                self.at += 1;
                self.space();
                if self.take('}') {
                    return Ok(false);
                }
                self.name(FIRST_NAME, COLON)?;
                open.push(Inside::Object);
                return Ok(true);
            }
            Some('[') => {
                self.at += 1;
                self.space();
                if self.take(']') {
                    return Ok(false);
                }
                open.push(Inside::Array);
                return Ok(true);
            }
            Some('"') => self.string()?,
            Some('-' | '0'..='9') => self.number()?,
            Some('t') => self.literal("true")?,
            Some('f') => self.literal("false")?,
            Some('n') => self.literal("null")?,
            _ => return Err(Fault::Unexpected),
        }
        Ok(false)
    }

    fn name(&mut self, none: Fault, no_colon: Fault) -> Result<(), Fault> {
        if self.peek() != Some('"') {
            return Err(none);
        }
        self.string()?;
        self.space();
        self.must_take(':', no_colon)
    }

    fn literal(&mut self, word: &str) -> Result<(), Fault> {
        word.chars().try_for_each(|c| self.must_take(c, Fault::Unexpected))
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(Fault::Here("Unterminated string in JSON")),
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => self.escape()?,
                Some('\0'..='\u{1f}') => {
                    return Err(Fault::Here("Bad control character in string literal in JSON"));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        self.at += 1;
        match self.peek() {
            None => return Err(Fault::Unexpected),
            Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => self.at += 1,
            Some('u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                        return Err(Fault::Here("Bad Unicode escape in JSON"));
                    }
                    self.at += 1;
                }
            }
            Some(_) => return Err(Fault::Here("Bad escaped character in JSON")),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        self.take('-');
        if self.take('0') {
            if self.is_at_digit() {
                return Err(Fault::Unexpected);
            }
        } else {
            self.digits(Fault::Here("No number after minus sign in JSON"))?;
        }
        if self.take('.') {
            self.digits(Fault::Here("Unterminated fractional number in JSON"))?;
        }
        if self.take('e') || self.take('E') {
            let _ = self.take('+') || self.take('-');
            self.digits(Fault::Here("Exponent part is missing a number in JSON"))?;
        }
        Ok(())
    }

    fn is_at_digit(&self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_digit())
    }

    fn digits(&mut self, none: Fault) -> Result<(), Fault> {
        if !self.is_at_digit() {
            return Err(none);
        }
        while self.is_at_digit() {
            self.at += 1;
        }
        Ok(())
    }

    fn words(&self, text: &str, fault: Fault) -> String {
        let words = match (fault, self.peek()) {
            (Fault::Here(words), _) => words,
            (Fault::Unexpected, None) => return "Unexpected end of JSON input".to_owned(),
            (Fault::Unexpected, Some('"')) => "Unexpected string in JSON",
            (Fault::Unexpected, Some('-' | '0'..='9')) => "Unexpected number in JSON",
            (Fault::Unexpected, Some(found)) => return self.quoted(text, found),
        };
        format!("{words} at position {}", self.at)
    }

    fn quoted(&self, text: &str, found: char) -> String {
        if NO_TEXTS.contains(&text) {
            return format!("\"{text}\" is not valid JSON");
        }
        let length = self.units.len();
        let is_long = length > 2 * CONTEXT_UNITS;
        // V8 adds leading dots even if nothing was left out.
        let (from, before) = match self.at.checked_sub(CONTEXT_UNITS) {
            Some(from) if is_long => (from, "..."),
            _ => (0, ""),
        };
        let (to, after) = match self.at + CONTEXT_UNITS {
            to if is_long && to < length => (to, "..."),
            _ => (length, ""),
        };
        let part = String::from_utf16_lossy(self.units.get(from..to).unwrap_or_default());
        format!("Unexpected token '{found}', {before}\"{part}\"{after} is not valid JSON")
    }
}

#[cfg(test)]
mod tests;
