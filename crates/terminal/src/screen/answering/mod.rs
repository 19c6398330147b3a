//! One ask that is being answered on the screen: its sheet, where the person is, and what they have typed.

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

/// How long keys are not taken after something came up by itself.
pub(super) const SETTLE: Duration = Duration::from_millis(400);

/// How long no key that sends may have come before one does.
pub(super) const QUIET: Duration = Duration::from_millis(350);

/// How soon the next one comes while a key is held down, at most.
pub(super) const REPEATS: Duration = Duration::from_millis(120);

/// How long a key is held down before it repeats, at most.
pub(super) const HELD: Duration = Duration::from_secs(1);

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// At what would be done.
    Action,
    /// At a question, by its place on the sheet.
    Question(usize),
    /// At the review.
    Review,
}

/// What is the same for all of one step: the time, and whose words.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    /// Now, on the person's clock.
    pub(super) now: Zoned,
    /// Now, on a clock that nobody sets.
    pub(super) steady: Timestamp,
    pub(super) lang: Lang,
    pub(super) wishing: Wishing,
    pub(super) runs: Runs,
}

impl Moment {
    /// When it is, for spans; deadlines are on the person's clock.
    pub(super) fn at(&self) -> Timestamp {
        self.steady
    }

    pub(super) fn since(&self, then: Timestamp) -> Duration {
        self.at().duration_since(then).unsigned_abs()
    }
}

/// Which part of a page is to be on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scroll {
    /// What the person has come to, with its beginning; what the keys are at too, where there is room.
    Beginning,
    /// What the keys are at.
    Keys,
    /// From this row on: the person has scrolled.
    From(usize),
}

/// What part of a page is on the screen, in rows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sight {
    /// How many are above the screen.
    pub(super) from: usize,
    /// How many can be at most.
    pub(super) most: usize,
    /// How many are on it.
    pub(super) rows: usize,
    /// What the keys are at is above it or below.
    pub(super) hides_keys: bool,
}

/// What a step led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// It goes on.
    On,
    /// The person leaves.
    Leave,
}

/// The state of it.
#[derive(Debug)]
pub(super) struct Answering {
    pub(super) ask: Ask,
    /// What the person is shown, so that nothing else can be answered.
    shown: Digest,
    pub(super) sheet: Sheet,
    pub(super) drafting: Drafting,
    pub(super) spot: Spot,
    fields: BTreeMap<usize, Field>,
    pub(super) dialog: Option<Dialog>,
    /// Which part of the page is on the screen.
    pub(super) scroll: Scroll,
    /// What happened to it could not be read.
    pub(super) is_unread: bool,
    /// The person has come somewhere since it was drawn last.
    pub(super) is_undrawn: bool,
    /// What part of the page is on the screen, as it was last drawn.
    pub(super) sight: Sight,
    /// The last thing that was announced.
    pub(super) told: Option<String>,
    /// Questions whose problems show, since the person has left them or sent them.
    pub(super) flagged: BTreeSet<usize>,
    /// Questions that were filled in as the asker suggests.
    pub(super) suggested: BTreeSet<usize>,
    /// Questions whose reply has changed since the asker last judged them.
    mended: BTreeSet<usize>,
    /// What stood where before what was not typed.
    undone: Vec<(usize, Reply)>,
    redone: Vec<(usize, Reply)>,
    /// Since when the person is where they are.
    arrived: Timestamp,
    /// When a key that sends, Enter or ^S, was last pressed.
    entered: Timestamp,
    /// Such a key led here, and nothing else has been pressed since: it may be held down.
    may_be_held: bool,
    /// Keys that answer are not taken before.
    takes_from: Timestamp,
    from_review: bool,
    brought_up: BTreeSet<usize>,
    /// Which row of the review the keys are at.
    pub(super) row: usize,
    /// All of what would be done has been on the screen.
    pub(super) action_seen: bool,
    /// What was sent or declined here is on its way.
    pub(super) sending: bool,
    /// Who waited for what was sent last.
    pub(super) awaited: Option<Awaited>,
    /// The reason to decline that was typed when the dialog was closed.
    pub(super) declining: String,
    /// The deadline that the desk has been told has passed. It has the last word, and may move it.
    pub(super) passed: Option<Timestamp>,
}

