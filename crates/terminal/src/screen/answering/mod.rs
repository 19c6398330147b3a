//! One ask that is being answered on the screen: its sheet, the person's position, and the typed text.

mod at_question;
mod choosing;
mod drafting;
mod field;
mod keys;
mod moving;
mod pressing;
mod review;
mod scales;
mod sending;
mod typing;
mod undoing;

pub(super) use drafting::Drafting;
pub(super) use field::{Field, Focus, is_picked};
pub(super) use review::Item;

use super::dialog::Dialog;
use super::effect::{Call, Effect};
use crate::awaited::Awaited;
use crate::prompter::Runs;
use crate::recap;
use crate::wish::Wishing;
use jiff::{Timestamp, Zoned};
use sayso_core::sheet::Effect as Changed;
use sayso_core::{Ask, Digest, Lang, Message, Question, Replies, Reply, Sheet};
use sayso_desk::Draft;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Period during which keys are ignored after something opened by itself.
pub(super) const SETTLE: Duration = Duration::from_millis(400);

/// Quiet period required before a key that sends counts.
pub(super) const QUIET: Duration = Duration::from_millis(350);

/// Longest interval between repeats of a held key.
pub(super) const REPEATS: Duration = Duration::from_millis(120);

/// Longest delay before a held key starts to repeat.
pub(super) const HELD: Duration = Duration::from_secs(1);

/// Tab that the person is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// The action to approve.
    Action,
    /// A question, by its index on the sheet.
    Question(usize),
    /// The review.
    Review,
}

/// Context of one update: clocks, language, wording of wishes and process lookup.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    /// Wall-clock time in the person's time zone.
    pub(super) now: Zoned,
    /// Monotonic time.
    pub(super) steady: Timestamp,
    pub(super) lang: Lang,
    pub(super) wishing: Wishing,
    pub(super) runs: Runs,
}

impl Moment {
    /// Returns the monotonic time, for durations; deadlines use the wall clock.
    pub(super) fn at(&self) -> Timestamp {
        self.steady
    }

    pub(super) fn since(&self, then: Timestamp) -> Duration {
        self.at().duration_since(then).unsigned_abs()
    }
}

/// Part of a page to bring into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scroll {
    /// The start of what the person moved to, and the focused element too if both fit.
    Beginning,
    /// The focused element.
    Keys,
    /// The page from this row on, as the person scrolled it.
    From(usize),
}

/// Visible part of a page, in rows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sight {
    /// Number of rows above the visible part.
    pub(super) from: usize,
    /// Largest possible scroll offset.
    pub(super) most: usize,
    /// Number of visible rows.
    pub(super) rows: usize,
    /// The focused element is off screen.
    pub(super) hides_keys: bool,
}

/// Control flow after a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// Continue.
    On,
    /// Leave the questionnaire.
    Leave,
}

/// State of the ask that is being answered.
#[derive(Debug)]
pub(super) struct Answering {
    pub(super) ask: Ask,
    /// Digest of the request on the screen, so that an answer applies to no other.
    shown: Digest,
    pub(super) sheet: Sheet,
    pub(super) drafting: Drafting,
    pub(super) spot: Spot,
    fields: BTreeMap<usize, Field>,
    pub(super) dialog: Option<Dialog>,
    /// Part of the page to bring into view.
    pub(super) scroll: Scroll,
    /// The last change of the ask could not be read.
    pub(super) is_unread: bool,
    /// The person moved since the last frame.
    pub(super) is_undrawn: bool,
    /// Visible part of the page in the last frame.
    pub(super) sight: Sight,
    /// Last announcement.
    pub(super) told: Option<String>,
    /// Questions that show their problems, because the person left or sent them.
    pub(super) flagged: BTreeSet<usize>,
    /// Questions that were filled in with the asker's suggestion.
    pub(super) suggested: BTreeSet<usize>,
    /// Questions whose reply changed since the asker's last verdict.
    mended: BTreeSet<usize>,
    /// Undo stack: earlier replies that a command, not typing, replaced.
    undone: Vec<(usize, Reply)>,
    redone: Vec<(usize, Reply)>,
    /// Time at which the person came to the current tab.
    arrived: Timestamp,
    /// Time of the last key that sends: Enter or ^S.
    entered: Timestamp,
    /// The last key sends and led to this tab, so it may be held down.
    may_be_held: bool,
    /// Time before which answering keys are ignored.
    takes_from: Timestamp,
    from_review: bool,
    brought_up: BTreeSet<usize>,
    /// Focused row of the review.
    pub(super) row: usize,
    /// The whole action has been on the screen.
    pub(super) action_seen: bool,
    /// A submit or decline is in flight.
    pub(super) sending: bool,
    /// Presence of the asker when the last act was sent.
    pub(super) awaited: Option<Awaited>,
    /// Reason to decline that was typed when the dialog was closed.
    pub(super) declining: String,
    /// Deadline that was reported to the desk as passed. The desk decides, and may move it.
    pub(super) passed: Option<Timestamp>,
}

