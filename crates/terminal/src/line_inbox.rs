//! Inbox line by line, for a screen reader or a terminal without a full screen: it says each ask in one sentence as it
//! arrives, and takes a yes, a no or a command as one line. Questions are answered at the line prompter.

mod announcement;
mod arrivals;
mod changes;
mod command;
mod reading;

use crate::describe;
use crate::prompter::{
    Decision, InputLines, LineEvent, LinePrompter, PASTE_GAP, PlainStyle, PromptOutput, PromptSession,
    strip_controls,
};
use crate::surface::{ClarifyFn, EditorFn, NotesCheck, ProcessCheck, PromptOutcome};
use arrivals::Arrivals;
use command::InboxCommand;
use jiff::Timestamp;
use reading::ReadAsk;
use sayso_core::i18n::foreign;
use sayso_core::{AskId, Lang, Message, Person, Problem, ProblemCode};
use sayso_desk::{Desk, Interest, ListScope, Watch};
use std::fmt;
use std::io::Write;
use std::time::Duration;

/// Inbox for a person who reads or hears one line after another.
pub struct LineInbox<'a> {
    /// The desk that has the asks.
    pub desk: &'a dyn Desk,
    /// The answering person.
    pub person: Person,
    /// Asks that the person sees.
    pub scope: ListScope,
    /// Style of the questions, in the person's language.
    pub style: PlainStyle,
    /// The person's home folder, which is abbreviated.
    pub home: String,
    /// Clock.
    pub clock: &'a dyn Fn() -> Timestamp,
    /// Opens a text in the person's editor, if they have one.
    pub editor: Option<&'a EditorFn>,
    /// Wording of clarification requests in the asker's format.
    pub clarify: ClarifyFn,
    /// Returns true for an ask whose asker receives notes.
    pub carries_notes: NotesCheck,
    /// Check for a running process.
    pub is_running: ProcessCheck,
    /// Reviews also a single answer before it is sent.
    pub always_reviews: bool,
}

impl fmt::Debug for LineInbox<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineInbox").field("person", &self.person).finish_non_exhaustive()
    }
}

impl LineInbox<'_> {
    /// Reads asks to the person until they leave.
    ///
    /// # Errors
    /// Fails if the input, the output or the desk's changes cannot be read. Typed text is in the drafts.
    pub fn run(&self, out: &mut dyn Write, input: &mut InputLines) -> Result<PromptOutcome, Problem> {
        let session = InboxSession {
            inbox: self,
            watch: self.desk.watch(Interest::All, None)?,
            output: PromptOutput::new(out, self.style.lang, false, false),
            input,
            arrivals: Arrivals::new(self),
            current: None,
            put_off: Vec::new(),
            is_stale: true,
            has_greeted: false,
            is_idle: false,
            is_away: false,
            failure: None,
        };
        session.run()
    }
}

/// State of one run.
struct InboxSession<'a> {
    inbox: &'a LineInbox<'a>,
    watch: Box<dyn Watch>,
    output: PromptOutput<'a>,
    input: &'a mut InputLines,
    arrivals: Arrivals<'a>,
    /// The ask that was read last and that lines are about.
    current: Option<ReadAsk>,
    /// Asks that the person left for later, the first one first.
    put_off: Vec<AskId>,
    /// True if the desk changed since the list was read.
    is_stale: bool,
    has_greeted: bool,
    /// True if the person knows that nothing is left to read.
    is_idle: bool,
    /// True if the person knows that the desk is away.
    is_away: bool,
    /// The last failure that was printed: the next try may fail for the same cause.
    failure: Option<Problem>,
}