impl Answering {
    /// An ask with its draft, as it is opened. It came up by itself where nobody pressed a key for it.
    pub(super) fn of(ask: Ask, draft: Draft, moment: &Moment, by_itself: bool) -> Self {
        let rev = draft.rev;
        let typed: Replies = draft.typed().collect();
        let sheet = Sheet::new(ask.request.questionnaire.clone(), typed.clone()).prefilled();
        let now = moment.at();
        let has_action = ask.request.questionnaire.action.is_some();
        let mut answering = Self {
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
        let first =
            answering.to_mend().or_else(|| answering.sheet.next_open()).or_else(|| answering.unfinished());
        let first = first.map_or(Spot::Review, Spot::Question);
        answering.go(if has_action { Spot::Action } else { first }, moment);
        let (answered, total) = (answering.sheet.answered(), answering.sheet.progress().total);
        if answering.sheet.given() > 0 {
            let number = first.place().map(|place| answering.sheet.number(place));
            answering.told = Some(match number {
                Some(number) => Message::DraftGoesOn.say(moment.lang, [answered, total, number]),
                None => Message::DraftComplete.say(moment.lang, [answered, total]),
            });
        }
        answering
    }

    /// The last question that somebody answered. Whoever was cut off may have been in the middle of it, and goes on typing
    /// before they look up: that must not happen at the review, where letters are commands and Enter sends.
    fn unfinished(&self) -> Option<usize> {
        let is_answered =
            |place: usize| self.sheet.reply_at(place).is_given() && !self.sheet.is_prefilled(place);
        self.sheet.asked().map(|(place, _)| place).rfind(|place| is_answered(*place))
    }

    /// The first question that the asker wants mended.
    pub(super) fn to_mend(&self) -> Option<usize> {
        recap::to_mend(&self.ask, &self.sheet)
    }

    /// Whether the asker wants the answer at a question mended, and nobody has touched it since.
    pub(super) fn is_to_mend(&self, place: usize) -> bool {
        let errors = self.ask.feedback().map(|feedback| feedback.errors.as_slice()).unwrap_or_default();
        let is_named =
            self.question(place).is_some_and(|question| errors.iter().any(|(id, _)| *id == question.id));
        is_named && !self.mended.contains(&place)
    }

    pub(super) fn question(&self, place: usize) -> Option<&Question> {
        self.sheet.questions().get(place)
    }

    /// The question that the person is at.
    pub(super) fn here(&self) -> Option<(usize, &Question)> {
        let place = self.spot.place()?;
        Some((place, self.question(place)?))
    }

    /// What is on the screen at a question.
    pub(super) fn field(&self, place: usize) -> Option<&Field> {
        self.fields.get(&place)
    }

    /// Takes what is on the screen at a question, to draw it.
    pub(super) fn take_field(&mut self, place: usize) -> Option<Field> {
        self.field_mut(place)?;
        self.fields.remove(&place)
    }

    /// Puts it back.
    pub(super) fn put_field(&mut self, place: usize, field: Field) {
        self.fields.insert(place, field);
    }

    fn field_mut(&mut self, place: usize) -> Option<&mut Field> {
        let question = self.sheet.questions().get(place)?;
        let reply = self.sheet.reply_at(place);
        Some(self.fields.entry(place).or_insert_with(|| Field::of(question, reply)))
    }

    /// Whether nobody has said anything here yet, nor is about to: leaving it leaves nothing behind.
    pub(super) fn is_untouched(&self) -> bool {
        self.sheet.given() == 0
            && self.dialog.is_none()
            && self.reason().is_empty()
            && !self.is_typing()
            && !self.is_filtered()
            && self.fields.values().all(|field| field.text.text().is_empty())
    }

    /// Whether letters are text where the keys are.
    pub(super) fn is_typing(&self) -> bool {
        let field = self.spot.place().and_then(|place| self.fields.get(&place));
        field.is_some_and(|field| field.focus != Focus::Body)
            || matches!(&self.dialog, Some(Dialog::Decline { sure: super::dialog::Sure::Reason, .. }))
    }

    /// Puts a reply at a question: on the sheet at once, into the draft next, and what it changed is told.
    fn put(&mut self, place: usize, reply: Reply, moment: &Moment) {
        if *self.sheet.reply_at(place) == reply && !self.sheet.is_prefilled(place) {
            return;
        }
        let changed = self.sheet.set_at(place, reply.clone());
        let Some(id) = self.question(place).map(|question| question.id.clone()) else { return };
        self.suggested.remove(&place);
        self.mended.insert(place);
        self.drafting.note(id, reply);
        self.tell(&changed, moment.lang);
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

    /// Takes back what stands at a question. Its text can be had back with undo.
    fn clear(&mut self, place: usize, moment: &Moment) {
        let note = self.sheet.reply_at(place).note.clone();
        self.put_undoably(place, Reply::unanswered().with_note(note), moment);
        if let (Some(question), Some(field)) = (self.question(place).cloned(), self.fields.get_mut(&place)) {
            let (focus, at) = (field.focus, if field.filter.is_empty() { field.at } else { 0 });
            *field = Field::of(&question, self.sheet.reply_at(place));
            (field.focus, field.at) = (focus, at);
        }
        self.told = Some(Message::ClearedUndo.plain(moment.lang).to_owned());
    }

    /// Passes over an optional question.
    fn skip(&mut self, place: usize, moment: &Moment) {
        if self.sheet.is_needed(place) {
            self.told = Some(Message::MustBeAnswered.plain(moment.lang).to_owned());
            return;
        }
        let is_typed = self.question(place).is_some_and(|question| moving::is_typed(&question.kind));
        let stands = |field: &Field| !field.text.text().trim().is_empty();
        if is_typed && self.fields.get(&place).is_some_and(stands) {
            self.told = Some(Message::SkipTyped.plain(moment.lang).to_owned());
            return;
        }
        let reply = self.sheet.reply_at(place);
        let skipped = Reply::skipped().with_note(reply.note.clone()).with_aside(reply.aside.clone());
        self.put_undoably(place, skipped, moment);
        self.next(moment);
    }

    /// What is to be done at the desk because of all this, now or once enough time has passed.
    pub(super) fn due(&mut self, moment: &Moment) -> Vec<Effect> {
        if self.drafting.is_typed_out(moment.at()) {
            self.settle_text(moment);
        }
        let saves = self.drafting.save(moment.at());
        saves
            .map(|(base, replies)| Effect::Call(Call::Save { id: self.ask.id, base, replies }))
            .into_iter()
            .collect()
    }

    /// Saves all that was typed, before this is closed for good.
    pub(super) fn close(&mut self, moment: &Moment) -> Option<Effect> {
        self.settle_text(moment);
        let (base, replies) = self.drafting.rest()?;
        Some(Effect::Call(Call::Save { id: self.ask.id, base, replies }))
    }

    /// When something is due next.
    pub(super) fn wakes_at(&self, moment: &Moment) -> Option<Timestamp> {
        let due = self.ask.due_at().filter(|due| self.passed != Some(*due));
        let due =
            due.and_then(|due| moment.at().checked_add(due.duration_since(moment.now.timestamp())).ok());
        [self.drafting.wakes_at(moment.at()), due].into_iter().flatten().min()
    }

    /// Whether the desk does not store what was typed, for now.
    pub(super) fn is_stuck(&self, now: Timestamp) -> bool {
        !self.is_stored() && (self.drafting.problem.is_some() || self.drafting.is_slow(now))
    }

    /// Whether nothing that was typed is still to be stored.
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
