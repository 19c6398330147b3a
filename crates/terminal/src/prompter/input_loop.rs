//! Input loop: reads lines and commands, and handles changes at the desk meanwhile.

use crate::describe;
use crate::prompter::commands::SlashCommand;
use crate::prompter::input::LineEvent;
use crate::prompter::line_input;
use crate::prompter::prompt_style::PartialAnswer;
use crate::prompter::session::{PromptSession, RunEnd, UserInput};
use sayso_core::i18n::foreign;
use sayso_core::{Message, Problem, limits};
use sayso_desk::Interest;
use std::time::Duration;

/// Time after a line within which more input belongs to the same paste: nobody types that fast. A cooked terminal would
/// show the markers of bracketed paste, so they are not asked for.
pub(crate) const PASTE_GAP: Duration = Duration::from_millis(20);

/// Markers of bracketed paste, which arrive if another program left it on.
const PASTE_MARKERS: [&str; 2] = ["\u{1b}[200~", "\u{1b}[201~"];

/// News of asks other than the open one.
pub(crate) trait OtherAsks {
    /// Returns a sentence for each new ask since the last call.
    fn read_news(&mut self) -> Result<Vec<String>, Problem>;
}

impl<'a> PromptSession<'a> {
    /// Reports other asks too, between the lines of this one.
    pub(crate) fn watch_others(&mut self, others: &'a mut dyn OtherAsks) -> Result<(), Problem> {
        self.watch = self.desk.watch(Interest::All, None)?;
        self.ask = self.desk.get(self.ask.id)?.localized(self.lang);
        self.others = Some(others);
        Ok(())
    }

    /// Prints what is new of other asks, unless the person has begun a line.
    pub(crate) fn print_others(&mut self) -> Result<(), Problem> {
        let Some(others) = &mut self.others else { return Ok(()) };
        if !self.has_other_news || self.input.is_typing()? {
            return Ok(());
        }
        self.has_other_news = false;
        for sentence in others.read_news()? {
            self.output.print(&sentence)?;
        }
        self.output.reprint_hint()
    }
}

/// Returns the next line or command. Merges and announces changes at the desk meanwhile.
pub(crate) fn next_input(session: &mut PromptSession<'_>) -> Result<UserInput, Problem> {
    loop {
        if !session.input.has_line() {
            session.paste_continues = false;
            session.save_lines()?;
        }
        if let Some(end) = session.run_due()? {
            return Ok(UserInput::End(end));
        }
        session.mark_seen()?;
        session.update_width();
        session.print_others()?;
        let limit = session.wait_limit();
        match session.input.next_event(session.watch.as_mut(), limit)? {
            LineEvent::Line(line) => {
                session.record_line();
                if session.guards && !matches!(session.partial, PartialAnswer::Lines(_)) {
                    let is_midline = session.input.gather(PASTE_GAP)?;
                    session.output.set_midline(is_midline);
                }
                if let Some(input) = parse_input(session, line)? {
                    return Ok(input);
                }
            }
            LineEvent::InvalidUtf8 => {
                session.record_line();
                session.output.print_message(Message::LineNotText)?;
            }
            LineEvent::TooLong => {
                session.record_line();
                print_too_long(session)?;
            }
            LineEvent::End => return Ok(UserInput::End(RunEnd::InputEnded)),
            LineEvent::Interrupt => return Ok(UserInput::End(RunEnd::Interrupted)),
            LineEvent::DeskChanged => {
                session.has_other_news = true;
                if let Some(end) = session.refresh()? {
                    return Ok(UserInput::End(end));
                }
                if let Some(place) = session.changed_place() {
                    return Ok(UserInput::Changed(place));
                }
            }
            LineEvent::Timeout => continue,
        }
        session.output.reprint_hint()?;
    }
}

pub(crate) fn print_too_long(session: &mut PromptSession<'_>) -> Result<(), Problem> {
    session.output.print(&Message::LineTooLong.render_with(session.lang, [limits::TEXT_ANSWER_BYTES]))
}

/// Parses a line as a command or as text. Returns `None` after printing why a command cannot run.
fn parse_input(session: &mut PromptSession<'_>, line: String) -> Result<Option<UserInput>, Problem> {
    let in_long_text = matches!(session.partial, PartialAnswer::Lines(_));
    let Some(line) = clean_line(session, line, in_long_text)? else { return Ok(None) };
    let is_done = in_long_text && line.trim_end().eq_ignore_ascii_case("/done");
    // Within a pasted text no line is a command.
    let is_pasted = session.guards && session.input.buffered_lines()? > 0;
    // The last line of a paste has nothing after it, but arrived with the previous one.
    let came_along = std::mem::replace(&mut session.paste_continues, is_pasted);
    if in_long_text && is_pasted {
        // Two slashes at the beginning mean one.
        return Ok(Some(UserInput::Line(if is_done { format!("/{line}") } else { line })));
    }
    if let Some(command) = SlashCommand::parse(&line) {
        if command.is_final() && (is_pasted || came_along) {
            let words = foreign(describe::excerpt(line.trim()));
            session.output.print(&Message::CommandPasted.render_with(session.lang, [words]))?;
            session.discard_typed_ahead()?;
            return Ok(None);
        }
        return Ok(Some(UserInput::Command(command)));
    }
    let is_command = line.starts_with('/') && !line.starts_with("//") && !is_done;
    if is_command && !session.style.has_strict_commands() {
        let name = line.split_whitespace().next().unwrap_or_default();
        let name = foreign(describe::excerpt(name));
        session.output.print(&Message::NoCommand.render_with(session.lang, [name]))?;
        return Ok(None);
    }
    Ok(Some(UserInput::Line(line)))
}

/// Returns a line without the control sequences of keys. Asks for an answer with such sequences again, because the
/// intended edit is unknown. A style with strict commands takes everything but the markers of a paste literally.
fn clean_line(
    session: &mut PromptSession<'_>,
    line: String,
    in_long_text: bool,
) -> Result<Option<String>, Problem> {
    if !session.guards {
        return Ok(Some(line));
    }
    if session.style.has_strict_commands() {
        let mut line = line;
        for marker in PASTE_MARKERS {
            line = line.replace(marker, "");
        }
        return Ok(Some(line));
    }
    let (clean, has_controls) = line_input::strip_controls(&line);
    if !has_controls || in_long_text || SlashCommand::parse(&clean).is_some() {
        return Ok(Some(clean));
    }
    let excerpt = describe::excerpt(&line);
    session.output.print(&Message::ControlsLeftOut.render_with(session.lang, [foreign(excerpt)]))?;
    Ok(None)
}
