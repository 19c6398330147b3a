//! Output of the line prompter. Every line passes through here and is escaped once more.

use crate::wrap;
use sayso_core::i18n::own;
use sayso_core::{Lang, LocalizedText, Message, Problem, ProblemCode, display};
use std::io::Write;

/// Writer for all text that the prompter prints.
pub(crate) struct PromptOutput<'a> {
    out: &'a mut dyn Write,
    lang: Lang,
    quiet: bool,
    logs_questions: bool,
    /// Screen width, if the prompter wraps lines.
    pub(crate) columns: Option<usize>,
    /// Hint in front of the input.
    hint: String,
    /// True while the hint is on the screen and no line has been typed after it.
    is_midline: bool,
    /// Text that is printed together with the next output.
    queued: String,
}

impl<'a> PromptOutput<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, lang: Lang, quiet: bool, logs_questions: bool) -> Self {
        Self {
            out,
            lang,
            quiet,
            logs_questions,
            columns: None,
            hint: String::new(),
            is_midline: false,
            queued: String::new(),
        }
    }

    /// Prints a notice on lines of its own, also in quiet mode.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Problem> {
        let line_end = self.line_end();
        self.write(&[line_end, text, "\n"].concat())
    }

    /// Queues a notice on lines of its own; it is printed with the next output.
    pub(crate) fn queue(&mut self, text: &str) {
        let line_end = self.line_end();
        let notice = self.escape_and_wrap(&[line_end, text, "\n"].concat());
        self.queued.push_str(&notice);
    }

    /// Prints text that is meant to be copied, without wrapping.
    pub(crate) fn print_unwrapped(&mut self, text: &str) -> Result<(), Problem> {
        let columns = self.columns.take();
        let result = self.print(text);
        self.columns = columns;
        result
    }

    /// Prints a problem: our own message as a plain line, the asker's message behind the gutter.
    pub(crate) fn print_problem(&mut self, problem: &Problem) -> Result<(), Problem> {
        match &problem.message {
            LocalizedText::Verbatim(words) => self.print(&wrap::wrap_foreign(words, self.columns)),
            LocalizedText::Message(..) => self.print(&problem.message.render(self.lang)),
        }
    }

    /// Prints a message of the catalogue.
    pub(crate) fn print_message(&mut self, message: Message) -> Result<(), Problem> {
        self.print(message.plain(self.lang))
    }

    /// Prints a notice that quiet mode leaves out.
    pub(crate) fn print_notice(&mut self, text: &str) -> Result<(), Problem> {
        if self.quiet { Ok(()) } else { self.print(text) }
    }

    /// Prints a prompt; its last line stays open for the input.
    pub(crate) fn print_prompt(&mut self, text: &str) -> Result<(), Problem> {
        text.rsplit('\n').next().unwrap_or_default().clone_into(&mut self.hint);
        if self.quiet {
            return if self.logs_questions { self.print(text.trim_end()) } else { Ok(()) };
        }
        let line_end = self.line_end();
        self.write(&[line_end, text].concat())?;
        self.is_midline = true;
        Ok(())
    }

    /// Prints the hint again after other output.
    pub(crate) fn reprint_hint(&mut self) -> Result<(), Problem> {
        if self.is_midline {
            return Ok(());
        }
        let hint = std::mem::take(&mut self.hint);
        self.print_prompt(&hint)
    }

    /// Returns true if a prompt is open for the input.
    pub(crate) fn is_midline(&self) -> bool {
        self.is_midline
    }

    /// Lends the writer to another prompt, which begins and ends on lines of its own.
    pub(crate) fn lend(&mut self) -> Result<&mut dyn Write, Problem> {
        self.end_line()?;
        Ok(self.out)
    }

    /// Records a typed line: the cursor is at the beginning of the next line.
    pub(crate) fn record_line(&mut self) {
        self.is_midline = false;
    }

    /// Records whether the cursor is behind the beginning of a line.
    pub(crate) fn set_midline(&mut self, is_midline: bool) {
        self.is_midline = is_midline;
    }

    /// Moves the cursor to the beginning of a line.
    pub(crate) fn end_line(&mut self) -> Result<(), Problem> {
        let end = self.line_end();
        if end.is_empty() && self.queued.is_empty() { Ok(()) } else { self.write(end) }
    }

    /// Returns the line break that the cursor needs to reach the beginning of a line.
    fn line_end(&mut self) -> &'static str {
        if std::mem::take(&mut self.is_midline) { "\n" } else { "" }
    }

    /// Writes text in one piece: each write of its own would wake the terminal again.
    fn write(&mut self, text: &str) -> Result<(), Problem> {
        let text = std::mem::take(&mut self.queued) + &self.escape_and_wrap(text);
        let result = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        if let Err(error) = result {
            return Err(Problem::new(ProblemCode::NoTerminal, Message::OutputFailed.with([own(error)])));
        }
        Ok(())
    }

    /// Returns the text escaped and wrapped to the screen width.
    fn escape_and_wrap(&self, text: &str) -> String {
        let mut lines = Vec::new();
        for line in text.split('\n') {
            let escaped_line = display::escape_composed(line);
            lines.push(wrap::wrap_own(&escaped_line, self.columns).into_owned());
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notice_precedes_repeated_hint() {
        let mut out = Vec::new();
        let mut voice = PromptOutput::new(&mut out, Lang::En, false, false);
        voice.print_prompt("Which?\n> ").unwrap();
        voice.print("By the way.").unwrap();
        voice.reprint_hint().unwrap();
        voice.reprint_hint().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "Which?\n> \nBy the way.\n> ");
    }

    /// Writer that records each write.
    struct WriteLog(Vec<String>);

    impl Write for WriteLog {
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
        let mut out = WriteLog(Vec::new());
        let mut voice = PromptOutput::new(&mut out, Lang::En, false, false);
        voice.columns = Some(30);
        voice.print_prompt("Which?\n  1. This\n  2. That\n> ").unwrap();
        voice.print("By the way, this line is longer than the screen.\nThis one is not.").unwrap();
        let expected = [
            "Which?\n  1. This\n  2. That\n> ",
            "\nBy the way, this line is\n    longer than the screen.\nThis one is not.\n",
        ];
        assert_eq!(out.0, expected);
    }

    #[test]
    fn deferred_text_shows_with_next() {
        let mut out = WriteLog(Vec::new());
        let mut voice = PromptOutput::new(&mut out, Lang::En, false, false);
        voice.queue("Ada asks.");
        voice.queue("A draft\u{1b} goes on.");
        voice.print_prompt("Which?\n> ").unwrap();
        voice.queue("By the way.");
        voice.end_line().unwrap();
        voice.end_line().unwrap();
        assert_eq!(out.0, ["Ada asks.\nA draft⟦U+001B⟧ goes on.\nWhich?\n> ", "\nBy the way.\n"]);
    }

    #[test]
    fn quiet_hides_prompts_not_notices() {
        let mut out = Vec::new();
        let mut voice = PromptOutput::new(&mut out, Lang::En, true, false);
        voice.print_prompt("Which?\n> ").unwrap();
        voice.print_notice("Recorded.").unwrap();
        voice.print("a\u{1b}b").unwrap();
        voice.reprint_hint().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a⟦U+001B⟧b\n");
    }

    #[test]
    fn logged_prompts_end_their_line() {
        let mut out = Vec::new();
        let mut voice = PromptOutput::new(&mut out, Lang::En, true, true);
        voice.print_prompt("Which?\n> ").unwrap();
        voice.print_notice("Recorded.").unwrap();
        voice.print_prompt("When?\n> ").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "Which?\n>\nWhen?\n>\n");
    }
}