impl Answering {
    /// Opens an ask with its draft. `by_itself` is true if the person pressed no key for it.
    pub(super) fn of(ask: Ask, draft: Draft, cx: &Moment, by_itself: bool) -> Self {
        let rev = draft.rev;
        let typed: Replies = draft.typed().collect();
        let sheet = Sheet::new(ask.request.questionnaire.clone(), typed.clone()).prefilled();
        let now = cx.at();
        let has_action = ask.request.questionnaire.action.is_some();
        let mut view = Self {
            shown: ask.request.digest,
            sheet,
            drafting: Drafting::since(rev, typed),
            spot: Spot::Review,
            fields: BTreeMap::new(),
            dialog: None,
            scroll: Scroll::Keys,
            is_unread: false,
            is_undrawn: true,
            sight: Sight::default(),
            told: None,
            flagged: BTreeSet::new(),
            suggested: BTreeSet::new(),
            mended: BTreeSet::new(),
            undone: Vec::new(),
            redone: Vec::new(),
            arrived: now,
            entered: now,
            may_be_held: false,
            takes_from: if by_itself { now.checked_add(SETTLE).unwrap_or(now) } else { now },
            from_review: false,
            brought_up: BTreeSet::new(),
            row: 0,
            action_seen: !has_action,
            sending: false,
            awaited: None,
            declining: String::new(),
            passed: None,
            ask,
        };
        let first = view.to_mend().or_else(|| view.sheet.next_open()).or_else(|| view.unfinished());
        let first = first.map_or(Spot::Review, Spot::Question);
        view.go(if has_action { Spot::Action } else { first }, cx);
        let (answered, total) = (view.sheet.answered(), view.sheet.progress().total);
        if view.sheet.given() > 0 {
            let number = first.place().map(|place| view.sheet.number(place));
            view.told = Some(match number {
                Some(number) => Message::DraftGoesOn.say(cx.lang, [answered, total, number]),
                None => Message::DraftComplete.say(cx.lang, [answered, total]),
            });
        }
        view
    }

    /// Returns the last question that the person answered. A person who was interrupted there may go on typing before
    /// looking up. That must not happen at the review, where letters are commands and Enter sends.
    fn unfinished(&self) -> Option<usize> {
        let is_answered =
            |place: usize| self.sheet.reply_at(place).is_given() && !self.sheet.is_prefilled(place);
        self.sheet.asked().map(|(place, _)| place).rfind(|place| is_answered(*place))
    }

    /// Returns the first question that the asker wants corrected.
    pub(super) fn to_mend(&self) -> Option<usize> {
        recap::to_mend(&self.ask, &self.sheet)
    }

    /// Returns whether the asker wants this answer corrected and the person has not changed it since.
    pub(super) fn is_to_mend(&self, place: usize) -> bool {
        let errors = self.ask.feedback().map(|feedback| feedback.errors.as_slice()).unwrap_or_default();
        let is_named =
            self.question(place).is_some_and(|question| errors.iter().any(|(id, _)| *id == question.id));
        is_named && !self.mended.contains(&place)
    }

    pub(super) fn question(&self, place: usize) -> Option<&Question> {
        self.sheet.questions().get(place)
    }

    /// Returns the current question.
    pub(super) fn here(&self) -> Option<(usize, &Question)> {
        let place = self.spot.place()?;
        Some((place, self.question(place)?))
    }

    /// Returns the input state of a question.
    pub(super) fn field(&self, place: usize) -> Option<&Field> {
        self.fields.get(&place)
    }

    /// Takes the input state of a question out, to draw it.
    pub(super) fn take_field(&mut self, place: usize) -> Option<Field> {
        self.field_mut(place)?;
        self.fields.remove(&place)
    }

    /// Puts the input state back.
    pub(super) fn put_field(&mut self, place: usize, field: Field) {
        self.fields.insert(place, field);
    }

    fn field_mut(&mut self, place: usize) -> Option<&mut Field> {
        let question = self.sheet.questions().get(place)?;
        let reply = self.sheet.reply_at(place);
        Some(self.fields.entry(place).or_insert_with(|| Field::of(question, reply)))
    }

