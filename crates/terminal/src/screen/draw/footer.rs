//! Footer: status line, state of the draft, and key hints.

use super::super::answering::{Answering, Focus, Spot};
use super::super::app::App;
use super::super::paper::{Paper, fitted, width};
use super::super::text::Lines;
use super::super::theme::Role;
use super::{Canvas, rule};
use ratatui::layout::Rect;
use sayso_core::{Kind, Message};

impl App {
    /// Draws the footer and returns its height.
    pub(super) fn draw_footer(&self, view: &Answering, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
        let height = usize::from(lines(area.height));
        let columns = usize::from(area.width);
        let is_narrow = columns < super::NARROW;
        let mut builder = Paper::new(&self.setup.theme, columns);
        rule(&mut builder);
        if height > 1 || self.away_since.is_some() || view.told.is_some() || view.drafting.problem.is_some() {
            let (said, role) = self.status(view, is_narrow);
            builder.ours(1, &said, role);
            // A long message is shown in full if the page keeps enough room.
            builder.rows.truncate(1 + (usize::from(area.height) / 6).max(1));
        }
        let keys = Self::keys_here(view, is_narrow).plain(self.setup.lang);
        for line in keys.split('\n').take((height + 1).saturating_sub(builder.rows.len()).max(1)) {
            self.put_keys(line, &mut builder);
        }
        let rows = u16::try_from(builder.rows.len()).unwrap_or(area.height);
        canvas.rows(Rect { y: area.bottom().saturating_sub(rows), height: rows, ..area }, &builder.rows);
        rows
    }

    /// Adds a line of key hints, as many as fit.
    pub(super) fn put_keys(&self, line: &str, builder: &mut Paper<'_>) {
        let theme = &self.setup.theme;
        let line = keys_that(line, |keys| width(&theme.words(keys)) < builder.columns);
        let shown = fitted(&format!(" {}", theme.words(&line)), builder.columns, theme.signs.cut);
        builder.row(vec![builder.span(shown, Role::Faint)]);
    }

    fn status(&self, view: &Answering, is_narrow: bool) -> (String, Role) {
        let lang = self.setup.lang;
        if view.drafting.is_slow(self.steady) {
            return (Message::NotSavedSlow.plain(lang).to_owned(), Role::Wrong);
        }
        if let Some(told) = &view.told {
            return (told.clone(), Role::Warn);
        }
        if let Some(problem) = &view.drafting.problem {
            return (Message::NotSaved.say(lang, [crate::recap::problem(problem, lang)]), Role::Wrong);
        }
        if let Some(since) = self.away_since() {
            return (Message::NotConnectedHere.say(lang, [since]), Role::Warn);
        }
        if let Some(due) = view.ask.due_at() {
            let left = due.duration_since(self.now.timestamp());
            if left.as_secs() <= 600 {
                let seconds = left.as_secs().max(0);
                let left = format!("{}:{:02}", seconds / 60, seconds % 60);
                return (Message::EndsIn.say(lang, [left]), Role::Warn);
            }
        }
        let saved = match view.drafting.saved_at {
            Some(at) => {
                let at = at.to_zoned(self.now.time_zone().clone());
                let saved = if is_narrow { Message::DraftSavedAt } else { Message::DraftSaved };
                saved.say(lang, [at.strftime("%H:%M:%S").to_string()])
            }
            None if is_narrow => Message::NothingSentBrief.plain(lang).to_owned(),
            None => Message::NothingSentYet.plain(lang).to_owned(),
        };
        (saved, Role::Faint)
    }

    /// Returns the key hints of the current context, wide or narrow.
    fn keys_here(view: &Answering, is_narrow: bool) -> Message {
        let (wide, narrow) = match view.spot {
            Spot::Action => (Message::KeysAction, Message::KeysNarrowAction),
            Spot::Review => (Message::KeysReview, Message::KeysNarrowReview),
            Spot::Question(place) => Self::keys_at(view, place),
        };
        if is_narrow { narrow } else { wide }
    }

    fn keys_at(view: &Answering, place: usize) -> (Message, Message) {
        let field = view.field(place);
        let focus = field.map(|field| field.focus).unwrap_or_default();
        let breaks = field.is_some_and(|field| field.text.lines() == Lines::Many);
        let kind = view.question(place).map(|question| &question.kind);
        match (focus, kind) {
            (Focus::Filter, _) => (Message::KeysFilter, Message::KeysNarrowFilter),
            (Focus::Note, _) => (Message::KeysNote, Message::KeysNarrowNote),
            (Focus::Text, _) if breaks => (Message::KeysLongText, Message::KeysNarrowLongText),
            (Focus::Text, Some(Kind::Number(_))) => (Message::KeysNumber, Message::KeysNarrowText),
            (Focus::Text, Some(kind)) if kind.is_date_or_time() => {
                (Message::KeysDate, Message::KeysNarrowText)
            }
            (Focus::Text, _) => (Message::KeysText, Message::KeysNarrowText),
            (Focus::Body, Some(Kind::Choice(choice))) => {
                let wide = match (choice.multi, choice.other) {
                    (true, true) => Message::KeysSeveralOwn,
                    (true, false) => Message::KeysSeveral,
                    (false, true) => Message::KeysChoiceOwn,
                    (false, false) => Message::KeysChoice,
                };
                (wide, Message::KeysNarrowChoice)
            }
            (Focus::Body, Some(Kind::Confirm(_))) => (Message::KeysConfirm, Message::KeysNarrowConfirm),
            (Focus::Body, Some(Kind::Rating(_))) => (Message::KeysRating, Message::KeysNarrowRating),
            (Focus::Body, _) => (Message::KeysBoxLeft, Message::KeysNarrowBoxLeft),
        }
    }
}

/// Drops key hints until the line fits. The hint for the help, and those after it, stay.
fn keys_that(line: &str, fit: impl Fn(&str) -> bool) -> String {
    let mut keys: Vec<_> = line.split("  ").collect();
    while keys.len() > 1 && !fit(&keys.join("  ")) {
        let all = keys.iter().position(|key| key.starts_with(['?', '？']) || key.starts_with("F1"));
        let Some(last) = all.unwrap_or(keys.len()).checked_sub(1) else { break };
        keys.remove(last);
    }
    let line = keys.join("  ");
    match line.rsplit_once(" · ") {
        Some((begins, _)) if !fit(&line) => begins.to_owned(),
        _ => line,
    }
}

/// Returns the number of footer lines below its rule.
pub(super) const fn lines(height: u16) -> u16 {
    match height {
        0..=11 => 1,
        12..=19 => 2,
        _ => 3,
    }
}
