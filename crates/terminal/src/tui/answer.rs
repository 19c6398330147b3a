//! One ask that is being answered on the screen: its sheet, the person's position, and the typed text.

mod autosave;
mod cut_options;
mod draft_merge;
pub(super) mod ending;
mod form;
mod input;
mod lone_page;
mod navigation;
mod page_scroll;
mod pagers;
mod reading;
pub(super) mod reply;
pub(super) mod review;
mod unsent;

pub(super) use autosave::DraftAutosave;
pub(super) use form::{FieldFocus, FieldState, ReviewItem, SectionStep, is_picked};
pub(super) use input::InputHandler;
pub(super) use lone_page::SubmitRow;
pub(super) use page_scroll::{ScrollTarget, Viewport};
pub(super) use reading::DrawnLines;
pub(super) use unsent::is_unsent;

use super::dialog::Dialog;
use super::editor::TextBox;
use super::effect::{DeskCall, Effect};
use super::opening_key::OpeningKey;
use super::send_guard::{SETTLE_PERIOD, SendGuard};
use crate::describe;
use crate::presence::WaiterPresence;
use crate::surface::{ClarifyFn, NotesCheck, ProcessCheck};
use cut_options::CutOptions;
use form::AnswerForm;
use jiff::{Timestamp, Zoned};
use lone_page::LoneChoice;
use page_scroll::PageScroll;
use reading::ReadingProgress;
use reply::{text_input, undo};
use review::ReviewVisit;
use sayso_core::sheet::VisibilityChange;
use sayso_core::{Ask, Digest, Lang, Message, Question, Reply, Sheet};
use sayso_desk::Draft;
use std::collections::BTreeMap;

/// Tab that the person is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskTab {
    /// A question, by its index on the sheet.
    Question(usize),
    /// The review.
    Review,
}

/// Context of one update: clocks, language, wording of wishes and process lookup.
#[derive(Debug, Clone)]
pub(super) struct UpdateContext {
    /// Wall-clock time in the person's time zone.
    pub(super) now: Zoned,
    /// Monotonic time.
    pub(super) monotonic: Timestamp,
    pub(super) lang: Lang,
    pub(super) clarification: ClarifyFn,
    pub(super) carries_notes: NotesCheck,
    pub(super) is_running: ProcessCheck,
    /// Every ask is reviewed before it is sent, also a lone question.
    pub(super) always_reviews: bool,
}

impl UpdateContext {
    /// Returns the monotonic time, for durations; deadlines use the wall clock.
    pub(super) fn instant(&self) -> Timestamp {
        self.monotonic
    }
}

/// Control flow after a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flow {
    /// Continue.
    Continue,
    /// Leave the questionnaire.
    Leave,
}

/// State of the ask that is being answered.
#[derive(Debug)]
pub(super) struct AskView {
    pub(super) ask: Ask,
    /// Digest of the request on the screen, so that an answer applies to no other.
    shown_digest: Digest,
    pub(super) form: AnswerForm,
    /// The note on the whole form, with what undo restores, once it was opened.
    note_text: Option<TextBox>,
    /// The asker's format has a place for notes.
    pub(super) carries_notes: bool,
    pub(super) tab: AskTab,
    always_reviews: bool,
    pub(super) dialog: Option<Dialog>,
    pub(super) scroll: PageScroll,
    /// The last change of the ask could not be read.
    pub(super) has_unread_change: bool,
    /// Last announcement.
    pub(super) notice: Option<String>,
    /// Guard of the button on the current page.
    guard: SendGuard,
    /// Guard of the letter that opened the focused text box.
    opening_key: Option<OpeningKey>,
    /// The key that is being handled presses a button, and is no repeat of a held key.
    is_own_press: bool,
    /// Time before which answering keys are ignored, because the ask opened by itself.
    accepts_keys_at: Timestamp,
    /// Choice of the person at a lone question.
    lone_choice: LoneChoice,
    pub(super) review: ReviewVisit,
    /// Lines that were drawn of the pages that take consent.
    reading: BTreeMap<usize, ReadingProgress>,
    /// Options whose description was cut.
    cut_options: CutOptions,
    /// A submit or decline is in flight.
    pub(super) is_sending: bool,
    /// Presence of the asker when the last act was sent.
    pub(super) asker_presence: Option<WaiterPresence>,
    /// Reason to decline that was typed when the dialog was closed.
    pub(super) decline_reason: String,
    /// Deadline that was reported to the desk as passed. The desk decides, and may move it.
    pub(super) reported_deadline: Option<Timestamp>,
}

