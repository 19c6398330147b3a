//! Footer: status line, state of the draft, and key hints.

use super::super::answer::{AskTab, AskView, FieldFocus};
use super::super::app::App;
use super::super::editor::LineMode;
use super::super::widgets::line_builder::{LineBuilder, display_width, truncate_to_width};
use super::super::widgets::theme::StyleRole;
use super::{FrameCanvas, push_rule};
use ratatui::layout::Rect;
use sayso_core::{Message, QuestionKind};

impl App {
    /// Draws the footer and returns its height.
    pub(super) fn draw_footer(&self, view: &AskView, area: Rect, canvas: &mut FrameCanvas<'_>) -> u16 {
        let height = usize::from(footer_lines(area.height));
        let columns = usize::from(area.width);
        let is_narrow = columns < super::NARROW_COLUMNS;
        let mut builder = LineBuilder::new(&self.setup.theme, columns);
        push_rule(&mut builder);
        if height > 1
            || self.unreachable_since.is_some()
            || view.notice.is_some()
            || view.autosave.problem.is_some()
        {
            let (said, role) = self.status_line(view, is_narrow);
            builder.push_own(1, &said, role);
            // A long message is shown in full if the page keeps enough room.
            builder.rows.truncate(1 + (usize::from(area.height) / 6).max(1));
        }
        let keys = Self::key_hints(view, is_narrow).plain(self.setup.lang);
        for line in keys.split('\n').take((height + 1).saturating_sub(builder.rows.len()).max(1)) {
            self.put_keys(line, &mut builder);
        }
        let rows = u16::try_from(builder.rows.len()).unwrap_or(area.height);
        canvas.draw_rows(Rect { y: area.bottom().saturating_sub(rows), height: rows, ..area }, &builder.rows);
        rows
    }

    /// Adds a line of key hints, as many as fit.
    pub(super) fn put_keys(&self, line: &str, builder: &mut LineBuilder<'_>) {
        let theme = &self.setup.theme;
        let line = fit_key_hints(line, |keys| display_width(&theme.adapt_text(keys)) < builder.columns);
        let shown = truncate_to_width(
            &format!(" {}", theme.adapt_text(&line)),
            builder.columns,
            theme.symbols.ellipsis,
        );
        builder.push_row(vec![builder.span(shown, StyleRole::Faint)]);
    }

    fn status_line(&self, view: &AskView, is_narrow: bool) -> (String, StyleRole) {
        let lang = self.setup.lang;
        if view.autosave.is_slow(self.monotonic) {
            return (Message::NotSavedSlow.plain(lang).to_owned(), StyleRole::Failure);
        }
        if let Some(told) = &view.notice {
            return (told.clone(), StyleRole::Warning);
        }
        if let Some(problem) = &view.autosave.problem {
            return (
                Message::NotSaved.render_with(lang, [crate::describe::problem_text(problem, lang)]),
                StyleRole::Failure,
            );
        }
        if let Some(since) = self.unreachable_since_text() {
            return (Message::NotConnectedHere.render_with(lang, [since]), StyleRole::Warning);
        }
        if let Some(due) = view.ask.due_at() {
            let left = due.duration_since(self.now.timestamp());
            if left.as_secs() <= 600 {
                let seconds = left.as_secs().max(0);
                let left = format!("{}:{:02}", seconds / 60, seconds % 60);
                return (Message::EndsIn.render_with(lang, [left]), StyleRole::Warning);
            }
        }
        let saved = match view.autosave.saved_at {
            Some(at) => {
                let at = at.to_zoned(self.now.time_zone().clone());
                let saved = if is_narrow { Message::DraftSavedAt } else { Message::DraftSaved };
                saved.render_with(lang, [at.strftime("%H:%M:%S").to_string()])
            }
            None if is_narrow => Message::NothingSentBrief.plain(lang).to_owned(),
            None => Message::NothingSentYet.plain(lang).to_owned(),
        };
        (saved, StyleRole::Faint)
    }

    /// Returns the key hints of the current context, wide or narrow.
    fn key_hints(view: &AskView, is_narrow: bool) -> Message {
        let (wide, narrow) = match view.tab {
            AskTab::Action => (Message::KeysAction, Message::KeysNarrowAction),
            AskTab::Review => (Message::KeysReview, Message::KeysNarrowReview),
            AskTab::Question(place) => Self::question_key_hints(view, place),
        };
        if is_narrow { narrow } else { wide }
    }

    fn question_key_hints(view: &AskView, place: usize) -> (Message, Message) {
        let field = view.field(place);
        let focus = field.map(|field| field.focus).unwrap_or_default();
        let breaks = field.is_some_and(|field| field.text.line_mode() == LineMode::Multiple);
        let kind = view.question(place).map(|question| &question.kind);
        match (focus, kind) {
            (FieldFocus::Filter, _) => (Message::KeysFilter, Message::KeysNarrowFilter),
            (FieldFocus::Note, _) => (Message::KeysNote, Message::KeysNarrowNote),
            (FieldFocus::Text, _) if breaks => (Message::KeysLongText, Message::KeysNarrowLongText),
            (FieldFocus::Text, Some(QuestionKind::Number(_))) => {
                (Message::KeysNumber, Message::KeysNarrowText)
            }
            (FieldFocus::Text, Some(kind)) if kind.is_date_or_time() => {
                (Message::KeysDate, Message::KeysNarrowText)
            }
            (FieldFocus::Text, _) => (Message::KeysText, Message::KeysNarrowText),
            (FieldFocus::Question, Some(QuestionKind::Choice(choice))) => {
                let wide = match (choice.multi, choice.other) {
                    (true, true) => Message::KeysSeveralOwn,
                    (true, false) => Message::KeysSeveral,
                    (false, true) => Message::KeysChoiceOwn,
                    (false, false) => Message::KeysChoice,
                };
                (wide, Message::KeysNarrowChoice)
            }
            (FieldFocus::Question, Some(QuestionKind::Confirm(_))) => {
                (Message::KeysConfirm, Message::KeysNarrowConfirm)
            }
            (FieldFocus::Question, Some(QuestionKind::Rating(_))) => {
                (Message::KeysRating, Message::KeysNarrowRating)
            }
            (FieldFocus::Question, _) => (Message::KeysBoxLeft, Message::KeysNarrowBoxLeft),
        }
    }
}

/// Drops key hints until the line fits. The hint for the help, and those after it, stay.
fn fit_key_hints(line: &str, fit: impl Fn(&str) -> bool) -> String {
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
pub(super) const fn footer_lines(height: u16) -> u16 {
    match height {
        0..=11 => 1,
        12..=19 => 2,
        _ => 3,
    }
}