impl InboxSession<'_> {
    fn run(mut self) -> Result<PromptOutcome, Problem> {
        loop {
            self.expire_current();
            self.update()?;
            self.show_hint()?;
            let limit = self.wait_limit();
            let outcome = match self.input.next_event(self.watch.as_mut(), limit)? {
                LineEvent::Line(line) => self.handle_line(&line)?,
                LineEvent::InvalidUtf8 => {
                    self.output.record_line();
                    self.output.print_message(Message::LineNotText)?;
                    None
                }
                LineEvent::TooLong => {
                    self.output.record_line();
                    self.print_unknown("")?;
                    None
                }
                LineEvent::DeskChanged => {
                    self.is_stale = true;
                    None
                }
                LineEvent::Timeout => None,
                LineEvent::End => Some(PromptOutcome::Left),
                LineEvent::Interrupt => Some(PromptOutcome::Interrupted),
            };
            if let Some(outcome) = outcome {
                self.output.end_line()?;
                return Ok(outcome);
            }
        }
    }

    fn lang(&self) -> Lang {
        self.inbox.style.lang
    }

    /// Returns the maximum wait: until the deadline of the current ask.
    fn wait_limit(&self) -> Duration {
        let Some(current) = &self.current else { return Duration::MAX };
        let Some(deadline) = current.ask.due_at() else { return Duration::MAX };
        let rest = deadline.duration_since((self.inbox.clock)());
        // Past the deadline the desk's own clock decides; poll it at its pace.
        Duration::try_from(rest).unwrap_or(self.watch.poll_interval())
    }

    fn show_hint(&mut self) -> Result<(), Problem> {
        if self.output.is_midline() || !self.has_greeted {
            return Ok(());
        }
        let hint = match &self.current {
            Some(current) if current.takes_decision => Message::InboxHintDecide,
            Some(_) => Message::InboxHintOpen,
            None => Message::InboxHint,
        };
        self.output.print_prompt(hint.plain(self.lang()))
    }

    /// Does what a line says. Returns how the run ends, if it does.
    fn handle_line(&mut self, line: &str) -> Result<Option<PromptOutcome>, Problem> {
        self.output.record_line();
        let is_midline = self.input.gather(PASTE_GAP)?;
        self.output.set_midline(is_midline);
        let (line, has_controls) = strip_controls(line);
        let excerpt = describe::excerpt(line.trim());
        if self.input.buffered_lines()? > 0 {
            self.output.print(&Message::CommandPasted.render_with(self.lang(), [foreign(excerpt)]))?;
            self.discard_typed_ahead()?;
            return Ok(None);
        }
        if has_controls {
            self.output.print(&Message::ControlsLeftOut.render_with(self.lang(), [foreign(excerpt)]))?;
            return Ok(None);
        }
        let Some(command) = InboxCommand::parse(&line) else {
            self.print_unknown(&excerpt)?;
            return Ok(None);
        };
        match self.run_command(command) {
            // Without input or output nothing goes on.
            Err(problem) if problem.code != ProblemCode::NoTerminal => {
                self.is_stale = true;
                self.print_failure(problem)?;
                Ok(None)
            }
            result => result,
        }
    }

    fn print_unknown(&mut self, excerpt: &str) -> Result<(), Problem> {
        self.output.print(&Message::InboxUnknown.render_with(self.lang(), [foreign(excerpt)]))
    }

    /// Runs a command. Returns how the run ends, if it does.
    fn run_command(&mut self, command: InboxCommand) -> Result<Option<PromptOutcome>, Problem> {
        match command {
            InboxCommand::Quit => return Ok(Some(PromptOutcome::Left)),
            InboxCommand::Help => {
                self.output.print_message(Message::InboxHelp)?;
                return Ok(None);
            }
            _ => self.failure = None,
        }
        if command == InboxCommand::Next {
            self.go_next()?;
            return Ok(None);
        }
        let Some(current) = &self.current else {
            self.output.print_message(Message::NothingWaits)?;
            return Ok(None);
        };
        let id = current.ask.id;
        match command {
            InboxCommand::Later => {
                self.put_off(id);
                self.read_next()?;
                Ok(None)
            }
            InboxCommand::Whole => {
                self.read_whole()?;
                Ok(None)
            }
            InboxCommand::Yes => self.decide(true, None),
            InboxCommand::No(words) => self.decide(false, words),
            _ => self.prompt(id, None),
        }
    }

    /// Leaves the current ask for later, after those that were left before.
    fn put_off(&mut self, id: AskId) {
        self.put_off.retain(|other| *other != id);
        self.put_off.push(id);
        self.current = None;
    }

    /// Reads the ask after the current one; those that were left for later come last.
    fn go_next(&mut self) -> Result<(), Problem> {
        let mut order = Vec::new();
        for row in &self.arrivals.rows {
            if !self.put_off.contains(&row.id) {
                order.push(row.id);
            }
        }
        order.extend(&self.put_off);
        let mut next = order.first();
        if let Some(current) = &self.current
            && let Some(index) = order.iter().position(|id| *id == current.ask.id)
        {
            if order.len() == 1 {
                return self.output.print_message(Message::InboxNoOther);
            }
            next = order.get((index + 1) % order.len());
        }
        match next {
            Some(id) => self.read_out(*id),
            None => self.output.print_message(Message::NothingWaits),
        }
    }

    fn read_whole(&mut self) -> Result<(), Problem> {
        let Some(current) = &self.current else { return Ok(()) };
        self.output.print(current.whole.trim_end_matches('\n'))?;
        self.mark_seen()
    }

    /// Sends a yes or a no. A yes to an ask of which only a part was read reads the whole first.
    fn decide(&mut self, is_yes: bool, note: Option<String>) -> Result<Option<PromptOutcome>, Problem> {
        let Some(current) = &self.current else { return Ok(None) };
        if !current.takes_decision {
            self.output.print_message(Message::InboxNoDecision)?;
            return Ok(None);
        }
        if is_yes && !current.is_whole {
            self.output.print_message(Message::InboxWholeFirst)?;
            self.read_whole()?;
            return Ok(None);
        }
        let phase = current.ask.state.phase.clone();
        self.prompt(current.ask.id, Some(Decision { is_yes, note, phase }))
    }

    /// Puts an ask to the person at the line prompter, or sends a decision.
    fn prompt(&mut self, id: AskId, decision: Option<Decision>) -> Result<Option<PromptOutcome>, Problem> {
        let inbox = self.inbox;
        let prompter = LinePrompter {
            desk: inbox.desk,
            person: inbox.person.clone(),
            style: &inbox.style,
            lang: inbox.style.lang,
            clock: inbox.clock,
            out: self.output.lend()?,
            input: &mut *self.input,
            guards: true,
            editor: inbox.editor,
            clarify: inbox.clarify,
            carries_notes: inbox.carries_notes,
            is_running: inbox.is_running,
            quiet: false,
            always_reviews: inbox.always_reviews,
            logs_questions: false,
        };
        let mut session = PromptSession::open(prompter, id)?;
        session.watch_others(&mut self.arrivals)?;
        let outcome = match decision {
            Some(decision) => session.run_decision(decision)?,
            None => session.run()?,
        };
        self.is_stale = true;
        match outcome {
            PromptOutcome::Settled { .. } | PromptOutcome::SettledElsewhere(_) => self.current = None,
            PromptOutcome::Left => self.put_off(id),
            PromptOutcome::Interrupted => return Ok(Some(PromptOutcome::Interrupted)),
            PromptOutcome::InputEnded { .. } => return Ok(Some(PromptOutcome::Left)),
        }
        Ok(None)
    }

    /// Prints why the desk failed, once for each cause.
    fn print_failure(&mut self, problem: Problem) -> Result<(), Problem> {
        if self.failure.as_ref() == Some(&problem) {
            return Ok(());
        }
        self.output.print(&problem.render_lines(self.lang()).join("\n"))?;
        self.failure = Some(problem);
        Ok(())
    }
}
