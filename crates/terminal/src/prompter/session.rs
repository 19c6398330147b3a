//! One run of the prompter: its state, its steps and the wait for input.

use crate::describe;
use crate::draft_sync::DraftSync;
use crate::presence::WaiterPresence;
use crate::prompter::commands::SlashCommand;
use crate::prompter::ending::Decision;
use crate::prompter::input::InputLines;
use crate::prompter::input_loop::OtherAsks;
use crate::prompter::output::PromptOutput;
use crate::prompter::prompt_style::{PartialAnswer, PromptContext, PromptStyle};
use crate::prompter::{LinePrompter, answers, review};
use crate::surface::{ClarifyFn, EditorFn, NotesCheck, ProcessCheck, PromptOutcome};
use jiff::Timestamp;
use sayso_core::sheet::VisibilityChange;
use sayso_core::{
    Actor, Answer, Ask, AskCommand, AskId, Digest, Lang, Message, Person, Problem, Question, QuestionId,
    Replies, Sheet,
};
use sayso_desk::{Desk, DraftRev, Interest, Watch};
use std::collections::BTreeSet;
use std::time::Duration;

/// Position of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptPlace {
    Question(usize),
    Review,
}

/// End of a run; the session has the ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunEnd {
    Settled,
    SettledElsewhere,
    Left,
    Interrupted,
    InputEnded,
}

/// Next step.
#[derive(Debug)]
pub(crate) enum NextStep {
    Go(PromptPlace),
    End(RunEnd),
}

/// Input of a person, or its end.
#[derive(Debug)]
pub(crate) enum UserInput {
    Line(String),
    Command(SlashCommand),
    /// The current question changed elsewhere: it must be shown again, or the question that it depends on.
    Changed(PromptPlace),
    End(RunEnd),
}

/// State of one run.
pub(crate) struct PromptSession<'a> {
    pub(crate) desk: &'a dyn Desk,
    pub(crate) person: Person,
    pub(crate) style: &'a dyn PromptStyle,
    pub(crate) lang: Lang,
    clock: &'a dyn Fn() -> Timestamp,
    pub(crate) output: PromptOutput<'a>,
    pub(crate) input: &'a mut InputLines,
    pub(crate) guards: bool,
    pub(crate) editor: Option<&'a EditorFn>,
    pub(crate) clarify: ClarifyFn,
    pub(crate) carries_notes: NotesCheck,
    pub(crate) is_running: ProcessCheck,
    /// Presence of the asker before the last submission.
    pub(crate) presence: Option<WaiterPresence>,
    pub(crate) quiet: bool,
    pub(crate) always_reviews: bool,
    pub(crate) watch: Box<dyn Watch>,
    pub(crate) others: Option<&'a mut dyn OtherAsks>,
    /// True if the desk changed since the last news of other asks.
    pub(crate) has_other_news: bool,
    pub(crate) ask: Ask,
    /// Digest of the shown questionnaire, so that no other can be answered.
    pub(crate) shown_digest: Digest,
    pub(crate) sheet: Sheet,
    /// Draft revision of the sheet.
    pub(crate) rev: DraftRev,
    pub(crate) draft_sync: DraftSync,
    /// Index of the current question.
    pub(crate) current: Option<usize>,
    /// True if another surface changed the current question's reply.
    pub(crate) current_changed_elsewhere: bool,
    /// Changes since the last announcement.
    pub(crate) effect: VisibilityChange,
    /// Unfinished answer to the current question.
    pub(crate) partial: PartialAnswer,
    /// Question with unsaved lines of a long text.
    pub(crate) unsaved: Option<QuestionId>,
    /// Replies that the desk could not store.
    pub(crate) unstored: Replies,
    /// Reason of a decline that failed.
    pub(crate) reason: Option<String>,
    /// True if the question was opened from the review, so that its answer leads back there.
    pub(crate) from_review: bool,
    /// Questions that changes made in the review have activated.
    pub(crate) activated: BTreeSet<usize>,
    any_line: bool,
    /// True if more input arrived with the last line: the next line belongs to the same paste.
    pub(crate) paste_continues: bool,
    /// True if input before the next line was discarded.
    pub(crate) typed_ahead_discarded: bool,
    /// True once the desk knows that a person sees the ask. A pipe without any line counts as no one.
    is_seen: bool,
}

