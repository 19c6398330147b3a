//! One run of the prompter: its state, its steps and the wait for input.

use crate::at_desk::AtDesk;
use crate::awaited::Awaited;
use crate::commands::Order;
use crate::input::Lines;
use crate::manner::{Manner, Partial, Scene};
use crate::prompter::{Editor, Ended, Prompter, Runs};
use crate::recap;
use crate::voice::Voice;
use crate::wish::Wishing;
use jiff::Timestamp;
use sayso_core::sheet::Effect;
use sayso_core::{
    Answer, Ask, AskId, Command, Digest, Kind, Lang, Message, Person, Problem, Question, QuestionId, Replies,
    Sheet, Who,
};
use sayso_desk::{Desk, DraftRev, Interest, Watch};
use std::collections::BTreeSet;
use std::time::Duration;

/// Position of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Question(usize),
    Review,
}

/// End of a run; the session has the ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Settled,
    Elsewhere,
    Left,
    Interrupted,
    InputEnded,
}

/// Next step.
#[derive(Debug)]
pub(crate) enum Step {
    Go(Place),
    End(End),
}

/// Input of a person, or its end.
#[derive(Debug)]
pub(crate) enum Word {
    Line(String),
    Order(Order),
    /// The current question changed elsewhere: it must be shown again, or the question that it depends on.
    Anew(Place),
    End(End),
}

/// State of one run.
pub(crate) struct Session<'a> {
    pub(crate) desk: &'a dyn Desk,
    pub(crate) person: Person,
    pub(crate) manner: &'a dyn Manner,
    pub(crate) lang: Lang,
    clock: &'a dyn Fn() -> Timestamp,
    pub(crate) voice: Voice<'a>,
    pub(crate) input: &'a mut Lines,
    pub(crate) guards: bool,
    pub(crate) editor: Option<&'a Editor>,
    pub(crate) wishing: Wishing,
    pub(crate) runs: Runs,
    /// Presence of the asker before the last submission.
    pub(crate) awaited: Option<Awaited>,
    pub(crate) quiet: bool,
    pub(crate) watch: Box<dyn Watch>,
    pub(crate) ask: Ask,
    /// Digest of the shown questionnaire, so that no other can be answered.
    pub(crate) shown: Digest,
    pub(crate) sheet: Sheet,
    /// Draft revision of the sheet.
    pub(crate) rev: DraftRev,
    pub(crate) at_desk: AtDesk,
    /// Index of the current question.
    pub(crate) asking: Option<usize>,
    /// True if another surface changed the current question's reply.
    pub(crate) changed_here: bool,
    /// Changes since the last announcement.
    pub(crate) effect: Effect,
    /// Unfinished answer to the current question.
    pub(crate) partial: Partial,
    /// Question with unsaved lines of a long text.
    pub(crate) unsaved: Option<QuestionId>,
    /// Replies that the desk could not store.
    pub(crate) unstored: Replies,
    /// Reason of a decline that failed.
    pub(crate) reason: Option<String>,
    /// True if the question was opened from the review, so that its answer leads back there.
    pub(crate) from_review: bool,
    /// Questions that changes made in the review have activated.
    pub(crate) brought_up: BTreeSet<usize>,
    any_line: bool,
    /// True if more input arrived with the last line: the next line belongs to the same paste.
    pub(crate) more_came: bool,
    /// True once the desk knows that a person sees the ask. A pipe without any line counts as no one.
    is_seen: bool,
}

