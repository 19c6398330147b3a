//! A lone question: its page carries the submit button, so it needs no review.

use super::FieldFocus;
use super::navigation::is_typed;
use super::reading::is_no;
use super::{AskTab, AskView, UpdateContext};
use crate::describe;
use jiff::Timestamp;
use sayso_core::{Answer, ChoiceItem, Lang, Message, Pick, Reply, ReplyContent};

/// Longest text in characters that a submit row shows as a whole; a longer one is reviewed.
const SHOWN_CHARS: usize = 160;

/// Choice of the person at a lone question, in this visit.
#[derive(Debug, Default)]
pub(super) struct LoneChoice {
    /// The person chose or typed the answer, or confirmed the one of the draft.
    is_made: bool,
    /// The person moved the cursor since the last choice.
    has_moved: bool,
    /// Answer on the submit row of the last frame.
    pub(super) shown: Option<String>,
    /// The key that is being handled may send: its page showed what it sends.
    may_send: bool,
}

/// Submit row of a lone question's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SubmitRow {
    /// Nothing can be sent yet, for this reason.
    Blocked(String),
    /// A press sends an answer, once the button is live.
    Ready {
        answer: String,
        /// Number of the lines that were not drawn of what it agrees to, and of all.
        unread: Option<[u32; 2]>,
        is_live: bool,
    },
}

impl AskView {
    /// Returns whether the questionnaire is one question that the page can send by itself.
    fn is_lone(&self) -> bool {
        let [question] = self.form.sheet.questions() else { return false };
        let takes_one_answer = match question.choice() {
            Some(choice) => !choice.multi,
            None => !question.is_long_text(),
        };
        takes_one_answer && !self.always_reviews && self.form.sheet.is_asked(0)
    }

    /// Returns whether the reply has parts that only the review shows as a whole.
    fn needs_review(&self, place: usize) -> bool {
        if let Some(field) = self.form.field(place) {
            let has_note = !field.note.is_empty() || field.focus == FieldFocus::Note;
            let text = field.text.text();
            if has_note || text.contains('\n') || text.chars().count() > SHOWN_CHARS {
                return true;
            }
        }
        let reply = self.form.sheet.reply_at(place);
        let has_note = reply.note.is_some() || self.form.sheet.note().is_some();
        has_note || reply.is_skipped() || self.form.unpicked_own_answer(place).is_some()
    }

    /// Returns whether the questionnaire has a review. A person who is there may stay.
    pub(crate) fn has_review(&self) -> bool {
        !self.is_lone() || self.needs_review(0) || self.tab == AskTab::Review
    }

    /// Returns the current question if its page carries the submit button.
    pub(super) fn lone_place(&self) -> Option<usize> {
        if self.has_review() { None } else { self.tab.question_place() }
    }

    /// Returns whether the current page has a button that sends.
    pub(super) fn has_button(&self) -> bool {
        self.tab == AskTab::Review || self.lone_place().is_some()
    }

    /// Returns whether a press of the button on the current page counts.
    pub(crate) fn is_button_live(&self, now: Timestamp) -> bool {
        self.guard.is_live(now)
    }

    /// Records that the person chose or typed an answer.
    pub(super) const fn record_choice(&mut self) {
        self.lone_choice.is_made = true;
        self.lone_choice.has_moved = false;
    }

    /// Records that the person moved the cursor: a press would send the option that it is at.
    pub(super) const fn record_cursor_move(&mut self) {
        self.lone_choice.has_moved = true;
    }

    /// Returns whether the person moved the cursor since the last choice.
    pub(super) const fn has_moved_cursor(&self) -> bool {
        self.lone_choice.has_moved
    }

