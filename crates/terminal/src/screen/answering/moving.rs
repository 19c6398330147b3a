//! Navigation between tabs.

use super::{Answering, Field, Focus, Moment, Scroll, Spot};
use crate::recap;
use sayso_core::{Answer, ConsentQuestions, Kind};

impl Answering {
    /// Returns the tabs: the action, the questions that are asked, the review.
    pub(crate) fn tabs(&self) -> Vec<Spot> {
        let action = self.sheet.questionnaire().action.as_ref().map(|_| Spot::Action);
        let questions = self.sheet.asked().map(|(place, _)| Spot::Question(place));
        action.into_iter().chain(questions).chain([Spot::Review]).collect()
    }

    /// Goes to a tab. Keeps the text typed at the last one, and shows its problems from now on.
    pub(crate) fn go(&mut self, spot: Spot, cx: &Moment) {
        self.settle_text(cx);
        if let Some(place) = self.spot.place() {
            self.take_filter_away(place);
        }
        if let Some((place, question)) = self.here() {
            let wrong = self.sheet.wrong(place);
            let is_empty = self.sheet.reply_at(place).is_unanswered();
            let is_text = matches!(question.kind, Kind::Text(_));
            if !wrong.is_empty() && (!is_empty || is_text && self.flagged.contains(&place)) {
                self.flagged.insert(place);
            }
            if let Some(field) = self.field_mut(place) {
                field.focus = Focus::Body;
                field.digits.clear();
            }
        }
        if spot != self.spot {
            // Frees fields that were only looked at: a thousand of them cost nothing.
            if let Some(place) = self.spot.place()
                && self.field(place).is_some_and(Field::is_untouched)
            {
                self.fields.remove(&place);
            }
            // A question is read from its start, even if the focused element is far below.
            self.scroll = if spot == Spot::Review { Scroll::Keys } else { Scroll::Beginning };
            self.is_undrawn = true;
            self.arrived = cx.at();
        }
        self.spot = spot;
        match spot {
            Spot::Question(place) => {
                let types = self.question(place).is_some_and(|question| is_typed(&question.kind));
                let many = self.question(place).map(wants_filter).unwrap_or_default();
                if let Some(field) = self.field_mut(place) {
                    field.focus = match (types, many) {
                        (true, _) => Focus::Text,
                        (false, true) => Focus::Filter,
                        (false, false) => Focus::Body,
                    };
                }
            }
            Spot::Review => {
                self.row = self.review_start();
                self.from_review = true;
            }
            Spot::Action => {}
        }
    }

    fn step(&mut self, forward: bool, cx: &Moment) {
        let tabs = self.tabs();
        let at = tabs.iter().position(|spot| *spot == self.spot).unwrap_or_default();
        let next = if forward { (at + 1).min(tabs.len() - 1) } else { at.saturating_sub(1) };
        if let Some(spot) = tabs.get(next).copied().filter(|spot| *spot != self.spot) {
            self.go(spot, cx);
        }
    }

    pub(crate) fn next_tab(&mut self, cx: &Moment) {
        self.step(true, cx);
    }

    pub(crate) fn tab_before(&mut self, cx: &Moment) {
        self.step(false, cx);
    }

    /// Goes to the tab with this index.
    pub(crate) fn tab(&mut self, number: usize, cx: &Moment) {
        if let Some(spot) = self.tabs().get(number).copied() {
            self.go(spot, cx);
        }
    }

    /// Leaves an answered question: for one that its answer brought up, for the next one, or for the review that opened
    /// it.
    pub(crate) fn next(&mut self, cx: &Moment) {
        self.settle_text(cx);
        let Some(place) = self.spot.place() else { return self.next_tab(cx) };
        if self.sheet.is_prefilled(place) {
            // Going on accepts a prefilled answer.
            let reply = self.sheet.reply_at(place).clone();
            self.put(place, reply, cx);
        }
        let problems = self.sheet.lacks(place);
        if !problems.is_empty() {
            self.flagged.insert(place);
            // On a low screen the problem may be below the last row.
            self.told = problems.first().map(|problem| recap::problem_as_ours(problem, cx.lang));
            return;
        }
        if !self.from_review {
            return self.next_tab(cx);
        }
        self.brought_up.remove(&place);
        let next = self.brought_up.iter().copied().find(|place| self.sheet.is_open(*place));
        self.go(next.map_or(Spot::Review, Spot::Question), cx);
    }

    /// Accepts the asker's suggestion at every unanswered question and goes to the review. Returns the number of
    /// questions that it filled in.
    pub(crate) fn take_suggestions(&mut self, cx: &Moment) -> usize {
        let mut taken = Vec::new();
        let consent = ConsentQuestions::of(self.sheet.questionnaire());
        loop {
            let open = self.sheet.asked().find_map(|(place, question)| {
                let Kind::Choice(choice) = &question.kind else { return None };
                let free = self.sheet.reply_at(place).is_unanswered() && !taken.contains(&place);
                let starred = choice.options.iter().filter(|option| consent.suggests(question, option));
                let picks: Vec<_> = starred
                    .take(if choice.multi { usize::MAX } else { 1 })
                    .map(|option| sayso_core::Pick::Option(option.id.clone()))
                    .collect();
                (free && !picks.is_empty()).then_some((place, picks))
            });
            let Some((place, picks)) = open else { break };
            let reply = self.sheet.reply_at(place).clone();
            let answer = sayso_core::Said::Answer(Answer::Picks(picks.into()));
            self.put_undoably(place, sayso_core::Reply { said: answer, ..reply }, cx);
            self.suggested.insert(place);
            self.fields.remove(&place);
            taken.push(place);
        }
        if !taken.is_empty() {
            self.go(Spot::Review, cx);
        }
        taken.len()
    }
}

/// Returns whether answers of this kind are typed.
pub(crate) const fn is_typed(kind: &Kind) -> bool {
    matches!(kind, Kind::Text(_) | Kind::Number(_)) || kind.is_date_or_time()
}

/// Returns whether a choice has so many options that it opens with its filter focused.
fn wants_filter(question: &sayso_core::Question) -> bool {
    const LOOKED_THROUGH: usize = 12;
    matches!(&question.kind, Kind::Choice(choice) if choice.offered() > LOOKED_THROUGH)
}
