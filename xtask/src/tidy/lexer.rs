//! Cuts Rust source into tokens and comments, so that rules look at code only: what stands in a
//! comment, a string or a character breaks no rule.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, a keyword or a number.
    Word,
    /// One character of punctuation.
    Mark,
    /// A string or a character, without its prefix and quotes; escapes are left as they are.
    Literal,
    /// A lifetime or a label, without its quote.
    Lifetime,
}

/// A piece of code.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// The line it begins on, counted from 1.
    pub(crate) line: usize,
}

impl Token {
    /// Whether this is exactly that word or mark.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Mark) && self.text == text
    }
}

/// A comment, with its slashes.
#[derive(Clone, Debug)]
pub(crate) struct Comment {
    pub(crate) text: String,
    /// The line it begins on, counted from 1.
    pub(crate) line: usize,
}

/// A source, cut up.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
}

/// Cuts up a source. It never fails: an unfinished string or comment ends with the file.
pub(crate) fn lex(source: &str) -> Lexed {
    let mut cursor = Cursor { rest: source.chars().collect(), at: 0, line: 1 };
    let mut lexed = Lexed::default();
    while let Some(next) = cursor.peek(0) {
        let line = cursor.line;
        if next.is_whitespace() {
            cursor.bump();
        } else if next == '/' && cursor.peek(1) == Some('/') {
            lexed.comments.push(Comment { text: cursor.take_while(|c| c != '\n'), line });
        } else if next == '/' && cursor.peek(1) == Some('*') {
            lexed.comments.push(Comment { text: cursor.block_comment(), line });
        } else {
            let (kind, text) = cursor.token(next);
            lexed.tokens.push(Token { kind, text, line });
        }
    }
    lexed
}

struct Cursor {
    rest: Vec<char>,
    at: usize,
    line: usize,
}

impl Cursor {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(next == '\n');
        Some(next)
    }

    fn skip(&mut self, count: usize) {
        (0..count).for_each(|_| _ = self.bump());
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while let Some(next) = self.peek(0).filter(|next| wanted(*next)) {
            text.push(next);
            self.bump();
        }
        text
    }

    /// Block comments nest.
    fn block_comment(&mut self) -> String {
        let (mut text, mut depth) = (String::new(), 0_usize);
        while let Some(next) = self.peek(0) {
            let step = match (next, self.peek(1)) {
                ('/', Some('*')) => 1,
                ('*', Some('/')) => -1,
                _ => 0,
            };
            text.extend(self.bump());
            if step != 0 {
                text.extend(self.bump());
                depth = depth.saturating_add_signed(step);
            }
            if depth == 0 {
                break;
            }
        }
        text
    }

    fn token(&mut self, next: char) -> (Kind, String) {
        match next {
            '"' => self.string(),
            '\'' => self.quote(),
            _ if is_word(next) => self.word(),
            _ => {
                self.bump();
                (Kind::Mark, next.to_string())
            }
        }
    }

    /// A word, or the literal that it is the prefix of: `r"…"`, `b'…'`, `br#"…"#`, `c"…"`.
    fn word(&mut self) -> (Kind, String) {
        let word = self.take_while(is_word);
        let hashes = (0..).take_while(|ahead| self.peek(*ahead) == Some('#')).count();
        match (word.as_str(), self.peek(hashes)) {
            ("r" | "br" | "cr", Some('"')) => self.raw_string(hashes),
            ("b" | "c", Some('"')) if hashes == 0 => self.string(),
            ("b", Some('\'')) if hashes == 0 => self.quote(),
            ("r", Some(first)) if hashes == 1 && is_word(first) => {
                self.bump();
                (Kind::Word, format!("r#{}", self.take_while(is_word)))
            }
            _ => (Kind::Word, word),
        }
    }

    fn string(&mut self) -> (Kind, String) {
        self.bump();
        (Kind::Literal, self.take_to('"'))
    }

    fn raw_string(&mut self, hashes: usize) -> (Kind, String) {
        self.skip(hashes + 1);
        let mut text = String::new();
        while let Some(next) = self.bump() {
            if next == '"' && (0..hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                self.skip(hashes);
                break;
            }
            text.push(next);
        }
        (Kind::Literal, text)
    }

    /// A character, or a lifetime: it is a character when it is escaped or closed right after one.
    fn quote(&mut self) -> (Kind, String) {
        self.bump();
        if self.peek(0) == Some('\\') || self.peek(1) == Some('\'') {
            (Kind::Literal, self.take_to('\''))
        } else {
            (Kind::Lifetime, self.take_while(is_word))
        }
    }

    /// What stands before an unescaped `closing`, and goes past it.
    fn take_to(&mut self, closing: char) -> String {
        let mut text = String::new();
        while let Some(next) = self.bump().filter(|next| *next != closing) {
            text.push(next);
            if next == '\\' {
                text.extend(self.bump());
            }
        }
        text
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests;