    /// Returns the reply that a press would send: the chosen answer, the option that the person moved to, or the text
    /// as typed so far.
    fn prospective_reply(&self, place: usize) -> Option<Reply> {
        let question = self.form.question(place)?;
        let field = self.form.field(place)?;
        let is_made = self.lone_choice.is_made;
        let text = field.text.text();
        let has_typed = is_made && !text.trim().is_empty();
        if is_typed(question) {
            return if has_typed { Some(Reply::from_answer(Answer::Text(text.to_owned()))) } else { None };
        }
        let reply = self.form.sheet.reply_at(place);
        if let Some(choice) = question.choice() {
            if field.focus == FieldFocus::Text {
                return if has_typed { Some(self.form.with_own_answer(place, field)) } else { None };
            }
            if self.lone_choice.has_moved && !self.form.is_consent(place) {
                return match choice.item_by_number(self.form.focused_offer(place)? + 1)? {
                    ChoiceItem::Option(option) => Some(Reply::from_picks([Pick::Option(option.id.clone())])),
                    ChoiceItem::Other if is_made && self.form.is_focused_picked(place) => Some(reply.clone()),
                    ChoiceItem::Other => None,
                };
            }
        }
        // A prefilled answer, or the one of a draft, has to be confirmed.
        let is_chosen = is_made && reply.answer().is_some() && !self.form.sheet.is_prefilled(place);
        if is_chosen { Some(reply.clone()) } else { None }
    }

    /// Returns whether a lone question has an answer that its page can send.
    pub(crate) fn has_choice(&self, place: usize) -> bool {
        self.prospective_reply(place).is_some()
    }

    /// Returns the submit row of the current page, if it carries one.
    pub(crate) fn submit_row(&self, lang: Lang, now: Timestamp) -> Option<SubmitRow> {
        let place = self.lone_place()?;
        let question = self.form.question(place)?;
        if self.is_sending {
            return Some(SubmitRow::Blocked(Message::SendingNow.plain(lang).to_owned()));
        }
        let prospective_reply = self.prospective_reply(place);
        if self.waits_for_reading(place, prospective_reply.as_ref()) {
            let counts = self.unread_lines(place).unwrap_or_default();
            return Some(SubmitRow::Blocked(Message::LinesNotShown.render_with(lang, counts)));
        }
        if self.form.flagged.contains(&place)
            && let Some(problem) = self.form.sheet.blocking_problems_at(place).first()
        {
            return Some(SubmitRow::Blocked(describe::own_problem_text(problem, lang)));
        }
        let questionnaire = self.form.sheet.questionnaire();
        let Some(reply) = prospective_reply else {
            let current = self.form.sheet.reply_at(place);
            if !matches!(current.content, ReplyContent::Answered(_)) {
                return Some(SubmitRow::Blocked(Message::AnswerFirst.plain(lang).to_owned()));
            }
            let words = describe::reply_in_sentence(questionnaire, question, current, lang);
            return Some(SubmitRow::Blocked(Message::EnterKeeps.render_with(lang, [words])));
        };
        let answer = describe::reply_in_sentence(questionnaire, question, &reply, lang);
        Some(SubmitRow::Ready {
            answer: answer.render(lang).into_owned(),
            unread: if is_no(&reply) { None } else { self.unread_lines(place) },
            is_live: self.guard.is_live(now),
        })
    }

    /// Records whether the key that is being handled may send: it is a press of its own, and the page showed what it
    /// would send.
    pub(super) fn prepare_press(&mut self, is_own_press: bool, cx: &UpdateContext) {
        self.lone_choice.may_send = false;
        if !is_own_press || self.scroll.is_new_page() {
            return;
        }
        if let Some(SubmitRow::Ready { answer, is_live: true, .. }) = self.submit_row(cx.lang, cx.instant()) {
            self.lone_choice.may_send = self.lone_choice.shown == Some(answer);
        }
    }

    /// Presses the button of a lone question's page. On a page without a choice, this only keeps the current answer.
    pub(super) fn press_lone_button(&mut self, cx: &UpdateContext) {
        self.record_choice();
        if std::mem::take(&mut self.lone_choice.may_send) {
            self.guard.arm(cx.instant());
        }
    }
}