    /// Returns whether nothing was answered or typed, so that leaving loses nothing.
    pub(super) fn is_untouched(&self) -> bool {
        self.sheet.given() == 0
            && self.dialog.is_none()
            && self.reason().is_empty()
            && !self.is_typing()
            && !self.is_filtered()
            && self.fields.values().all(|field| field.text.text().is_empty())
    }

    /// Returns whether letters are text at the current focus.
    pub(super) fn is_typing(&self) -> bool {
        let field = self.spot.place().and_then(|place| self.fields.get(&place));
        field.is_some_and(|field| field.focus != Focus::Body)
            || matches!(&self.dialog, Some(Dialog::Decline { sure: super::dialog::Sure::Reason, .. }))
    }

    /// Puts a reply on the sheet, queues its save, and reports the questions that it changed.
    fn put(&mut self, place: usize, reply: Reply, cx: &Moment) {
        if *self.sheet.reply_at(place) == reply && !self.sheet.is_prefilled(place) {
            return;
        }
        let changed = self.sheet.set_at(place, reply.clone());
        let Some(id) = self.question(place).map(|question| question.id.clone()) else { return };
        self.suggested.remove(&place);
        self.mended.insert(place);
        self.drafting.note(id, reply);
        self.tell(&changed, cx.lang);
        if self.from_review {
            self.brought_up.extend(&changed.appeared);
        }
    }

    fn tell(&mut self, changed: &Changed, lang: Lang) {
        let said = recap::changed(&self.sheet, changed, lang);
        if !said.is_empty() {
            self.told = Some(said.join(recap::between(lang)));
        }
    }

    /// Clears a question. Undo restores its text.
    fn clear(&mut self, place: usize, cx: &Moment) {
        let note = self.sheet.reply_at(place).note.clone();
        self.put_undoably(place, Reply::unanswered().with_note(note), cx);
        if let (Some(question), Some(field)) = (self.question(place).cloned(), self.fields.get_mut(&place)) {
            let (focus, at) = (field.focus, if field.filter.is_empty() { field.at } else { 0 });
            *field = Field::of(&question, self.sheet.reply_at(place));
            (field.focus, field.at) = (focus, at);
        }
        self.told = Some(Message::ClearedUndo.plain(cx.lang).to_owned());
    }

    /// Skips an optional question.
    fn skip(&mut self, place: usize, cx: &Moment) {
        if self.sheet.is_needed(place) {
            self.told = Some(Message::MustBeAnswered.plain(cx.lang).to_owned());
            return;
        }
        let is_typed = self.question(place).is_some_and(|question| moving::is_typed(&question.kind));
        let stands = |field: &Field| !field.text.text().trim().is_empty();
        if is_typed && self.fields.get(&place).is_some_and(stands) {
            self.told = Some(Message::SkipTyped.plain(cx.lang).to_owned());
            return;
        }
        let reply = self.sheet.reply_at(place);
        let skipped = Reply::skipped().with_note(reply.note.clone()).with_aside(reply.aside.clone());
        self.put_undoably(place, skipped, cx);
        self.next(cx);
    }

    /// Returns the calls that are due, after the debounce of typing.
    pub(super) fn due(&mut self, cx: &Moment) -> Vec<Effect> {
        if self.drafting.is_typed_out(cx.at()) {
            self.settle_text(cx);
        }
        let saves = self.drafting.save(cx.at());
        saves
            .map(|(base, replies)| Effect::Call(Call::Save { id: self.ask.id, base, replies }))
            .into_iter()
            .collect()
    }

    /// Saves all typed text before the ask closes for good.
    pub(super) fn close(&mut self, cx: &Moment) -> Option<Effect> {
        self.settle_text(cx);
        let (base, replies) = self.drafting.rest()?;
        Some(Effect::Call(Call::Save { id: self.ask.id, base, replies }))
    }

    /// Returns the time of the next timer.
    pub(super) fn wakes_at(&self, cx: &Moment) -> Option<Timestamp> {
        let due = self.ask.due_at().filter(|due| self.passed != Some(*due));
        let due = due.and_then(|due| cx.at().checked_add(due.duration_since(cx.now.timestamp())).ok());
        [self.drafting.wakes_at(cx.at()), due].into_iter().flatten().min()
    }

    /// Returns whether the desk currently stores nothing: a save failed or is slow.
    pub(super) fn is_stuck(&self, now: Timestamp) -> bool {
        !self.is_stored() && (self.drafting.problem.is_some() || self.drafting.is_slow(now))
    }

    /// Returns whether all typed text is stored.
    pub(super) fn is_stored(&self) -> bool {
        self.drafting.is_stored()
    }
}

impl Spot {
    pub(super) const fn place(self) -> Option<usize> {
        match self {
            Self::Question(place) => Some(place),
            Self::Action | Self::Review => None,
        }
    }
}
