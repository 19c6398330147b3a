//! The two commands that end an ask here: submit and decline.

use crate::describe;
use crate::presence::WaiterPresence;
use crate::prompter::session::{NextStep, PromptPlace, PromptSession, RunEnd, UserInput};
use crate::prompter::{commands, input_loop, line_input};
use crate::sending::{idempotency_key, wait_for_verdict};
use sayso_core::i18n::foreign;
use sayso_core::model::ask::AskPhase;
use sayso_core::model::outcome::ShownView;
use sayso_core::rules::validator;
use sayso_core::wire::json;
use sayso_core::{Actor, Answer, Ask, AskCommand, Message, Problem, ProblemCode, Reply};

/// Yes or no to an ask of one question, as typed at the inbox.
#[derive(Debug)]
pub(crate) struct Decision {
    /// True for yes.
    pub(crate) is_yes: bool,
    /// Words for the asker.
    pub(crate) note: Option<String>,
    /// The phase that the ask had when it was read: the asker may want changes since.
    pub(crate) phase: AskPhase,
}

impl PromptSession<'_> {
    /// Submits a decision. A no that is no valid answer declines the ask. If the ask or its draft changed since it was
    /// read, nothing is sent and the question is asked.
    pub(crate) fn decide(&mut self, decision: Decision) -> Result<NextStep, Problem> {
        let Decision { is_yes, note, phase } = decision;
        let this_question = NextStep::Go(PromptPlace::Question(0));
        if let Some(end) = self.settled_elsewhere()? {
            return Ok(NextStep::End(end));
        }
        if self.ask.state.phase != phase || self.sheet.has_input() {
            return self.first_place().map(NextStep::Go);
        }
        let Some(question) = self.question(0) else { return Ok(this_question) };
        if let Some(problem) = validator::note_problem(note.as_deref()) {
            self.output.print(&problem.message.render(self.lang))?;
            return Ok(this_question);
        }
        let reply = Reply::from_answer(Answer::Confirm(is_yes)).with_note(note.clone());
        if !self.sheet.validate_reply(0, &reply).is_empty() && !is_yes {
            return Ok(self.decline(Some(note.unwrap_or_default()), Some(0))?.unwrap_or(this_question));
        }
        if !self.save_reply(&question.id, reply)? {
            return Ok(this_question);
        }
        if self.always_reviews {
            return Ok(NextStep::Go(PromptPlace::Review));
        }
        self.submit()
    }

    /// Submits the answers. If they are incomplete or invalid, prints why and returns the step to fix them.
    pub(crate) fn submit(&mut self) -> Result<NextStep, Problem> {
        if let Err(problem) = self.sheet.unchecked_submission() {
            return self.show_problems(&problem);
        }
        let replies = self.sheet.replies();
        let key = idempotency_key(&self.ask, "submit", &json::write(&replies));
        // A script has no draft.
        let has_draft = !self.quiet && self.unstored.is_empty();
        let draft_rev = if has_draft { Some(self.rev.0) } else { None };
        let shown = ShownView { draft_rev, ..self.shown_digest.into() };
        match self.run_on_desk(&key, AskCommand::Submit { replies, as_sent: None, shown }) {
            Ok(ask) => {
                let ask = wait_for_verdict(self.desk, ask);
                let is_awaited = WaiterPresence::was_awaited(self.presence, &ask);
                let notice = describe::sent_sentences(&ask, is_awaited, self.lang);
                self.finish_settled(ask, &notice)
            }
            Err(problem) => self.handle_refusal(problem),
        }
    }

    /// Declines. The plain prompter asks for a missing reason; a command typed there runs instead.
    pub(crate) fn decline(
        &mut self,
        reason: Option<String>,
        at: Option<usize>,
    ) -> Result<Option<NextStep>, Problem> {
        let mut reason = reason;
        if reason.is_none() && !self.style.has_strict_commands() {
            self.output.print_prompt(Message::HintWhy.plain(self.lang))?;
            match input_loop::next_input(self)? {
                UserInput::Line(line) => reason = Some(line_input::unescape_slash(&line).to_owned()),
                UserInput::Command(command) => {
                    let current_place = at.map_or(PromptPlace::Review, PromptPlace::Question);
                    let step = commands::run_command(self, command, at)?;
                    return Ok(Some(step.unwrap_or(NextStep::Go(current_place))));
                }
                UserInput::Changed(place) => return Ok(Some(NextStep::Go(place))),
                UserInput::End(end) => return Ok(Some(NextStep::End(end))),
            }
        }
        self.reason.clone_from(&reason);
        let key = idempotency_key(&self.ask, "decline", reason.as_deref().unwrap_or_default());
        match self.run_on_desk(&key, AskCommand::Decline { reason, shown: self.shown_digest }) {
            Ok(ask) => self.finish_settled(ask, Message::DeclinedNow.plain(self.lang)).map(Some),
            Err(problem) => self.handle_refusal(problem).map(Some),
        }
    }

    fn run_on_desk(&mut self, key: &str, command: AskCommand) -> Result<Ask, Problem> {
        self.presence = Some(WaiterPresence::from_ask(&self.ask, self.is_running));
        let actor = Actor::Person(self.person.clone());
        let ask = self.desk.act(&actor, self.ask.id, Some(key), command)?;
        Ok(ask.localized(self.lang))
    }

    /// Announces that the ask was settled here.
    fn finish_settled(&mut self, ask: Ask, notice: &str) -> Result<NextStep, Problem> {
        self.ask = ask;
        self.reason = None;
        self.discard_unread();
        if self.style.announces_replies() {
            self.output.print_notice(notice)?;
            for line in describe::completion_lines(&self.ask, self.lang) {
                self.output.print_notice(&line)?;
            }
        }
        Ok(NextStep::End(RunEnd::Settled))
    }

    /// Prints why the desk refused to settle the ask, and returns the step to go on with.
    fn handle_refusal(&mut self, problem: Problem) -> Result<NextStep, Problem> {
        match problem.code {
            ProblemCode::InvalidAnswers => {
                self.sheet.mark_refused(&problem);
                self.show_problems(&problem)
            }
            ProblemCode::AskExpired => {
                self.ask =
                    self.desk.act(&Actor::Desk, self.ask.id, None, AskCommand::Tick)?.localized(self.lang);
                self.handle_conflict(&problem)
            }
            ProblemCode::AskAnswered
            | ProblemCode::AskDeclined
            | ProblemCode::AskCancelled
            | ProblemCode::AskSubmitted => {
                self.ask = self.desk.get(self.ask.id)?.localized(self.lang);
                self.handle_conflict(&problem)
            }
            _ if self.quiet => Err(problem),
            code => {
                if code == ProblemCode::DraftChanged {
                    self.merge_draft()?;
                }
                self.output.print(&problem.render_lines(self.lang).join("\n"))?;
                Ok(NextStep::Go(PromptPlace::Review))
            }
        }
    }

    /// Prints the reason of a failed decline: no draft stores it.
    pub(crate) fn print_lost_reason(&mut self) -> Result<(), Problem> {
        let reason = self.reason.take().unwrap_or_default();
        if reason.trim().is_empty() || self.quiet {
            return Ok(());
        }
        self.output.print_unwrapped(&Message::ReasonUnsent.render_with(self.lang, [foreign(reason)]))
    }

    /// Handles a lost race: the ask was settled by another actor first.
    fn handle_conflict(&mut self, problem: &Problem) -> Result<NextStep, Problem> {
        if problem.hint == Some(Message::TextKept.into()) {
            // The desk has stored the late answers.
            self.reason = None;
        }
        self.discard_unread();
        self.output.print(&problem.render_lines(self.lang).join("\n"))?;
        Ok(NextStep::End(RunEnd::SettledElsewhere))
    }

    /// Prints the problems of the answers, and returns the step to the first of them.
    fn show_problems(&mut self, problem: &Problem) -> Result<NextStep, Problem> {
        self.output.print(&problem.message.render(self.lang))?;
        for line in describe::sheet_problems(&self.sheet, &problem.causes, self.lang) {
            self.output.print(&format!("- {line}"))?;
        }
        let first = problem.causes.iter().find_map(|cause| describe::question_index(&self.sheet, cause));
        Ok(NextStep::Go(first.map_or(PromptPlace::Review, PromptPlace::Question)))
    }
}
