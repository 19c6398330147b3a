//! Error messages of `JSON.parse`. Commands of JavaScript programs pass them to their callers.

/// Returns the message of V8's `SyntaxError` for a text; `None` for valid JSON.
pub(crate) fn syntax_error(text: &str) -> Option<String> {
    let mut scan = SyntaxScanner { units: text.encode_utf16().collect(), at: 0 };
    let fault = scan.document().err()?;
    Some(scan.error_message(text, fault))
}

/// Syntax error at the current position.
enum SyntaxFault {
    /// An error with a message of its own.
    Here(&'static str),
    /// An unexpected token.
    Unexpected,
}

/// Enclosing container of a value.
#[derive(Clone, Copy)]
enum JsonContainer {
    Array,
    Object,
}

const FIRST_NAME: SyntaxFault = SyntaxFault::Here("Expected property name or '}' in JSON");
const NEXT_NAME: SyntaxFault = SyntaxFault::Here("Expected double-quoted property name in JSON");
const COLON: SyntaxFault = SyntaxFault::Here("Expected ':' after property name in JSON");
const ARRAY_SEPARATOR: SyntaxFault = SyntaxFault::Here("Expected ',' or ']' after array element in JSON");
const OBJECT_SEPARATOR: SyntaxFault = SyntaxFault::Here("Expected ',' or '}' after property value in JSON");
const TRAILING_TEXT: SyntaxFault = SyntaxFault::Here("Unexpected non-whitespace character after JSON");

/// Length of the excerpt quoted on each side of the position, in UTF-16 units.
const CONTEXT_UNITS: usize = 10;

/// String forms of non-string values, which V8 quotes whole.
const NON_STRINGS: [&str; 4] = ["NaN", "Infinity", "undefined", "[object Object]"];

struct SyntaxScanner {
    units: Vec<u16>,
    at: usize,
}

impl SyntaxScanner {
    fn peek(&self) -> Option<char> {
        let unit = *self.units.get(self.at)?;
        // Half of a surrogate pair is no token of JSON.
        Some(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, wanted: char, fault: SyntaxFault) -> Result<(), SyntaxFault> {
        if self.eat(wanted) { Ok(()) } else { Err(fault) }
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Result<(), SyntaxFault> {
        let mut open = Vec::new();
        loop {
            if self.value(&mut open)? {
                continue;
            }
            loop {
                self.space();
                match open.last() {
                    None if self.at == self.units.len() => return Ok(()),
                    None => return Err(TRAILING_TEXT),
                    Some(JsonContainer::Array) if self.eat(',') => break,
                    Some(JsonContainer::Array) => self.expect(']', ARRAY_SEPARATOR)?,
                    Some(JsonContainer::Object) if self.eat(',') => {
                        self.space();
                        // V8 has a message of its own only for the colon after a first name.
                        self.name(NEXT_NAME, SyntaxFault::Unexpected)?;
                        break;
                    }
                    Some(JsonContainer::Object) => self.expect('}', OBJECT_SEPARATOR)?,
                }
                open.pop();
            }
        }
    }

    /// Reads a value, or the start of a container; returns whether a value must follow.
    fn value(&mut self, open: &mut Vec<JsonContainer>) -> Result<bool, SyntaxFault> {
        self.space();
        match self.peek() {
            Some('{') => {
                self.at += 1;
                self.space();
                if self.eat('}') {
                    return Ok(false);
                }
                self.name(FIRST_NAME, COLON)?;
                open.push(JsonContainer::Object);
                return Ok(true);
            }
            Some('[') => {
                self.at += 1;
                self.space();
                if self.eat(']') {
                    return Ok(false);
                }
                open.push(JsonContainer::Array);
                return Ok(true);
            }
            Some('"') => self.string()?,
            Some('-' | '0'..='9') => self.number()?,
            Some('t') => self.literal("true")?,
            Some('f') => self.literal("false")?,
            Some('n') => self.literal("null")?,
            _ => return Err(SyntaxFault::Unexpected),
        }
        Ok(false)
    }

    fn name(&mut self, none: SyntaxFault, no_colon: SyntaxFault) -> Result<(), SyntaxFault> {
        if self.peek() != Some('"') {
            return Err(none);
        }
        self.string()?;
        self.space();
        self.expect(':', no_colon)
    }

    fn literal(&mut self, word: &str) -> Result<(), SyntaxFault> {
        word.chars().try_for_each(|c| self.expect(c, SyntaxFault::Unexpected))
    }

    fn string(&mut self) -> Result<(), SyntaxFault> {
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(SyntaxFault::Here("Unterminated string in JSON")),
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => self.escape()?,
                Some('\0'..='\u{1f}') => {
                    return Err(SyntaxFault::Here("Bad control character in string literal in JSON"));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<(), SyntaxFault> {
        self.at += 1;
        match self.peek() {
            None => return Err(SyntaxFault::Unexpected),
            Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => self.at += 1,
            Some('u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                        return Err(SyntaxFault::Here("Bad Unicode escape in JSON"));
                    }
                    self.at += 1;
                }
            }
            Some(_) => return Err(SyntaxFault::Here("Bad escaped character in JSON")),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), SyntaxFault> {
        self.eat('-');
        if self.eat('0') {
            if self.is_at_digit() {
                return Err(SyntaxFault::Unexpected);
            }
        } else {
            self.digits(SyntaxFault::Here("No number after minus sign in JSON"))?;
        }
        if self.eat('.') {
            self.digits(SyntaxFault::Here("Unterminated fractional number in JSON"))?;
        }
        if self.eat('e') || self.eat('E') {
            let _ = self.eat('+') || self.eat('-');
            self.digits(SyntaxFault::Here("Exponent part is missing a number in JSON"))?;
        }
        Ok(())
    }

    fn is_at_digit(&self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_digit())
    }

    fn digits(&mut self, none: SyntaxFault) -> Result<(), SyntaxFault> {
        if !self.is_at_digit() {
            return Err(none);
        }
        while self.is_at_digit() {
            self.at += 1;
        }
        Ok(())
    }

    fn error_message(&self, text: &str, fault: SyntaxFault) -> String {
        let words = match (fault, self.peek()) {
            (SyntaxFault::Here(words), _) => words,
            (SyntaxFault::Unexpected, None) => return "Unexpected end of JSON input".to_owned(),
            (SyntaxFault::Unexpected, Some('"')) => "Unexpected string in JSON",
            (SyntaxFault::Unexpected, Some('-' | '0'..='9')) => "Unexpected number in JSON",
            (SyntaxFault::Unexpected, Some(found)) => return self.quoted_message(text, found),
        };
        format!("{words} at position {}", self.at)
    }

    fn quoted_message(&self, text: &str, found: char) -> String {
        if NON_STRINGS.contains(&text) {
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