impl AskView {
    /// Opens an ask with its draft. `by_itself` is true if the person pressed no key for it.
    pub(super) fn open(ask: Ask, draft: Draft, cx: &UpdateContext, by_itself: bool) -> Self {
        let rev = draft.rev;
        let replies = draft.into_shared_replies(&ask.request.questionnaire);
        let sheet = Sheet::new(ask.request.questionnaire.clone(), replies.clone()).with_prefill();
        let opened_at = cx.instant();
        let mut accepts_keys_at = opened_at;
        if by_itself {
            accepts_keys_at = opened_at.checked_add(SETTLE_PERIOD).unwrap_or(opened_at);
        }
        let mut view = Self {
            shown_digest: ask.request.digest,
            form: AnswerForm::new(sheet, DraftAutosave::new(rev, replies)),
            note_text: None,
            carries_notes: (cx.carries_notes)(&ask),
            tab: AskTab::Review,
            always_reviews: cx.always_reviews,
            dialog: None,
            scroll: PageScroll::new(),
            has_unread_change: false,
            notice: None,
            guard: SendGuard::new(opened_at),
            opening_key: None,
            is_own_press: false,
            accepts_keys_at,
            lone_choice: LoneChoice::default(),
            review: ReviewVisit::default(),
            reading: BTreeMap::new(),
            cut_options: CutOptions::default(),
            is_sending: false,
            asker_presence: None,
            decline_reason: String::new(),
            reported_deadline: None,
            ask,
        };
        let first_tab = view.first_tab();
        view.go_to(first_tab, cx);
        if view.form.sheet.given_count() > 0 {
            let answered_count = view.form.sheet.answered_count();
            let total = view.form.sheet.progress().total;
            view.notice = Some(match first_tab {
                AskTab::Question(place) => {
                    let number = view.form.sheet.number_of(place);
                    Message::DraftGoesOn.render_with(cx.lang, [answered_count, total, number])
                }
                AskTab::Review => Message::DraftComplete.render_with(cx.lang, [answered_count, total]),
            });
        }
        view
    }

    /// Returns the tab that an opened ask begins at.
    fn first_tab(&self) -> AskTab {
        if let Some(place) = self.form.action_place() {
            return AskTab::Question(place);
        }
        if let Some(place) = self.first_correction() {
            return AskTab::Question(place);
        }
        if let Some(place) = self.form.sheet.next_needing_attention() {
            return AskTab::Question(place);
        }
        self.last_answered().map_or(AskTab::Review, AskTab::Question)
    }

    /// Returns the last question that the person answered. A person who was interrupted there may go on typing before
    /// looking up. That must not happen at the review, where letters are commands and Enter sends.
    fn last_answered(&self) -> Option<usize> {
        let sheet = &self.form.sheet;
        let mut places = sheet.asked_questions().map(|(place, _)| place);
        places.rfind(|place| sheet.reply_at(*place).has_input() && !sheet.is_prefilled(*place))
    }

    /// Returns the first question that the asker wants corrected.
    pub(super) fn first_correction(&self) -> Option<usize> {
        describe::first_requested_change(&self.ask, &self.form.sheet)
    }

    /// Returns whether the asker wants this answer corrected and the person has not changed it since.
    pub(super) fn needs_correction(&self, place: usize) -> bool {
        let (Some(feedback), Some(question)) = (self.ask.feedback(), self.form.question(place)) else {
            return false;
        };
        let has_error = feedback.errors.iter().any(|(id, _)| *id == question.id);
        has_error && !self.form.corrected.contains(&place)
    }

    /// Returns the question of the current tab with its place; `None` at the review.
    pub(super) fn current_question(&self) -> Option<(usize, &Question)> {
        let place = self.tab.question_place()?;
        Some((place, self.form.question(place)?))
    }

    /// Applies what a frame showed. Returns whether it drew lines to read for the first time.
    pub(super) fn apply_frame(
        &mut self,
        viewport: Viewport,
        drawn: Option<&DrawnLines>,
        cut_options: &[usize],
        submit: Option<String>,
    ) -> bool {
        self.scroll.apply_frame(viewport);
        self.lone_choice.shown = submit;
        if let Some(place) = self.tab.question_place() {
            self.cut_options.record(place, cut_options);
        }
        match drawn {
            Some(lines) => self.record_reading(lines),
            None => false,
        }
    }

    /// Returns whether typed letters go into a text, so that they are no shortcuts.
    pub(super) fn is_typing(&self) -> bool {
        if let AskTab::Question(place) = self.tab
            && self.form.focus(place) != FieldFocus::Question
        {
            return true;
        }
        matches!(&self.dialog, Some(Dialog::Decline(_) | Dialog::Note(_) | Dialog::Jump(_)))
    }

    /// Puts a reply on the sheet, queues its save, and reports the questions that it changed.
    fn set_reply(&mut self, place: usize, reply: Reply, cx: &UpdateContext) {
        if *self.form.sheet.reply_at(place) == reply && !self.form.sheet.is_prefilled(place) {
            return;
        }
        let changes = self.form.sheet.set_reply_at(place, reply.clone());
        let Some(question) = self.form.question(place) else { return };
        let id = question.id.clone();
        self.form.suggested.remove(&place);
        self.form.corrected.insert(place);
        self.form.autosave.queue(id, reply);
        self.announce(&changes, cx.lang);
        self.review.add_follow_ups(&changes.appeared);
    }

