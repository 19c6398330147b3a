//! Options and own answer of a choice: what the filter shows, what has the focus, what is picked.

use super::{AnswerForm, FieldFocus, FieldState, is_own, is_picked, own_answer, picks};
use sayso_core::{Answer, ChoiceItem, ChoiceOption, ChoiceQuestion, Pick, Reply, ReplyContent};

impl AnswerForm {
    pub(in crate::tui) fn choice(&self, place: usize) -> Option<&ChoiceQuestion> {
        self.question(place)?.choice()
    }

    /// Returns the visible offers as indices into all offers.
    pub(in crate::tui) fn visible_offers(&self, place: usize) -> Vec<usize> {
        let (Some(choice), Some(field)) = (self.choice(place), self.field(place)) else { return Vec::new() };
        field.matching_offers(choice, self.sheet.reply_at(place))
    }

    /// Returns the focused offer as an index into all offers.
    pub(in crate::tui) fn focused_offer(&self, place: usize) -> Option<usize> {
        let offers = self.visible_offers(place);
        let at = self.field(place)?.cursor.min(offers.len().saturating_sub(1));
        offers.get(at).copied()
    }

    /// Returns whether the focused offer is picked; false if the filter hides all.
    pub(in crate::tui) fn is_focused_picked(&self, place: usize) -> bool {
        let (Some(choice), Some(index)) = (self.choice(place), self.focused_offer(place)) else {
            return false;
        };
        let Some(offer) = choice.item_by_number(index + 1) else { return false };
        is_picked(self.sheet.reply_at(place), &offer)
    }

    /// Returns the reply with the own answer as typed so far. While nothing is typed, the earlier picks remain.
    pub(in crate::tui) fn with_own_answer(&self, place: usize, field: &FieldState) -> Reply {
        let reply = self.sheet.reply_at(place).clone();
        let Some(choice) = self.choice(place) else { return reply };
        let rules = &self.sheet.questionnaire().rules;
        let text = field.text.text();
        let has_own = own_answer(reply.answer()).is_some();
        if field.focus != FieldFocus::Text && !has_own {
            return reply.with_unused_other(Some(text.to_owned()));
        }
        let mut new_picks = picks(&reply).to_vec();
        if rules.is_blank(text) && !rules.empty_other {
            new_picks.retain(|pick| !is_own(pick));
        } else {
            let own = Pick::Other(text.to_owned());
            match new_picks.iter_mut().find(|pick| is_own(pick)) {
                Some(pick) => *pick = own,
                None if choice.multi && !rules.other_alone => new_picks.push(own),
                None => new_picks = vec![own],
            }
        }
        let content = match (new_picks.is_empty(), &reply.content) {
            (true, ReplyContent::Skipped) => ReplyContent::Skipped,
            (true, _) => ReplyContent::Unanswered,
            (false, _) => ReplyContent::Answered(Answer::Picks(new_picks.into())),
        };
        // White space alone is no answer, but is kept.
        let unused_other = if rules.is_blank(text) { Some(text.to_owned()) } else { None };
        Reply { content, ..Reply::default() }.with_unused_other(unused_other)
    }

    /// Returns the focused option and its number, if there is more of it to read than its label.
    pub(in crate::tui) fn focused_option(&self, place: usize) -> Option<(usize, &ChoiceOption)> {
        let number = self.focused_offer(place)? + 1;
        match self.choice(place)?.item_by_number(number)? {
            ChoiceItem::Option(option) if option.preview.is_some() || option.description.is_some() => {
                Some((number, option))
            }
            ChoiceItem::Option(_) | ChoiceItem::Other => None,
        }
    }

    /// Returns the own answer that was typed and is not picked.
    pub(in crate::tui) fn unpicked_own_answer(&self, place: usize) -> Option<&str> {
        let reply = self.sheet.reply_at(place);
        if own_answer(reply.answer()).is_some() {
            return None;
        }
        reply.unused_other.as_deref()
    }
}
