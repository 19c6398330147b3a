//! Input loop: reads lines and commands, and handles changes at the desk meanwhile.

use crate::describe;
use crate::prompter::commands::SlashCommand;
use crate::prompter::input::LineEvent;
use crate::prompter::line_input;
use crate::prompter::prompt_style::PartialAnswer;
use crate::prompter::session::{PromptSession, RunEnd, UserInput};
use sayso_core::{Message, Problem, limits};

impl PromptSession<'_> {
    /// Returns the next line or command. Merges and announces changes at the desk meanwhile.
    pub(crate) fn next_input(&mut self) -> Result<UserInput, Problem> {
        loop {
            if !self.input.has_line() {
                self.paste_continues = false;
                self.save_lines()?;
            }
            if let Some(ended) = self.run_due()? {
                return Ok(UserInput::End(ended));
            }
            self.mark_seen()?;
            self.update_width();
            let limit = self.wait_limit();
            match self.input.next_event(self.watch.as_mut(), limit)? {
                LineEvent::Line(line) => {
                    self.record_line();
                    if let Some(word) = self.parse_input(line)? {
                        return Ok(word);
                    }
                }
                LineEvent::InvalidUtf8 => {
                    self.record_line();
                    self.output.print_message(Message::LineNotText)?;
                }
                LineEvent::TooLong => {
                    self.record_line();
                    self.print_too_long()?;
                }
                LineEvent::End => return Ok(UserInput::End(RunEnd::InputEnded)),
                LineEvent::Interrupt => return Ok(UserInput::End(RunEnd::Interrupted)),
                LineEvent::DeskChanged => {
                    if let Some(ended) = self.refresh()? {
                        return Ok(UserInput::End(ended));
                    }
                    if let Some(place) = self.changed_place() {
                        return Ok(UserInput::Changed(place));
                    }
                }
                LineEvent::Timeout => continue,
            }
            self.output.reprint_hint()?;
        }
    }

    pub(crate) fn print_too_long(&mut self) -> Result<(), Problem> {
        self.output.print(&Message::LineTooLong.render_with(self.lang, [limits::TEXT_ANSWER_BYTES]))
    }

    /// Parses a line as a command or as text. Returns `None` after printing why a command cannot run.
    fn parse_input(&mut self, line: String) -> Result<Option<UserInput>, Problem> {
        let in_long_text = matches!(self.partial, PartialAnswer::Lines(_));
        let Some(line) = self.clean_line(line, in_long_text)? else { return Ok(None) };
        let is_done = in_long_text && line.trim_end().eq_ignore_ascii_case("/done");
        // Within a pasted text no line is a command.
        let is_pasted = self.guards && self.input.buffered_lines()? > 0;
        // The last line of a paste has nothing after it, but arrived with the previous one.
        let came_along = std::mem::replace(&mut self.paste_continues, is_pasted);
        if in_long_text && is_pasted {
            // Two slashes at the beginning mean one.
            return Ok(Some(UserInput::Line(if is_done { format!("/{line}") } else { line })));
        }
        if let Some(order) = SlashCommand::parse(&line) {
            if order.is_final() && (is_pasted || came_along) {
                self.output
                    .print(&Message::CommandPasted.render_with(self.lang, [describe::brief(line.trim())]))?;
                self.discard_typed_ahead()?;
                return Ok(None);
            }
            return Ok(Some(UserInput::Command(order)));
        }
        let is_command = line.starts_with('/') && !line.starts_with("//") && !is_done;
        if is_command && !self.style.has_strict_commands() {
            let name = line.split_whitespace().next().unwrap_or_default();
            self.output.print(&Message::NoCommand.render_with(self.lang, [describe::brief(name)]))?;
            return Ok(None);
        }
        Ok(Some(UserInput::Line(line)))
    }

    /// Returns a line without the control sequences of keys. Asks for an answer with such sequences again, because the
    /// intended edit is unknown. A style with strict commands takes every byte literally.
    fn clean_line(&mut self, line: String, in_long_text: bool) -> Result<Option<String>, Problem> {
        if self.style.has_strict_commands() || !self.guards {
            return Ok(Some(line));
        }
        let (clean, removed) = line_input::strip_controls(&line);
        if !removed || in_long_text || SlashCommand::parse(&clean).is_some() {
            return Ok(Some(clean));
        }
        self.output.print(&Message::ControlsLeftOut.render_with(self.lang, [describe::brief(&line)]))?;
        Ok(None)
    }
}
