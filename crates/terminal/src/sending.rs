//! The two commands that end an ask here: submit and decline.

use crate::awaited::Awaited;
use crate::recap;
use crate::session::{End, Place, Session, Step, Word};
use crate::typed;
use crate::verdict::with_verdict;
use sayso_core::ask::Phase;
use sayso_core::wire::json;
use sayso_core::{Ask, Code, Command, Digest, Message, Problem, Who};

impl Session<'_> {
    /// Submits the answers. If they are incomplete or invalid, prints why and returns the step to fix them.
    pub(crate) fn send(&mut self) -> Result<Step, Problem> {
        if let Err(problem) = self.sheet.submission() {
            return self.mend(&problem);
        }
        let replies = self.sheet.replies();
        let key = key(&self.ask, "submit", &json::write(&replies));
        let sent = self.act(&key, Command::Submit { replies, as_sent: None, shown: self.shown });
        let sent = sent.map(|ask| with_verdict(self.desk, ask));
        let (awaited, lang) = (self.awaited, self.lang);
        self.ended_by(sent, |ask| recap::sent(ask, Awaited::by_somebody(awaited, ask), lang))
    }

    /// Declines. The plain prompter asks for a missing reason; a command typed there runs instead.
    pub(crate) fn decline(
        &mut self,
        reason: Option<String>,
        at: Option<usize>,
    ) -> Result<Option<Step>, Problem> {
        let reason = if reason.is_some() || self.manner.strict_commands() {
            reason
        } else {
            self.voice.prompt(Message::HintWhy.plain(self.lang))?;
            match self.listen()? {
                Word::Line(line) => Some(typed::unslashed(&line).to_owned()),
                Word::Order(order) => {
                    let here = at.map_or(Place::Review, Place::Question);
                    return self.obey(order, at).map(|step| step.or(Some(Step::Go(here))));
                }
                Word::Anew(place) => return Ok(Some(Step::Go(place))),
                Word::End(ended) => return Ok(Some(Step::End(ended))),
            }
        };
        self.reason.clone_from(&reason);
        let key = key(&self.ask, "decline", reason.as_deref().unwrap_or_default());
        let declined = self.act(&key, Command::Decline { reason, shown: self.shown });
        let said = Message::DeclinedNow.plain(self.lang);
        self.ended_by(declined, |_| said).map(Some)
    }

    fn act(&mut self, key: &str, command: Command) -> Result<Ask, Problem> {
        self.awaited = Some(Awaited::of(&self.ask, self.runs));
        self.desk.act(&Who::Person(self.person.clone()), self.ask.id, Some(key), command)
    }

    fn ended_by(
        &mut self,
        acted: Result<Ask, Problem>,
        done: impl Fn(&Ask) -> &'static str,
    ) -> Result<Step, Problem> {
        let problem = match acted {
            Ok(ask) => {
                let said = done(&ask);
                (self.ask, self.reason) = (ask, None);
                if self.manner.announces() {
                    self.voice.tell(said)?;
                }
                return Ok(Step::End(End::Settled));
            }
            Err(problem) => problem,
        };
        match problem.code {
            Code::InvalidAnswers => self.mend(&problem),
            Code::AskExpired => {
                self.ask = self.desk.act(&Who::Desk, self.ask.id, None, Command::Tick)?;
                self.lost_to(&problem)
            }
            Code::AskAnswered | Code::AskDeclined | Code::AskCancelled | Code::AskSubmitted => {
                self.ask = self.desk.get(self.ask.id)?;
                self.lost_to(&problem)
            }
            _ if self.quiet => Err(problem),
            _ => {
                self.voice.say(&problem.lines(self.lang).join("\n"))?;
                Ok(Step::Go(Place::Review))
            }
        }
    }

    /// Prints the reason of a failed decline: no draft stores it.
    pub(crate) fn tell_reason(&mut self) -> Result<(), Problem> {
        let reason = self.reason.take().filter(|reason| !reason.trim().is_empty() && !self.quiet);
        reason
            .map_or(Ok(()), |reason| self.voice.say_unbroken(&Message::ReasonUnsent.say(self.lang, [reason])))
    }

    /// Handles a lost race: the ask was settled by another actor first.
    fn lost_to(&mut self, problem: &Problem) -> Result<Step, Problem> {
        if problem.hint == Some(Message::TextKept.into()) {
            // The desk has stored the late answers.
            self.reason = None;
        }
        self.voice.say(&problem.lines(self.lang).join("\n"))?;
        Ok(Step::End(End::Elsewhere))
    }

    /// Prints the problems of the answers, and returns the step to the first of them.
    fn mend(&mut self, problem: &Problem) -> Result<Step, Problem> {
        self.voice.say(&problem.message.render(self.lang))?;
        for line in recap::problems(&self.sheet, &problem.causes, self.lang) {
            self.voice.say(&format!("- {line}"))?;
        }
        let first = problem.causes.iter().find_map(|cause| recap::place_of(&self.sheet, cause));
        Ok(Step::Go(first.map_or(Place::Review, Place::Question)))
    }
}

/// Returns an idempotency key for a person's command: equal for equal content in the same round, so that a retry
/// changes nothing.
pub(crate) fn key(ask: &Ask, act: &str, said: &str) -> String {
    let round = match &ask.state.phase {
        Phase::Open { round, .. } | Phase::Submitted { round, .. } => *round,
        Phase::Settled(_) => 0,
    };
    let parts = [ask.id.to_string(), round.to_string(), act.to_owned(), said.to_owned()];
    format!("terminal-{}", Digest::of(parts.join("\u{1f}").as_bytes()))
}
