//! The rows below a page: what was last said, whether the draft is safe, and the keys that work here.

use super::super::answering::{Answering, Focus, Spot};
use super::super::app::App;
use super::super::paper::{Paper, fitted};
use super::super::theme::Role;
use super::{Canvas, rule};
use ratatui::layout::Rect;
use sayso_core::{Kind, Message};

impl App {
    /// Draws the rows below the page, and says how many they are.
    pub(super) fn draw_footer(&self, answering: &Answering, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
        let height = lines(area.height);
        let columns = usize::from(area.width);
        let mut paper = Paper::new(&self.setup.theme, columns);
        rule(&mut paper);
        let cut = self.setup.theme.signs.cut;
        if height > 1 || answering.told.is_some() {
            let (said, role) = self.status(answering);
            paper.row(vec![paper.span(fitted(&format!(" {said}"), columns, cut), role)]);
        }
        let keys = Self::keys_here(answering);
        let keys = match (columns < super::NARROW, answering.is_typing()) {
            (false, _) => keys,
            (true, true) => Message::KeysNarrowText,
            (true, false) => Message::KeysNarrow,
        };
        for line in keys.plain(self.setup.lang).split('\n') {
            if paper.rows.len() > usize::from(height) {
                break;
            }
            self.put_keys(line, &mut paper);
        }
        let rows = u16::try_from(paper.rows.len()).unwrap_or(height);
        canvas.rows(Rect { y: area.bottom().saturating_sub(rows), height: rows, ..area }, &paper.rows);
        rows
    }

    /// A line about keys, cut where the screen ends.
    pub(super) fn put_keys(&self, line: &str, paper: &mut Paper<'_>) {
        let line = if self.setup.theme.signs.dot.is_ascii() { in_ascii(line) } else { line.to_owned() };
        let shown = fitted(&format!(" {line}"), paper.columns, self.setup.theme.signs.cut);
        paper.row(vec![paper.span(shown, Role::Faint)]);
    }

    fn status(&self, answering: &Answering) -> (String, Role) {
        let lang = self.setup.lang;
        if answering.drafting.is_slow(self.now.timestamp()) {
            return (Message::NotSavedSlow.plain(lang).to_owned(), Role::Wrong);
        }
        if let Some(told) = &answering.told {
            return (told.clone(), Role::Warn);
        }
        if let Some(problem) = &answering.drafting.problem {
            return (Message::NotSaved.say(lang, [crate::recap::problem(problem, lang)]), Role::Wrong);
        }
        if let Some(due) = answering.ask.due_at() {
            let left = due.duration_since(self.now.timestamp());
            if left.as_secs() <= 600 {
                let minutes = left.as_secs().max(0);
                let left = format!("{}:{:02}", minutes / 60, minutes % 60);
                return (Message::EndsIn.say(lang, [left]), Role::Warn);
            }
        }
        let saved = match answering.drafting.saved_at {
            Some(at) => {
                let at = at.to_zoned(self.now.time_zone().clone());
                Message::DraftSaved.say(lang, [at.strftime("%H:%M:%S").to_string()])
            }
            None => Message::NothingSentYet.plain(lang).to_owned(),
        };
        (saved, Role::Faint)
    }

    fn keys_here(answering: &Answering) -> Message {
        let Spot::Question(place) = answering.spot else {
            return if answering.spot == Spot::Review { Message::KeysReview } else { Message::KeysAction };
        };
        let focus = answering.field(place).map(|field| field.focus).unwrap_or_default();
        let kind = answering.question(place).map(|question| &question.kind);
        match (focus, kind) {
            (Focus::Filter, _) => Message::KeysFilter,
            (Focus::Note, _) => Message::KeysNote,
            (Focus::Text, Some(Kind::Text(entry))) if entry.long => Message::KeysLongText,
            (Focus::Text, Some(Kind::Number(_))) => Message::KeysNumber,
            (Focus::Text, _) => Message::KeysText,
            (Focus::Body, Some(Kind::Choice(choice))) if choice.multi => Message::KeysSeveral,
            (Focus::Body, Some(Kind::Choice(_))) => Message::KeysChoice,
            (Focus::Body, Some(Kind::Confirm(_))) => Message::KeysConfirm,
            (Focus::Body, Some(Kind::Rating(_))) => Message::KeysRating,
            (Focus::Body, _) => Message::KeysBoxLeft,
        }
    }
}

/// How many lines a footer has below its rule.
pub(super) const fn lines(height: u16) -> u16 {
    match height {
        0..=11 => 1,
        12..=19 => 2,
        _ => 3,
    }
}

fn in_ascii(line: &str) -> String {
    line.replace("↑↓", "Up/Down")
        .replace("←→", "Left/Right")
        .replace('⇧', "Shift-")
        .replace('·', "-")
        .replace('▸', ">")
}