impl<'a> PromptSession<'a> {
    /// Creates a session. Subscribes before it reads, so that no change is missed.
    pub(crate) fn open(prompter: LinePrompter<'a>, id: AskId) -> Result<Self, Problem> {
        let LinePrompter {
            desk,
            person,
            style,
            lang,
            clock,
            out,
            input,
            guards,
            editor,
            clarify,
            carries_notes,
            is_running,
            quiet,
            always_reviews,
            logs_questions,
        } = prompter;
        let watch = desk.watch(Interest::Ask(id), None)?;
        let ask = desk.get(id)?.localized(lang);
        let draft = desk.draft(id)?;
        // A script answers for itself, and a person for themselves: neither sends what the other drafted.
        let rev = draft.rev;
        let replies = if quiet {
            Replies::new()
        } else {
            answers::shared_replies(draft, &ask.request.questionnaire, style)
        };
        let draft_sync = DraftSync::new(replies.clone());
        let sheet = Sheet::new(ask.request.questionnaire.clone(), replies);
        // A person must see the asker's defaults first.
        let sheet = if quiet { sheet } else { sheet.with_prefill() };
        Ok(Self {
            desk,
            person,
            style,
            lang,
            clock,
            output: PromptOutput::new(out, lang, quiet, logs_questions),
            input,
            guards,
            editor,
            clarify,
            carries_notes,
            is_running,
            presence: None,
            quiet,
            always_reviews,
            watch,
            others: None,
            has_other_news: false,
            shown_digest: ask.request.digest,
            ask,
            sheet,
            rev,
            draft_sync,
            current: None,
            current_changed_elsewhere: false,
            effect: VisibilityChange::default(),
            partial: PartialAnswer::Nothing,
            unsaved: None,
            unstored: Replies::new(),
            reason: None,
            from_review: false,
            activated: BTreeSet::new(),
            any_line: false,
            paste_continues: false,
            typed_ahead_discarded: false,
            is_seen: quiet,
        })
    }

    pub(crate) fn run(mut self) -> Result<PromptOutcome, Problem> {
        let end = self.run_steps();
        self.finish(end)
    }

    /// Sends a yes or a no that the person typed after the ask was read to them, and asks on if it can't be sent.
    pub(crate) fn run_decision(mut self, decision: Decision) -> Result<PromptOutcome, Problem> {
        let end = self.decide(decision).and_then(|step| self.run_from(step));
        self.finish(end)
    }

    /// Saves what is left after the last step, and returns how the run ended.
    fn finish(mut self, end: Result<RunEnd, Problem>) -> Result<PromptOutcome, Problem> {
        let line_end = self.output.end_line();
        if end.is_err() {
            // After any failure: retry unsaved replies, and print what is lost. The first failure is the one to report;
            // these calls may well fail for the same cause.
            let _ = self.save_lines();
            let _ = self.save_remaining();
            let _ = self.print_lost_reason();
        }
        let end = end?;
        line_end?;
        if end != RunEnd::Settled {
            let save = self.save_remaining();
            self.print_lost_reason()?;
            save?;
        }
        Ok(match end {
            RunEnd::Settled => PromptOutcome::Settled {
                is_awaited: WaiterPresence::was_awaited(self.presence, &self.ask),
                ask: self.ask,
            },
            RunEnd::SettledElsewhere => PromptOutcome::SettledElsewhere(self.ask),
            RunEnd::Left => PromptOutcome::Left,
            RunEnd::Interrupted => PromptOutcome::Interrupted,
            RunEnd::InputEnded => PromptOutcome::InputEnded { any_line: self.any_line },
        })
    }

    fn run_steps(&mut self) -> Result<RunEnd, Problem> {
        if let Some(end) = self.settled_elsewhere()? {
            return Ok(end);
        }
        let first = self.first_place()?;
        self.run_from(NextStep::Go(first))
    }

    fn run_from(&mut self, mut step: NextStep) -> Result<RunEnd, Problem> {
        loop {
            step = match step {
                NextStep::Go(PromptPlace::Question(index)) => self.ask_question(index)?,
                NextStep::Go(PromptPlace::Review) => review::run_review(self)?,
                NextStep::End(end) => return Ok(end),
            }
        }
    }

    /// Prints the asker and the draft's progress, and returns the first place.
    pub(crate) fn first_place(&mut self) -> Result<PromptPlace, Problem> {
        if self.quiet {
            return Ok(match self.sheet.asked_questions().next() {
                Some((first, _)) => PromptPlace::Question(first),
                None => PromptPlace::Review,
            });
        }
        self.update_width();
        let intro = self.style.intro(&self.prompt_context());
        if !intro.is_empty() {
            self.output.queue(intro.trim_end_matches('\n'));
        }
        let requested_change = describe::first_requested_change(&self.ask, &self.sheet);
        let place = requested_change.or(self.sheet.next_needing_attention());
        if self.sheet.given_count() > 0 {
            let answered_count = self.sheet.answered_count();
            let total = self.sheet.progress().total;
            let notice = match place {
                Some(index) => {
                    let number = self.sheet.number_of(index);
                    Message::DraftFound.render_with(self.lang, [answered_count, total, number])
                }
                None => Message::DraftComplete.render_with(self.lang, [answered_count, total]),
            };
            self.output.queue(&notice);
        }
        Ok(place.map_or(PromptPlace::Review, PromptPlace::Question))
    }