impl<'a> Session<'a> {
    /// Creates a session. Subscribes before it reads, so that no change is missed.
    pub(crate) fn begin(prompter: Prompter<'a>, id: AskId) -> Result<Self, Problem> {
        let Prompter {
            desk,
            person,
            manner,
            lang,
            clock,
            out,
            input,
            guards,
            editor,
            wishing,
            runs,
            quiet,
            logs_questions,
        } = prompter;
        let watch = desk.watch(Interest::Ask(id), None)?;
        let ask = desk.get(id)?;
        let draft = desk.draft(id)?;
        // A script answers for itself, and a person for themselves: neither sends what the other drafted.
        let rev = draft.rev;
        let replies = if quiet { Replies::new() } else { draft.typed().collect() };
        let at_desk = AtDesk::of(replies.clone());
        let sheet = Sheet::new(ask.request.questionnaire.clone(), replies);
        // A person must see the asker's defaults first.
        let sheet = if quiet { sheet } else { sheet.prefilled() };
        Ok(Self {
            desk,
            person,
            manner,
            lang,
            clock,
            voice: Voice::new(out, lang, quiet, logs_questions),
            input,
            guards,
            editor,
            wishing,
            runs,
            awaited: None,
            quiet,
            watch,
            shown: ask.request.digest,
            ask,
            sheet,
            rev,
            at_desk,
            asking: None,
            changed_here: false,
            effect: Effect::default(),
            partial: Partial::Nothing,
            unsaved: None,
            unstored: Replies::new(),
            reason: None,
            from_review: false,
            brought_up: BTreeSet::new(),
            any_line: false,
            more_came: false,
            is_seen: quiet,
        })
    }

    pub(crate) fn run(mut self) -> Result<Ended, Problem> {
        let end = self.steps();
        let line_ended = self.voice.end_line();
        if end.is_err() {
            // After any failure: retry unsaved replies, and print what is lost.
            let _ = self.save_lines();
            let _ = self.store_the_rest();
            let _ = self.tell_reason();
        }
        let end = end?;
        line_ended?;
        if end == End::Elsewhere && !self.quiet {
            // Half a line typed for this question must not reach the shell afterwards.
            self.input.discard();
        }
        if end != End::Settled {
            let stored = self.store_the_rest();
            self.tell_reason()?;
            stored?;
        }
        Ok(match end {
            End::Settled => {
                Ended::Settled { is_awaited: Awaited::by_somebody(self.awaited, &self.ask), ask: self.ask }
            }
            End::Elsewhere => Ended::SettledElsewhere(self.ask),
            End::Left => Ended::Left,
            End::Interrupted => Ended::Interrupted,
            End::InputEnded => Ended::InputEnded { any_line: self.any_line },
        })
    }

    fn steps(&mut self) -> Result<End, Problem> {
        if let Some(ended) = self.settled_elsewhere()? {
            return Ok(ended);
        }
        let mut place = self.first_place()?;
        loop {
            let step = match place {
                Place::Question(index) => self.ask_question(index)?,
                Place::Review => self.review()?,
            };
            match step {
                Step::Go(next) => place = next,
                Step::End(ended) => return Ok(ended),
            }
        }
    }

    /// Prints the asker and the draft's progress, and returns the first place.
    fn first_place(&mut self) -> Result<Place, Problem> {
        if self.quiet {
            return Ok(self.sheet.asked().next().map_or(Place::Review, |(first, _)| Place::Question(first)));
        }
        self.measure();
        let intro = self.manner.intro(&self.scene());
        if !intro.is_empty() {
            self.voice.say_with_next(intro.trim_end_matches('\n'));
        }
        let progress = self.sheet.progress();
        let place = recap::to_mend(&self.ask, &self.sheet).or_else(|| self.sheet.next_open());
        let given = self.sheet.given();
        if given > 0 {
            let counts = [self.sheet.answered(), progress.total];
            self.voice.say_with_next(&match place {
                Some(index) => {
                    Message::DraftFound.say(self.lang, counts.into_iter().chain([self.sheet.number(index)]))
                }
                None => Message::DraftComplete.say(self.lang, counts),
            });
        }
        Ok(place.map_or(Place::Review, Place::Question))
    }

