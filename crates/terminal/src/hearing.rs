//! Input loop: reads lines and commands, and handles changes at the desk meanwhile.

use crate::commands::Order;
use crate::input::Happening;
use crate::manner::Partial;
use crate::recap;
use crate::session::{End, Session, Word};
use crate::typed;
use sayso_core::{Message, Problem, limits};

impl Session<'_> {
    /// Returns the next line or command. Merges and announces changes at the desk meanwhile.
    pub(crate) fn listen(&mut self) -> Result<Word, Problem> {
        loop {
            if !self.input.has_line() {
                self.more_came = false;
                self.save_lines()?;
            }
            if let Some(ended) = self.let_time_pass()? {
                return Ok(Word::End(ended));
            }
            self.see()?;
            self.measure();
            let limit = self.limit();
            match self.input.next(self.watch.as_mut(), limit)? {
                Happening::Line(line) => {
                    self.heard_line();
                    if let Some(word) = self.word(line)? {
                        return Ok(word);
                    }
                }
                Happening::Garbled => {
                    self.heard_line();
                    self.voice.say_message(Message::LineNotText)?;
                }
                Happening::TooLong => {
                    self.heard_line();
                    self.say_too_long()?;
                }
                Happening::End => return Ok(Word::End(End::InputEnded)),
                Happening::Interrupt => return Ok(Word::End(End::Interrupted)),
                Happening::Desk => {
                    if let Some(ended) = self.refresh()? {
                        return Ok(Word::End(ended));
                    }
                    if let Some(place) = self.anew() {
                        return Ok(Word::Anew(place));
                    }
                }
                Happening::Idle => continue,
            }
            self.voice.hint_again()?;
        }
    }

    pub(crate) fn say_too_long(&mut self) -> Result<(), Problem> {
        self.voice.say(&Message::LineTooLong.say(self.lang, [limits::TEXT_ANSWER_BYTES]))
    }

    /// Parses a line as a command or as text. Returns `None` after printing why a command cannot run.
    fn word(&mut self, line: String) -> Result<Option<Word>, Problem> {
        let in_long_text = matches!(self.partial, Partial::Lines(_));
        let Some(line) = self.as_meant(line, in_long_text)? else { return Ok(None) };
        let is_done = in_long_text && line.trim_end().eq_ignore_ascii_case("/done");
        // Within a pasted text no line is a command.
        let is_pasted = self.guards && self.input.waiting()? > 0;
        // The last line of a paste has nothing after it, but arrived with the previous one.
        let came_along = std::mem::replace(&mut self.more_came, is_pasted);
        if in_long_text && is_pasted {
            // Two slashes at the beginning mean one.
            return Ok(Some(Word::Line(if is_done { format!("/{line}") } else { line })));
        }
        if let Some(order) = Order::parse(&line) {
            if order.is_final() && (is_pasted || came_along) {
                self.voice.say(&Message::CommandPasted.say(self.lang, [recap::brief(line.trim())]))?;
                self.pass_over_typed_ahead()?;
                return Ok(None);
            }
            return Ok(Some(Word::Order(order)));
        }
        let is_command = line.starts_with('/') && !line.starts_with("//") && !is_done;
        if is_command && !self.manner.strict_commands() {
            let name = line.split_whitespace().next().unwrap_or_default();
            self.voice.say(&Message::NoCommand.say(self.lang, [recap::brief(name)]))?;
            return Ok(None);
        }
        Ok(Some(Word::Line(line)))
    }

    /// Returns a line without the control sequences of keys. Asks for an answer with such sequences again, because the
    /// intended edit is unknown. A style with strict commands takes every byte literally.
    fn as_meant(&mut self, line: String, in_long_text: bool) -> Result<Option<String>, Problem> {
        if self.manner.strict_commands() || !self.guards {
            return Ok(Some(line));
        }
        let (clean, removed) = typed::clean(&line);
        if !removed || in_long_text || Order::parse(&clean).is_some() {
            return Ok(Some(clean));
        }
        self.voice.say(&Message::ControlsLeftOut.say(self.lang, [recap::brief(&line)]))?;
        Ok(None)
    }
}
