//! A lone question: its page carries the submit button, so it needs no review.

use super::FieldFocus;
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
        let takes_one_answer = |question: &sayso_core::Question| match question.choice() {
            Some(choice) => !choice.multi,
            None => !question.is_long_text(),
        };
        !self.always_reviews
            && matches!(self.form.sheet.questions(), [question] if takes_one_answer(question))
            && self.form.sheet.is_asked(0)
    }

    /// Returns whether the reply has parts that only the review shows as a whole.
    fn needs_review(&self, place: usize) -> bool {
        let reply = self.form.sheet.reply_at(place);
        let is_long = |text: &str| text.contains('\n') || text.chars().count() > SHOWN_CHARS;
        let is_field_long = self.form.field(place).is_some_and(|field| {
            !field.note.is_empty() || field.focus == FieldFocus::Note || is_long(field.text.text())
        });
        is_field_long
            || reply.note.is_some()
            || reply.is_skipped()
            || self.form.unpicked_own_answer(place).is_some()
    }

    /// Returns whether the questionnaire has a review. A person who is there may stay.
    pub(crate) fn has_review(&self) -> bool {
        !self.is_lone() || self.needs_review(0) || self.tab == AskTab::Review
    }

    /// Returns the current question if its page carries the submit button.
    pub(super) fn lone_place(&self) -> Option<usize> {
        self.tab.question_place().filter(|_| !self.has_review())
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

    /// Records that the person moved the cursor.
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
        let (question, field) = (self.form.question(place)?, self.form.field(place)?);
        let reply = self.form.sheet.reply_at(place);
        if super::navigation::is_typed(question) {
            let text = field.text.text();
            return (self.lone_choice.is_made && !text.trim().is_empty())
                .then(|| Reply::from_answer(Answer::Text(text.to_owned())));
        }
        if let Some(choice) = question.choice() {
            if field.focus == FieldFocus::Text {
                let is_typed = self.lone_choice.is_made && !field.text.text().trim().is_empty();
                return is_typed.then(|| self.form.with_own_answer(place, field));
            }
            if self.lone_choice.has_moved && !self.form.is_consent(place) {
                return match choice.item_by_number(self.form.focused_offer(place)? + 1)? {
                    ChoiceItem::Option(option) => Some(Reply::from_picks([Pick::Option(option.id.clone())])),
                    ChoiceItem::Other => Some(reply.clone())
                        .filter(|_| self.form.is_focused_picked(place) && self.lone_choice.is_made),
                };
            }
        }
        (self.lone_choice.is_made && reply.answer().is_some() && !self.form.sheet.is_prefilled(place))
            .then(|| reply.clone())
    }

    /// Returns whether a lone question has an answer that its page can send.
    pub(crate) fn has_choice(&self, place: usize) -> bool {
        self.prospective_reply(place).is_some()
    }

    /// Returns the submit row of the current page, if it carries one.
    pub(crate) fn submit_row(&self, lang: Lang, now: Timestamp) -> Option<SubmitRow> {
        let place = self.lone_place()?;
        let question = self.form.question(place)?;
        let text_of = |message: Message| Some(SubmitRow::Blocked(message.plain(lang).to_owned()));
        if self.is_sending {
            return text_of(Message::SendingNow);
        }
        let prospective = self.prospective_reply(place);
        if self.waits_for_reading(place, prospective.as_ref()) {
            let counts = self.unread_lines(place).unwrap_or_default();
            return Some(SubmitRow::Blocked(Message::LinesNotShown.render_with(lang, counts)));
        }
        let asked = self.form.sheet.questionnaire();
        if self.form.flagged.contains(&place)
            && let Some(problem) = self.form.sheet.blocking_problems_at(place).first()
        {
            return Some(SubmitRow::Blocked(describe::own_problem_text(problem, lang)));
        }
        let Some(reply) = prospective else {
            let kept = self.form.sheet.reply_at(place);
            let is_kept = matches!(kept.content, ReplyContent::Answered(_));
            let words = is_kept.then(|| describe::reply_in_sentence(asked, question, kept, lang));
            return match words {
                Some(words) => Some(SubmitRow::Blocked(Message::EnterKeeps.render_with(lang, [words]))),
                None => text_of(Message::AnswerFirst),
            };
        };
        let answer = describe::reply_in_sentence(asked, question, &reply, lang).render(lang).into_owned();
        let unread = self.unread_lines(place).filter(|_| !is_no(&reply));
        Some(SubmitRow::Ready { answer, unread, is_live: self.guard.is_live(now) })
    }

    /// Records whether the key that is being handled may send: it is a press of its own, and the page showed what it
    /// would send.
    pub(super) fn prepare_press(&mut self, is_own_press: bool, cx: &UpdateContext) {
        let is_shown = |answer: &String| self.lone_choice.shown.as_ref() == Some(answer);
        self.lone_choice.may_send = is_own_press
            && !self.scroll.is_new_page()
            && matches!(
                self.submit_row(cx.lang, cx.instant()),
                Some(SubmitRow::Ready { answer, is_live: true, .. }) if is_shown(&answer)
            );
    }

    /// Presses the button of a lone question's page. On a page without a choice, this only keeps the current answer.
    pub(super) fn press_lone_button(&mut self, cx: &UpdateContext) {
        self.record_choice();
        if std::mem::take(&mut self.lone_choice.may_send) {
            self.guard.arm(cx.instant());
        }
    }
}
