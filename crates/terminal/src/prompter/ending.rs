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
        let here = NextStep::Go(PromptPlace::Question(0));
        if let Some(ended) = self.settled_elsewhere()? {
            return Ok(NextStep::End(ended));
        }
        if self.ask.state.phase != phase || self.sheet.given_count() > 0 {
            return self.first_place().map(NextStep::Go);
        }
        let Some(question) = self.question(0) else { return Ok(here) };
        if let Some(problem) = validator::note_problem(note.as_deref()) {
            self.output.print(&problem.message.render(self.lang))?;
            return Ok(here);
        }
        let reply = Reply::from_answer(Answer::Confirm(is_yes)).with_note(note.clone());
        if !self.sheet.validate_reply(0, &reply).is_empty() && !is_yes {
            return Ok(self.decline(Some(note.unwrap_or_default()), Some(0))?.unwrap_or(here));
        }
        if !self.save_reply(&question.id, reply)? {
            return Ok(here);
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
        let draft_rev = (!self.quiet && self.unstored.is_empty()).then_some(self.rev.0);
        let shown = ShownView { draft_rev, ..self.shown_digest.into() };
        let sent = self.run_on_desk(&key, AskCommand::Submit { replies, as_sent: None, shown });
        let sent = sent.map(|ask| wait_for_verdict(self.desk, ask));
        let (awaited, lang) = (self.presence, self.lang);
        self.finish_with(sent, |ask| {
            describe::sent_sentences(ask, WaiterPresence::was_awaited(awaited, ask), lang)
        })
    }

    /// Declines. The plain prompter asks for a missing reason; a command typed there runs instead.
    pub(crate) fn decline(
        &mut self,
        reason: Option<String>,
        at: Option<usize>,
    ) -> Result<Option<NextStep>, Problem> {
        let reason = if reason.is_some() || self.style.has_strict_commands() {
            reason
        } else {
            self.output.print_prompt(Message::HintWhy.plain(self.lang))?;
            match input_loop::next_input(self)? {
                UserInput::Line(line) => Some(line_input::unescape_slash(&line).to_owned()),
                UserInput::Command(order) => {
                    let here = at.map_or(PromptPlace::Review, PromptPlace::Question);
                    return commands::run_command(self, order, at)
                        .map(|step| step.or(Some(NextStep::Go(here))));
                }
                UserInput::Changed(place) => return Ok(Some(NextStep::Go(place))),
                UserInput::End(ended) => return Ok(Some(NextStep::End(ended))),
            }
        };
        self.reason.clone_from(&reason);
        let key = idempotency_key(&self.ask, "decline", reason.as_deref().unwrap_or_default());
        let declined = self.run_on_desk(&key, AskCommand::Decline { reason, shown: self.shown_digest });
        let notice = Message::DeclinedNow.plain(self.lang);
        self.finish_with(declined, |_| notice.to_owned()).map(Some)
    }

    fn run_on_desk(&mut self, key: &str, command: AskCommand) -> Result<Ask, Problem> {
        self.presence = Some(WaiterPresence::from_ask(&self.ask, self.is_running));
        let acted = self.desk.act(&Actor::Person(self.person.clone()), self.ask.id, Some(key), command);
        acted.map(|ask| ask.localized(self.lang))
    }

    fn finish_with(
        &mut self,
        acted: Result<Ask, Problem>,
        done: impl Fn(&Ask) -> String,
    ) -> Result<NextStep, Problem> {
        let problem = match acted {
            Ok(ask) => {
                let notice = done(&ask);
                (self.ask, self.reason) = (ask, None);
                self.discard_unread();
                if self.style.announces_replies() {
                    self.output.print_notice(&notice)?;
                    for line in describe::completion_lines(&self.ask, self.lang) {
                        self.output.print_notice(&line)?;
                    }
                }
                return Ok(NextStep::End(RunEnd::Settled));
            }
            Err(problem) => problem,
        };
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
        let reason = self.reason.take().filter(|reason| !reason.trim().is_empty() && !self.quiet);
        reason.map_or(Ok(()), |reason| {
            self.output.print_unwrapped(&Message::ReasonUnsent.render_with(self.lang, [foreign(reason)]))
        })
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