    fn announce(&mut self, changes: &VisibilityChange, lang: Lang) {
        let message = describe::question_changes(&self.form.sheet, changes, lang);
        if !message.is_empty() {
            self.notice = Some(message.join(describe::sentence_separator(lang)));
        }
    }

    /// Clears a question. Undo restores its text.
    fn clear(&mut self, place: usize, cx: &UpdateContext) {
        let note = self.form.sheet.reply_at(place).note.clone();
        undo::set_reply_undoable(self, place, Reply::unanswered().with_note(note), cx);
        if let (Some(question), Some(field)) =
            (self.form.question(place).cloned(), self.form.fields.get_mut(&place))
        {
            let focus = field.focus;
            // Without its filter, the list has other options at the cursor.
            let cursor = if field.filter.is_empty() { field.cursor } else { 0 };
            *field = FieldState::from_reply(&question, self.form.sheet.reply_at(place));
            field.focus = focus;
            field.cursor = cursor;
        }
        self.notice = Some(Message::ClearedUndo.plain(cx.lang).to_owned());
    }

    /// Skips an optional question.
    fn skip(&mut self, place: usize, cx: &UpdateContext) {
        if self.form.sheet.needs_input(place) {
            self.notice = Some(Message::MustBeAnswered.plain(cx.lang).to_owned());
            return;
        }
        if let (Some(question), Some(field)) = (self.form.question(place), self.form.field(place))
            && navigation::is_typed(question)
            && !field.text.text().trim().is_empty()
        {
            self.notice = Some(Message::SkipTyped.plain(cx.lang).to_owned());
            return;
        }
        let Reply { note, unused_other, .. } = self.form.sheet.reply_at(place).clone();
        let skip = Reply::skipped().with_note(note).with_unused_other(unused_other);
        undo::set_reply_undoable(self, place, skip, cx);
        self.advance(cx);
    }

    /// Withdraws a press of the submit button, because something else was typed, pasted or clicked.
    pub(crate) const fn withdraw_press(&mut self) {
        self.guard.withdraw();
        if let Some(dialog) = &mut self.dialog {
            dialog.withdraw_press();
        }
    }

    /// Returns whether the ask opened by itself a moment ago.
    pub(super) fn is_settling(&self, cx: &UpdateContext) -> bool {
        cx.instant() < self.accepts_keys_at
    }

    /// Returns the save that is due, after the debounce of typing.
    pub(super) fn take_due_calls(&mut self, cx: &UpdateContext) -> Option<Effect> {
        if let Some(guard) = &mut self.opening_key {
            let letter = guard.take_due(cx.instant());
            text_input::type_letter(self, letter, cx);
        }
        if self.form.autosave.is_debounced(cx.instant()) {
            self.commit_text(cx);
        }
        let (base, replies) = self.form.autosave.take_save(cx.instant())?;
        Some(Effect::Call(DeskCall::Save { id: self.ask.id, base, replies }))
    }

    /// Returns the save of all typed text that is not stored, before the ask closes for good.
    pub(super) fn save_and_close(&mut self, cx: &UpdateContext) -> Option<DeskCall> {
        self.commit_text(cx);
        let (base, replies) = self.form.autosave.take_rest()?;
        Some(DeskCall::Save { id: self.ask.id, base, replies })
    }

    /// Returns the time of the next timer.
    pub(super) fn next_wakeup(&self, cx: &UpdateContext) -> Option<Timestamp> {
        let instant = cx.instant();
        let mut deadline = None;
        if let Some(due_at) = self.ask.due_at()
            && self.reported_deadline != Some(due_at)
        {
            deadline = instant.checked_add(due_at.duration_since(cx.now.timestamp())).ok();
        }
        let button = match &self.dialog {
            Some(dialog) => dialog.next_wakeup(instant),
            None if self.has_button() => self.guard.next_wakeup(instant),
            None => None,
        };
        let letter = self.opening_key.as_ref().and_then(OpeningKey::next_wakeup);
        let autosave = self.form.autosave.next_wakeup(instant);
        [autosave, deadline, button, letter].into_iter().flatten().min()
    }

    /// Returns whether the desk currently stores nothing: a save failed or is slow.
    pub(super) fn is_stuck(&self, now: Timestamp) -> bool {
        !self.is_stored() && (self.form.autosave.problem.is_some() || self.form.autosave.is_slow(now))
    }

    /// Returns whether all typed text is stored.
    pub(super) fn is_stored(&self) -> bool {
        self.form.autosave.is_stored()
    }
}

impl AskTab {
    pub(super) const fn question_place(self) -> Option<usize> {
        match self {
            Self::Question(place) => Some(place),
            Self::Review => None,
        }
    }
}
