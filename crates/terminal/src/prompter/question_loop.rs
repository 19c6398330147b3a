//! Loop of one question: render, read, record, and choose the next step.

use crate::describe;
use crate::prompter::commands::SlashCommand;
use crate::prompter::input::LineEvent;
use crate::prompter::prompt_style::{ParsedLine, PartialAnswer};
use crate::prompter::session::{NextStep, PromptPlace, PromptSession, UserInput};
use crate::prompter::{commands, input_loop, line_input};
use sayso_core::sheet::VisibilityChange;
use sayso_core::{Answer, LineFormat, Message, Pick, Problem, Question, QuestionInput, Reply, ReplyContent};
use std::time::Duration;

/// Line that pasted lines follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PastedRest {
    /// A one-line answer, which is valid without them.
    OfAnswer,
    /// A line at a choice: all of the lines are one free text, or none.
    OfChoice,
}

/// Result of lines that were pasted after a one-line answer.
enum PasteDecision {
    /// The lines were joined to the reply, or dropped.
    Reply(Reply),
    /// The person did something else.
    Step(NextStep),
}

impl PromptSession<'_> {
    /// Asks a question until the next step. The draft has all lines of a long text by then.
    pub(crate) fn ask_question(&mut self, index: usize) -> Result<NextStep, Problem> {
        let Some(question) = self.question(index) else { return Ok(NextStep::Go(PromptPlace::Review)) };
        self.discard_typed_ahead()?;
        self.partial = self.initial_answer(&question);
        self.current = Some(index);
        self.current_changed_elsewhere = false;
        let page = self.style.render(&self.prompt_context(), index);
        self.output.print_prompt(&page)?;
        let step = self.read_reply(index, &question);
        // The lines are saved after a failure too, which is the one to report.
        let save = self.save_lines();
        self.current = None;
        self.partial = PartialAnswer::Nothing;
        let step = step?;
        save?;
        Ok(step)
    }

    fn read_reply(&mut self, index: usize, question: &Question) -> Result<NextStep, Problem> {
        loop {
            let line = match input_loop::next_input(self)? {
                UserInput::End(end) => return Ok(NextStep::End(end)),
                UserInput::Changed(place) => return Ok(NextStep::Go(place)),
                UserInput::Command(command) => match commands::run_command(self, command, Some(index))? {
                    Some(step) => return Ok(step),
                    None => {
                        self.output.reprint_hint()?;
                        continue;
                    }
                },
                UserInput::Line(line) => line,
            };
            let partial = std::mem::take(&mut self.partial);
            // Enter completed a line whose beginning was discarded.
            if std::mem::take(&mut self.typed_ahead_discarded) && line.trim().is_empty() {
                return Ok(NextStep::Go(PromptPlace::Question(index)));
            }
            if self.is_pasted_at_choice(question, &partial)? {
                if let Some(step) = self.accept_pasted_choice(index, question, &line)? {
                    return Ok(step);
                }
                return Ok(NextStep::Go(PromptPlace::Question(index)));
            }
            let own_answer = matches!(partial, PartialAnswer::OtherText { .. });
            match self.style.read_line(question, &self.sheet.questionnaire().rules, partial, &line) {
                // The error is printed right above the next try; an empty line shows the question again.
                ParsedLine::Invalid { notice } if notice.is_empty() => {
                    return Ok(NextStep::Go(PromptPlace::Question(index)));
                }
                ParsedLine::Invalid { notice } => self.output.print(&notice)?,
                ParsedLine::More { partial, prompt } => {
                    if matches!(partial, PartialAnswer::Lines(_)) {
                        self.unsaved = Some(question.id.clone());
                    }
                    self.partial = partial;
                    self.output.print_prompt(&prompt)?;
                    continue;
                }
                ParsedLine::Reply { reply, notice } => {
                    if let Some(step) = self.accept_reply(index, question, reply, notice)? {
                        return Ok(step);
                    }
                }
            }
            if !self.retry_question(question, own_answer)? {
                return Ok(NextStep::Go(PromptPlace::Question(index)));
            }
        }
    }

    /// Prepares another try at the same question without rendering it again, if its hint is still the current one.
    fn retry_question(&mut self, question: &Question, own_answer: bool) -> Result<bool, Problem> {
        if own_answer || !self.style.announces_replies() {
            return Ok(false);
        }
        // The rest of a rejected paste is no answer either.
        self.discard_typed_ahead()?;
        self.partial = self.initial_answer(question);
        self.output.reprint_hint()?;
        Ok(true)
    }

    /// Records a reply: validated first, then saved, then announced.
    fn accept_reply(
        &mut self,
        index: usize,
        question: &Question,
        mut reply: Reply,
        notice: Option<String>,
    ) -> Result<Option<NextStep>, Problem> {
        if let Some(notice) = notice {
            self.output.print(&notice)?;
        }
        if self.guards && one_line_text(question, &mut reply).is_some() {
            match self.resolve_paste(index, question, reply, PastedRest::OfAnswer)? {
                PasteDecision::Reply(whole) => reply = whole,
                PasteDecision::Step(step) => return Ok(Some(step)),
            }
        }
        self.validate_and_save(index, question, reply)
    }

    /// Returns true if several lines arrived together at a choice with free text, in a style in which every line is an
    /// answer: a paste is one entry.
    fn is_pasted_at_choice(&mut self, question: &Question, partial: &PartialAnswer) -> Result<bool, Problem> {
        let takes_text = question.choice().is_some_and(|choice| choice.other);
        Ok(self.guards
            && self.style.has_strict_commands()
            && takes_text
            && *partial == PartialAnswer::Nothing
            && self.input.buffered_lines()? > 0)
    }

    /// Asks whether pasted lines are the person's own answer to a choice.
    fn accept_pasted_choice(
        &mut self,
        index: usize,
        question: &Question,
        first: &str,
    ) -> Result<Option<NextStep>, Problem> {
        let reply = Reply::from_picks([Pick::Other(line_input::unescape_slash(first).to_owned())]);
        match self.resolve_paste(index, question, reply, PastedRest::OfChoice)? {
            PasteDecision::Reply(whole) => self.validate_and_save(index, question, whole),
            PasteDecision::Step(step) => Ok(Some(step)),
        }
    }

    /// Validates a whole reply and saves it. Returns `None` if it is invalid; the problems are printed.
    pub(crate) fn validate_and_save(
        &mut self,
        index: usize,
        question: &Question,
        mut reply: Reply,
    ) -> Result<Option<NextStep>, Problem> {
        self.unsaved = None;
        // The note stays with its question, whatever the answer becomes.
        reply.note = self.sheet.reply(&question.id).note.clone();
        let problems = self.sheet.validate_reply(index, &reply);
        for problem in &problems {
            self.output.print_problem(problem)?;
        }
        if !problems.is_empty() {
            if has_text(&reply) {
                let draft_reply = self.drop_excess_pick(index, reply);
                self.save_reply(&question.id, draft_reply)?;
            }
            return Ok(None);
        }
        self.save_and_advance(index, question, &reply).map(Some)
    }

    /// Returns the part of an invalid reply to keep. If its free text is one pick too many, these are the previous
    /// picks with the text as an aside.
    fn drop_excess_pick(&self, index: usize, reply: Reply) -> Reply {
        let earlier_reply = self.sheet.reply_at(index);
        let Some(answer @ Answer::Picks(picks)) = reply.answer() else { return reply };
        if self.sheet.bound_hit(index, answer, true).is_none() || has_text(earlier_reply) {
            return reply;
        }
        let own_text = picks.iter().find_map(Pick::other_text).map(str::to_owned);
        let content = earlier_reply.content.clone();
        Reply { content, note: reply.note, ..Reply::default() }.with_unused_other(own_text)
    }

    /// Saves a valid reply, and returns the next step.
    pub(crate) fn save_and_advance(
        &mut self,
        index: usize,
        question: &Question,
        reply: &Reply,
    ) -> Result<NextStep, Problem> {
        if !self.save_reply(&question.id, reply.clone())? {
            return Ok(NextStep::Go(PromptPlace::Question(index)));
        }
        if reply.is_unanswered() {
            self.announce_effect()?;
            return Ok(NextStep::Go(PromptPlace::Question(index)));
        }
        if self.style.announces_replies() {
            let questionnaire = self.sheet.questionnaire();
            let notice = describe::recorded_notice(questionnaire, question, reply, self.lang);
            self.output.print_notice(&notice)?;
        }
        let effect = self.announce_effect()?;
        self.next_step(index, &effect)
    }

    /// Returns whether a lone question is reviewed too. A note on the whole form is shown only there.
    pub(crate) fn reviews_lone_question(&self) -> bool {
        self.style.has_review() && (self.always_reviews || self.sheet.note().is_some())
    }

    /// Returns the next step after a recorded reply.
    fn next_step(&mut self, index: usize, effect: &VisibilityChange) -> Result<NextStep, Problem> {
        if self.sheet.questionnaire().has_single_answer() && !self.reviews_lone_question() {
            return self.submit();
        }
        // A change made in the review leads back there, through the questions that it activated.
        if self.from_review {
            self.activated.extend(&effect.appeared);
            self.activated.remove(&index);
            return Ok(NextStep::Go(self.next_from_review()));
        }
        let next = if self.quiet {
            commands::next_active(self, index)
        } else {
            self.sheet.next_needing_attention_after(index)
        };
        if let Some(next) = next {
            return Ok(NextStep::Go(PromptPlace::Question(next)));
        }
        if self.style.has_review() {
            return Ok(NextStep::Go(PromptPlace::Review));
        }
        self.submit()
    }

    /// Discards lines that were typed before the question was shown.
    pub(crate) fn discard_typed_ahead(&mut self) -> Result<(), Problem> {
        if !self.guards {
            return Ok(());
        }
        // There an empty line is an answer, so that the rest of a paste must not wait for Enter.
        let is_midline = self.style.has_strict_commands() && self.input.gather(Duration::ZERO)?;
        let count = self.input.buffered_lines()?;
        for _ in 0..count {
            // No line of them answers anything; the message below gives their number.
            let _ = self.input.take_line();
        }
        if count == 0 {
            return Ok(());
        }
        self.typed_ahead_discarded = self.style.has_strict_commands();
        self.record_line();
        self.output.set_midline(is_midline);
        let notice = describe::count_message(Message::TypedAheadOne, Message::TypedAhead, count, self.lang);
        self.output.print(&notice)
    }

    /// Asks whether the rest of a multi-line paste belongs to a one-line answer. If the person does something else
    /// instead, the draft keeps all of it.
    fn resolve_paste(
        &mut self,
        index: usize,
        question: &Question,
        reply: Reply,
        kind: PastedRest,
    ) -> Result<PasteDecision, Problem> {
        let mut rest = Vec::new();
        loop {
            self.take_buffered_lines(&mut rest)?;
            if rest.is_empty() {
                return Ok(PasteDecision::Reply(reply));
            }
            let prompt = match kind {
                PastedRest::OfAnswer => {
                    describe::count_message(Message::PastedOne, Message::PastedMany, rest.len(), self.lang)
                }
                PastedRest::OfChoice => Message::PastedAtChoice.render_with(self.lang, [rest.len() + 1]),
            };
            self.output.print_prompt(&prompt)?;
            let step = match input_loop::next_input(self)? {
                UserInput::Line(line) if line_input::parse_yes_no(&line) == Some(true) => {
                    return Ok(PasteDecision::Reply(join_lines(question, reply, &rest)));
                }
                UserInput::Line(line)
                    if line_input::parse_yes_no(&line) == Some(false) && kind == PastedRest::OfChoice =>
                {
                    self.output.print(&Message::PastedDropped.render_with(self.lang, [rest.len() + 1]))?;
                    NextStep::Go(PromptPlace::Question(index))
                }
                UserInput::Line(line) if line_input::parse_yes_no(&line) == Some(false) => {
                    self.output.print(&Message::PastedDropped.render_with(self.lang, [rest.len()]))?;
                    return Ok(PasteDecision::Reply(reply));
                }
                // Most likely more of the same paste.
                UserInput::Line(line) => {
                    rest.push(line_input::unescape_slash(&line).to_owned());
                    continue;
                }
                UserInput::Command(SlashCommand::Help) => {
                    commands::print_help(self)?;
                    continue;
                }
                UserInput::Command(command) => {
                    self.save_reply(&question.id, join_lines(question, reply, &rest))?;
                    let step = commands::run_command(self, command, Some(index))?;
                    step.unwrap_or(NextStep::Go(PromptPlace::Question(index)))
                }
                UserInput::Changed(place) => {
                    self.save_reply(&question.id, join_lines(question, reply, &rest))?;
                    NextStep::Go(place)
                }
                UserInput::End(end) => {
                    self.save_reply(&question.id, join_lines(question, reply, &rest))?;
                    NextStep::End(end)
                }
            };
            return Ok(PasteDecision::Step(step));
        }
    }

    fn take_buffered_lines(&mut self, rest: &mut Vec<String>) -> Result<(), Problem> {
        for _ in 0..self.input.buffered_lines()? {
            match self.input.take_line() {
                Some(LineEvent::Line(line)) => {
                    let (line, _) = line_input::strip_controls(&line);
                    rest.push(line_input::unescape_slash(&line).to_owned());
                }
                Some(LineEvent::TooLong) => input_loop::print_too_long(self)?,
                Some(_) => self.output.print_message(Message::LineNotText)?,
                None => break,
            }
        }
        Ok(())
    }
}

/// Returns the reply with these lines appended to its text.
fn join_lines(question: &Question, mut reply: Reply, rest: &[String]) -> Reply {
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
    let ReplyContent::Answered(answer) = &mut reply.content else { return None };
    match (question.input(), answer) {
        (QuestionInput::Line(LineFormat::Text { long: false }), Answer::Text(text)) => Some(text),
        (QuestionInput::Options(_), Answer::Picks(picks)) => picks.iter_mut().find_map(|pick| match pick {
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
