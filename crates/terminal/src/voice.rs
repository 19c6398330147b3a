//! Output of the line prompter. Every line passes through here and is escaped once more.

use crate::wrap;
use sayso_core::{Code, Lang, Message, Problem, Text, display};
use std::io::Write;

/// Writer for all text that the prompter prints.
pub(crate) struct Voice<'a> {
    out: &'a mut dyn Write,
    lang: Lang,
    quiet: bool,
    logs_questions: bool,
    /// Screen width, if the prompter wraps lines.
    pub(crate) columns: Option<usize>,
    /// Hint in front of the input.
    hint: String,
    /// True while the hint is on the screen and no line has been typed after it.
    midline: bool,
    /// Text that is printed together with the next output.
    held: String,
}

impl<'a> Voice<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, lang: Lang, quiet: bool, logs_questions: bool) -> Self {
        Self {
            out,
            lang,
            quiet,
            logs_questions,
            columns: None,
            hint: String::new(),
            midline: false,
            held: String::new(),
        }
    }

    /// Prints a notice on lines of its own, also in quiet mode.
    pub(crate) fn say(&mut self, text: &str) -> Result<(), Problem> {
        let before = self.line_end();
        self.write(&[before, text, "\n"].concat())
    }

    /// Queues a notice on lines of its own; it is printed with the next output.
    pub(crate) fn say_with_next(&mut self, text: &str) {
        let before = self.line_end();
        let held = self.safe(&[before, text, "\n"].concat());
        self.held.push_str(&held);
    }

    /// Prints text that is meant to be copied, without wrapping.
    pub(crate) fn say_unbroken(&mut self, text: &str) -> Result<(), Problem> {
        let columns = self.columns.take();
        let said = self.say(text);
        self.columns = columns;
        said
    }

    /// Prints a problem: our own message as a plain line, the asker's message behind the gutter.
    pub(crate) fn say_problem(&mut self, problem: &Problem) -> Result<(), Problem> {
        match &problem.message {
            Text::Verbatim(words) => self.say(&wrap::foreign(words, self.columns)),
            Text::Said(..) => self.say(&problem.message.render(self.lang)),
        }
    }

    /// Prints a message of the catalogue.
    pub(crate) fn say_message(&mut self, message: Message) -> Result<(), Problem> {
        self.say(message.plain(self.lang))
    }

    /// Prints a notice that quiet mode leaves out.
    pub(crate) fn tell(&mut self, text: &str) -> Result<(), Problem> {
        if self.quiet { Ok(()) } else { self.say(text) }
    }

    /// Prints a prompt; its last line stays open for the input.
    pub(crate) fn prompt(&mut self, text: &str) -> Result<(), Problem> {
        text.rsplit('\n').next().unwrap_or_default().clone_into(&mut self.hint);
        if self.quiet {
            return if self.logs_questions { self.say(text.trim_end()) } else { Ok(()) };
        }
        let before = self.line_end();
        self.write(&[before, text].concat())?;
        self.midline = true;
        Ok(())
    }

    /// Prints the hint again after other output.
    pub(crate) fn hint_again(&mut self) -> Result<(), Problem> {
        if self.midline {
            return Ok(());
        }
        let hint = std::mem::take(&mut self.hint);
        self.prompt(&hint)
    }

    /// Records a typed line: the cursor is at the beginning of the next line.
    pub(crate) fn heard(&mut self) {
        self.midline = false;
    }

    /// Moves the cursor to the beginning of a line.
    pub(crate) fn end_line(&mut self) -> Result<(), Problem> {
        let end = self.line_end();
        if end.is_empty() && self.held.is_empty() { Ok(()) } else { self.write(end) }
    }

    /// Returns the line break that the cursor needs to reach the beginning of a line.
    fn line_end(&mut self) -> &'static str {
        if std::mem::take(&mut self.midline) { "\n" } else { "" }
    }

    /// Writes text in one piece: each write of its own would wake the terminal again.
    fn write(&mut self, text: &str) -> Result<(), Problem> {
        let text = std::mem::take(&mut self.held) + &self.safe(text);
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        written
            .map_err(|error| Problem::new(Code::NoTerminal, Message::OutputFailed.with([error.to_string()])))
    }

    /// Returns the text escaped and wrapped to the screen width.
    fn safe(&self, text: &str) -> String {
        let safe = |line| wrap::ours(&display::line(line), self.columns).into_owned();
        let lines: Vec<_> = text.split('\n').map(safe).collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notice_precedes_repeated_hint() {
        let mut out = Vec::new();
        let mut voice = Voice::new(&mut out, Lang::En, false, false);
        voice.prompt("Which?\n> ").unwrap();
        voice.say("By the way.").unwrap();
        voice.hint_again().unwrap();
        voice.hint_again().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "Which?\n> \nBy the way.\n> ");
    }

    /// Writer that records each write.
    struct Pieces(Vec<String>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn multiline_notice_is_one_write() {
        let mut out = Pieces(Vec::new());
        let mut voice = Voice::new(&mut out, Lang::En, false, false);
        voice.columns = Some(30);
        voice.prompt("Which?\n  1. This\n  2. That\n> ").unwrap();
        voice.say("By the way, this line is longer than the screen.\nThis one is not.").unwrap();
        let expected = [
            "Which?\n  1. This\n  2. That\n> ",
            "\nBy the way, this line is\n    longer than the screen.\nThis one is not.\n",
        ];
        assert_eq!(out.0, expected);
    }

    #[test]
    fn deferred_text_shows_with_next() {
        let mut out = Pieces(Vec::new());
        let mut voice = Voice::new(&mut out, Lang::En, false, false);
        voice.say_with_next("Ada asks.");
        voice.say_with_next("A draft\u{1b} goes on.");
        voice.prompt("Which?\n> ").unwrap();
        voice.say_with_next("By the way.");
        voice.end_line().unwrap();
        voice.end_line().unwrap();
        assert_eq!(out.0, ["Ada asks.\nA draft⟦U+001B⟧ goes on.\nWhich?\n> ", "\nBy the way.\n"]);
    }

    #[test]
    fn quiet_hides_prompts_not_notices() {
        let mut out = Vec::new();
        let mut voice = Voice::new(&mut out, Lang::En, true, false);
        voice.prompt("Which?\n> ").unwrap();
        voice.tell("Recorded.").unwrap();
        voice.say("a\u{1b}b").unwrap();
        voice.hint_again().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a⟦U+001B⟧b\n");
    }

    #[test]
    fn logged_prompts_end_their_line() {
        let mut out = Vec::new();
        let mut voice = Voice::new(&mut out, Lang::En, true, true);
        voice.prompt("Which?\n> ").unwrap();
        voice.tell("Recorded.").unwrap();
        voice.prompt("When?\n> ").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "Which?\n>\nWhen?\n>\n");
    }
}
