//! Loop of one question: render, read, record, and choose the next step.

use crate::commands::Order;
use crate::input::Happening;
use crate::manner::{Heard, Partial};
use crate::recap;
use crate::session::{Place, Session, Step, Word};
use crate::typed;
use sayso_core::sheet::Effect;
use sayso_core::{Answer, Kind, Message, Pick, Problem, Question, Reply, Said};

/// Result of lines that were pasted after a one-line answer.
enum Pasted {
    /// The lines were joined to the reply, or dropped.
    Reply(Reply),
    /// The person did something else.
    Step(Step),
}

impl Session<'_> {
    /// Asks a question until the next step. The draft has all lines of a long text by then.
    pub(crate) fn ask_question(&mut self, index: usize) -> Result<Step, Problem> {
        let Some(question) = self.question(index) else { return Ok(Step::Go(Place::Review)) };
        self.pass_over_typed_ahead()?;
        self.partial = self.beginning(&question);
        (self.asking, self.changed_here) = (Some(index), false);
        let page = self.manner.render(&self.scene(), index);
        self.voice.prompt(&page)?;
        let step = self.hear(index, &question);
        let saved = self.save_lines();
        (self.asking, self.partial) = (None, Partial::Nothing);
        let step = step?;
        saved?;
        Ok(step)
    }

    fn hear(&mut self, index: usize, question: &Question) -> Result<Step, Problem> {
        loop {
            let line = match self.listen()? {
                Word::End(ended) => return Ok(Step::End(ended)),
                Word::Anew(place) => return Ok(Step::Go(place)),
                Word::Order(order) => match self.obey(order, Some(index))? {
                    Some(step) => return Ok(step),
                    None => {
                        self.voice.hint_again()?;
                        continue;
                    }
                },
                Word::Line(line) => line,
            };
            let partial = std::mem::take(&mut self.partial);
            let own_answer = matches!(partial, Partial::OwnAnswer { .. });
            match self.manner.read_line(question, &self.sheet.questionnaire().rules, partial, &line) {
                // The error is printed right above the next try; an empty line shows the question again.
                Heard::Again { said } if said.is_empty() => return Ok(Step::Go(Place::Question(index))),
                Heard::Again { said } => self.voice.say(&said)?,
                Heard::More { partial, prompt } => {
                    if matches!(partial, Partial::Lines(_)) {
                        self.unsaved = Some(question.id.clone());
                    }
                    self.partial = partial;
                    self.voice.prompt(&prompt)?;
                    continue;
                }
                Heard::Reply { reply, said } => {
                    if let Some(step) = self.take(index, question, reply, said)? {
                        return Ok(step);
                    }
                }
            }
            if !self.stays(question, own_answer)? {
                return Ok(Step::Go(Place::Question(index)));
            }
        }
    }

    /// Prepares another try at the same question without rendering it again, if its hint is still the current one.
    fn stays(&mut self, question: &Question, own_answer: bool) -> Result<bool, Problem> {
        if own_answer || !self.manner.announces() {
            return Ok(false);
        }
        // The rest of a rejected paste is no answer either.
        self.pass_over_typed_ahead()?;
        self.partial = self.beginning(question);
        self.voice.hint_again()?;
        Ok(true)
    }

    /// Records a reply: validated first, then saved, then announced.
    fn take(
        &mut self,
        index: usize,
        question: &Question,
        mut reply: Reply,
        said: Option<String>,
    ) -> Result<Option<Step>, Problem> {
        if let Some(said) = said {
            self.voice.say(&said)?;
        }
        if self.guards && one_line_text(question, &mut reply).is_some() {
            match self.with_pasted(index, question, reply)? {
                Pasted::Reply(whole) => reply = whole,
                Pasted::Step(step) => return Ok(Some(step)),
            }
        }
        self.record(index, question, reply)
    }

    /// Validates a whole reply and saves it. Returns `None` if it is invalid; the problems are printed.
    pub(crate) fn record(
        &mut self,
        index: usize,
        question: &Question,
        mut reply: Reply,
    ) -> Result<Option<Step>, Problem> {
        self.unsaved = None;
        // The note stays with its question, whatever the answer becomes.
        reply.note = self.sheet.reply(&question.id).note.clone();
        let problems = self.sheet.judge(index, &reply);
        for problem in &problems {
            self.voice.say_problem(problem)?;
        }
        if !problems.is_empty() {
            if has_text(&reply) {
                let kept = self.without_excess(index, reply);
                self.keep(&question.id, kept)?;
            }
            return Ok(None);
        }
        self.settle_on(index, question, &reply).map(Some)
    }

    /// Returns the part of an invalid reply to keep. If its free text is one pick too many, these are the previous
    /// picks with the text as an aside.
    fn without_excess(&self, index: usize, reply: Reply) -> Reply {
        let before = self.sheet.reply_at(index);
        let Some(Answer::Picks(picks)) = reply.answer() else { return reply };
        let own = picks.iter().find_map(|pick| match pick {
            Pick::Other(text) => Some(text.clone()),
            Pick::Option(_) => None,
        });
        let is_excess = reply.answer().and_then(|answer| self.sheet.bound(index, answer, true)).is_some();
        if !is_excess || has_text(before) {
            return reply;
        }
        Reply { said: before.said.clone(), note: reply.note, ..Reply::default() }.with_aside(own)
    }

    /// Saves a valid reply, and returns the next step.
    pub(crate) fn settle_on(
        &mut self,
        index: usize,
        question: &Question,
        reply: &Reply,
    ) -> Result<Step, Problem> {
        if !self.keep(&question.id, reply.clone())? {
            return Ok(Step::Go(Place::Question(index)));
        }
        if reply.is_unanswered() {
            self.tell_effect()?;
            return Ok(Step::Go(Place::Question(index)));
        }
        if self.manner.announces() {
            self.voice.tell(&recap::recorded(
                question,
                reply,
                &self.sheet.questionnaire().rules,
                self.lang,
            ))?;
        }
        let effect = self.tell_effect()?;
        self.after(index, &effect)
    }

    /// Returns the next step after a recorded reply.
    fn after(&mut self, index: usize, effect: &Effect) -> Result<Step, Problem> {
        if self.sheet.questionnaire().is_one_answer() {
            return self.send();
        }
        // A change made in the review leads back there, through the questions that it activated.
        if self.from_review {
            self.brought_up.extend(&effect.appeared);
            self.brought_up.remove(&index);
            let next = self.brought_up.iter().copied().find(|place| self.sheet.is_open(*place));
            return Ok(Step::Go(next.map_or(Place::Review, Place::Question)));
        }
        let next = if self.quiet { self.next_asked(index) } else { self.sheet.next_open_after(index) };
        if let Some(next) = next {
            return Ok(Step::Go(Place::Question(next)));
        }
        if self.manner.reviews() {
            return Ok(Step::Go(Place::Review));
        }
        self.send()
    }

    /// Discards lines that were typed before the question was shown.
    pub(crate) fn pass_over_typed_ahead(&mut self) -> Result<(), Problem> {
        if !self.guards {
            return Ok(());
        }
        let count = self.input.waiting()?;
        for _ in 0..count {
            let _ = self.input.take_line();
        }
        if count == 0 {
            return Ok(());
        }
        self.heard_line();
        let said = recap::counted(Message::TypedAheadOne, Message::TypedAhead, count, self.lang);
        self.voice.say(&said)
    }

    /// Asks whether the rest of a multi-line paste belongs to a one-line answer. If the person does something else
    /// instead, the draft keeps all of it.
    fn with_pasted(&mut self, index: usize, question: &Question, reply: Reply) -> Result<Pasted, Problem> {
        let mut rest = Vec::new();
        loop {
            self.take_waiting(&mut rest)?;
            if rest.is_empty() {
                return Ok(Pasted::Reply(reply));
            }
            let asked = recap::counted(Message::PastedOne, Message::PastedMany, rest.len(), self.lang);
            self.voice.prompt(&asked)?;
            let step = match self.listen()? {
                Word::Line(line) if typed::yes_or_no(&line) == Some(true) => {
                    return Ok(Pasted::Reply(joined(question, reply, &rest)));
                }
                Word::Line(line) if typed::yes_or_no(&line) == Some(false) => {
                    self.voice.say(&Message::PastedDropped.say(self.lang, [rest.len()]))?;
                    return Ok(Pasted::Reply(reply));
                }
                // Most likely more of the same paste.
                Word::Line(line) => {
                    rest.push(typed::unslashed(&line).to_owned());
                    continue;
                }
                Word::Order(Order::Help) => {
                    self.say_help()?;
                    continue;
                }
                Word::Order(order) => {
                    self.keep(&question.id, joined(question, reply, &rest))?;
                    self.obey(order, Some(index))?.unwrap_or(Step::Go(Place::Question(index)))
                }
                Word::Anew(place) => {
                    self.keep(&question.id, joined(question, reply, &rest))?;
                    Step::Go(place)
                }
                Word::End(ended) => {
                    self.keep(&question.id, joined(question, reply, &rest))?;
                    Step::End(ended)
                }
            };
            return Ok(Pasted::Step(step));
        }
    }

    fn take_waiting(&mut self, rest: &mut Vec<String>) -> Result<(), Problem> {
        for _ in 0..self.input.waiting()? {
            match self.input.take_line() {
                Some(Happening::Line(line)) => {
                    let (line, _) = typed::clean(&line);
                    rest.push(typed::unslashed(&line).to_owned());
                }
                Some(Happening::TooLong) => self.say_too_long()?,
                Some(_) => self.voice.say_message(Message::LineNotText)?,
                None => break,
            }
        }
        Ok(())
    }
}

/// Returns the reply with these lines appended to its text.
fn joined(question: &Question, mut reply: Reply, rest: &[String]) -> Reply {
    if let Some(text) = one_line_text(question, &mut reply) {
        for line in rest {
            text.push('\n');
            text.push_str(line);
        }
    }
    reply
}

/// Returns the one-line text of a reply: a short text or free text of a choice.
fn one_line_text<'r>(question: &Question, reply: &'r mut Reply) -> Option<&'r mut String> {
    let Said::Answer(answer) = &mut reply.said else { return None };
    match (&question.kind, answer) {
        (Kind::Text(entry), Answer::Text(text)) => (!entry.long).then_some(text),
        (Kind::Choice(_), Answer::Picks(picks)) => picks.iter_mut().find_map(|pick| match pick {
            Pick::Other(text) => Some(text),
            Pick::Option(_) => None,
        }),
        _ => None,
    }
}

fn has_text(reply: &Reply) -> bool {
    match reply.answer() {
        Some(Answer::Text(text)) => !text.trim().is_empty(),
        Some(Answer::Picks(picks)) => picks.iter().any(|pick| matches!(pick, Pick::Other(_))),
        _ => false,
    }
}