    pub(crate) fn prompt_context(&self) -> PromptContext<'_> {
        let age = (self.clock)().duration_since(self.ask.request.created_at);
        let age = Duration::try_from(age).unwrap_or_default();
        PromptContext { ask: &self.ask, sheet: &self.sheet, age, columns: self.input.columns() }
    }

    pub(crate) fn question(&self, index: usize) -> Option<Question> {
        self.sheet.questions().get(index).cloned()
    }

    /// Returns a question with its index; `None` at the review.
    pub(crate) fn question_at(&self, at: Option<usize>) -> Option<(usize, Question)> {
        let index = at?;
        Some((index, self.question(index)?))
    }

    /// Prints a message, after which the person stays where they are.
    pub(crate) fn explain(&mut self, message: Message) -> Result<Option<NextStep>, Problem> {
        self.output.print_message(message)?;
        Ok(None)
    }

    /// Tells the desk that a person sees the ask, once it is on the screen.
    pub(crate) fn mark_seen(&mut self) -> Result<(), Problem> {
        if !std::mem::replace(&mut self.is_seen, true) {
            self.desk.act(&Actor::Person(self.person.clone()), self.ask.id, None, AskCommand::MarkSeen)?;
        }
        Ok(())
    }

    /// Updates the screen width. A style with strict commands wraps its own lines.
    pub(crate) fn update_width(&mut self) {
        self.output.columns = if self.style.has_strict_commands() { None } else { self.input.columns() };
    }

    pub(crate) fn record_line(&mut self) {
        self.any_line = true;
        self.output.record_line();
    }

    /// Returns the maximum wait: until the ask's deadline.
    pub(crate) fn wait_limit(&self) -> Duration {
        if let Some(deadline) = self.ask.due_at()
            && let Ok(rest) = Duration::try_from(deadline.duration_since((self.clock)()))
            && !rest.is_zero()
        {
            return rest;
        }
        // Past the deadline the desk's own clock decides; poll it at its pace.
        self.watch.poll_interval()
    }

    /// Lets the desk end the ask if its deadline has passed. Returns the end of the run if it has ended.
    pub(crate) fn run_due(&mut self) -> Result<Option<RunEnd>, Problem> {
        if !self.ask.is_due((self.clock)()) {
            return Ok(None);
        }
        self.ask = self.desk.act(&Actor::Desk, self.ask.id, None, AskCommand::Tick)?.localized(self.lang);
        self.settled_elsewhere()
    }

    /// Reads the ask and its draft again. Returns the end of the run if the ask has ended elsewhere.
    pub(crate) fn refresh(&mut self) -> Result<Option<RunEnd>, Problem> {
        self.ask = self.desk.get(self.ask.id)?.localized(self.lang);
        if let Some(end) = self.settled_elsewhere()? {
            return Ok(Some(end));
        }
        self.merge_draft()?;
        Ok(None)
    }

    /// Returns the place to continue at, after the current question changed or became inactive.
    pub(crate) fn changed_place(&mut self) -> Option<PromptPlace> {
        let index = self.current?;
        if self.sheet.is_asked(index) {
            // One line replaces the old reply; a long text continues after its last line.
            let has_changed = std::mem::take(&mut self.current_changed_elsewhere);
            let needs_prompt = has_changed && matches!(self.partial, PartialAnswer::Lines(_));
            return if needs_prompt { Some(PromptPlace::Question(index)) } else { None };
        }
        let next = self.sheet.place_near_hidden(index);
        Some(next.map_or(PromptPlace::Review, PromptPlace::Question))
    }

    /// Prints how the ask ended, if it did.
    pub(crate) fn settled_elsewhere(&mut self) -> Result<Option<RunEnd>, Problem> {
        let Some(notice) = describe::end_elsewhere(&self.ask, self.lang) else { return Ok(None) };
        self.save_lines()?;
        self.discard_unread();
        self.output.print(&notice)?;
        if self.sheet.has_input() || self.sheet.hidden_answered().next().is_some() {
            self.output.print_message(Message::TextKept)?;
        }
        Ok(Some(RunEnd::SettledElsewhere))
    }

    /// Discards what was typed for this question, so that it does not reach the next reader. Call it before the person
    /// sees that the ask has ended: what they type from then on is for that reader.
    pub(crate) fn discard_unread(&self) {
        if self.guards {
            self.input.discard_pending();
        }
    }

    /// Returns the initial unfinished answer: a long text continues after its last line.
    pub(crate) fn initial_answer(&self, question: &Question) -> PartialAnswer {
        if !question.is_long_text() {
            return PartialAnswer::Nothing;
        }
        match self.sheet.reply(&question.id).answer() {
            Some(Answer::Text(text)) if !self.quiet => {
                PartialAnswer::Lines(text.split('\n').map(str::to_owned).collect())
            }
            _ => PartialAnswer::Lines(Vec::new()),
        }
    }
}