    pub(crate) fn scene(&self) -> Scene<'_> {
        let age = (self.clock)().duration_since(self.ask.request.created_at);
        let age = Duration::try_from(age).unwrap_or_default();
        Scene { ask: &self.ask, sheet: &self.sheet, age, columns: self.input.columns() }
    }

    pub(crate) fn question(&self, index: usize) -> Option<Question> {
        self.sheet.questions().get(index).cloned()
    }

    /// Returns the question at an index, with the index.
    pub(crate) fn question_at(&self, at: Option<usize>) -> Option<(usize, Question)> {
        at.and_then(|index| Some((index, self.question(index)?)))
    }

    /// Tells the desk that a person sees the ask, once it is on the screen.
    pub(crate) fn see(&mut self) -> Result<(), Problem> {
        if !std::mem::replace(&mut self.is_seen, true) {
            self.desk.act(&Who::Person(self.person.clone()), self.ask.id, None, Command::See)?;
        }
        Ok(())
    }

    /// Updates the screen width. A style with strict commands wraps its own lines.
    pub(crate) fn measure(&mut self) {
        self.voice.columns = if self.manner.strict_commands() { None } else { self.input.columns() };
    }

    pub(crate) fn heard_line(&mut self) {
        self.any_line = true;
        self.voice.heard();
    }

    /// Returns the maximum wait: until the ask's deadline.
    pub(crate) fn limit(&self) -> Duration {
        let left = self.ask.due_at().map(|due| due.duration_since((self.clock)()));
        // Past the deadline the desk's own clock decides; poll it at its pace.
        left.and_then(|left| Duration::try_from(left).ok())
            .filter(|left| !left.is_zero())
            .unwrap_or(self.watch.pace())
    }

    pub(crate) fn let_time_pass(&mut self) -> Result<Option<End>, Problem> {
        if !self.ask.is_due((self.clock)()) {
            return Ok(None);
        }
        self.ask = self.desk.act(&Who::Desk, self.ask.id, None, Command::Tick)?;
        self.settled_elsewhere()
    }

    /// Reads the ask and its draft again.
    pub(crate) fn refresh(&mut self) -> Result<Option<End>, Problem> {
        self.ask = self.desk.get(self.ask.id)?;
        if let Some(ended) = self.settled_elsewhere()? {
            return Ok(Some(ended));
        }
        self.merge_draft()?;
        Ok(None)
    }

    /// Returns the place to continue at, after the current question changed or became inactive.
    pub(crate) fn anew(&mut self) -> Option<Place> {
        let at = self.asking?;
        if self.sheet.is_asked(at) {
            // One line replaces the old reply; a long text continues after its last line.
            let changed = std::mem::take(&mut self.changed_here);
            return (changed && matches!(self.partial, Partial::Lines(_))).then_some(Place::Question(at));
        }
        let decided = self.sheet.because(at).and_then(|question| self.sheet.place(&question.id));
        let near = decided.filter(|place| self.sheet.is_asked(*place)).or_else(|| self.sheet.next_open());
        Some(near.map_or(Place::Review, Place::Question))
    }

    /// Prints how the ask ended, if it did.
    pub(crate) fn settled_elsewhere(&mut self) -> Result<Option<End>, Problem> {
        let Some(said) = recap::ending(&self.ask, self.lang) else { return Ok(None) };
        self.save_lines()?;
        self.voice.say(&said)?;
        if self.sheet.given() > 0 || self.sheet.dormant().next().is_some() {
            self.voice.say_message(Message::TextKept)?;
        }
        Ok(Some(End::Elsewhere))
    }

    /// Returns the initial unfinished answer: a long text continues after its last line.
    pub(crate) fn beginning(&self, question: &Question) -> Partial {
        let Kind::Text(entry) = &question.kind else { return Partial::Nothing };
        if !entry.long {
            return Partial::Nothing;
        }
        match self.sheet.reply(&question.id).answer() {
            Some(Answer::Text(text)) if !self.quiet => {
                Partial::Lines(text.split('\n').map(str::to_owned).collect())
            }
            _ => Partial::Lines(Vec::new()),
        }
    }
}
