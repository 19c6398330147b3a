//! View of a test: the cells of the screen, and the ask and its draft at the desk.

use super::ScreenStage;
use crate::tui::effect::DeskCall;
use crate::tui::widgets::line_builder::display_width;
use ratatui::style::Modifier;
use sayso_core::model::ask::AskPhase;
use sayso_core::wire::json;
use sayso_core::{Ask, Outcome, QuestionId, Reply};
use sayso_desk::Desk as _;

impl ScreenStage {
    /// Returns the first cell of this text.
    pub(in crate::tui::tests) fn find(&self, words: &str) -> Option<(u16, u16)> {
        let letters: Vec<_> = words.chars().map(String::from).collect();
        let area = self.buffer.area;
        (0..area.height).find_map(|y| {
            let row: Vec<_> = (0..area.width).map(|x| self.buffer[(x, y)].symbol()).collect();
            let x = row.windows(letters.len()).position(|cells| cells.iter().eq(letters.iter()))?;
            Some((u16::try_from(x).unwrap(), y))
        })
    }

    /// Returns the rows of the screen without trailing spaces.
    pub(in crate::tui::tests) fn screen(&self) -> String {
        let area = self.buffer.area;
        let row = |y| {
            let (mut row, mut x) = (String::new(), 0);
            while x < area.width {
                let symbol = self.buffer[(x, y)].symbol();
                row.push_str(symbol);
                // The second cell of a wide character is skipped.
                x += u16::try_from(display_width(symbol).max(1)).unwrap();
            }
            row.trim_end().to_owned()
        };
        (0..area.height).map(row).collect::<Vec<_>>().join("\n")
    }

    /// Returns the reversed text, row by row.
    pub(in crate::tui::tests) fn reversed_text(&self) -> Vec<String> {
        let area = self.buffer.area;
        let mut found = Vec::new();
        for y in 0..area.height {
            let mut run = String::new();
            for x in 0..area.width {
                let cell = &self.buffer[(x, y)];
                if cell.modifier.contains(Modifier::REVERSED) {
                    run.push_str(cell.symbol());
                } else if !run.is_empty() {
                    found.push(std::mem::take(&mut run));
                }
            }
            if !run.is_empty() {
                found.push(run);
            }
        }
        found
    }

    pub(in crate::tui::tests) fn shows(&self, words: &str) -> bool {
        self.screen().contains(words)
    }

    #[track_caller]
    pub(in crate::tui::tests) fn must_show(&self, words: &str) {
        assert!(self.shows(words), "{words:?} is not on\n{}", self.screen());
    }

    #[track_caller]
    pub(in crate::tui::tests) fn must_not_show(&self, words: &str) {
        assert!(!self.shows(words), "{words:?} is on\n{}", self.screen());
    }

    /// Returns whether these words of ours are on the screen, on one row or several.
    fn shows_wrapped(&self, words: &str) -> bool {
        // A dialog's edges stand between the lines of its text.
        let is_text = |c: &char| !c.is_whitespace() && !['│', '|'].contains(c);
        let letters = |text: &str| text.chars().filter(is_text).collect::<String>();
        letters(&self.screen()).contains(&letters(words))
    }

    #[track_caller]
    pub(in crate::tui::tests) fn must_show_wrapped(&self, words: &str) {
        assert!(self.shows_wrapped(words), "{words:?} is not on\n{}", self.screen());
    }

    #[track_caller]
    pub(in crate::tui::tests) fn must_not_show_wrapped(&self, words: &str) {
        assert!(!self.shows_wrapped(words), "{words:?} is on\n{}", self.screen());
    }

    pub(in crate::tui::tests) fn ask(&self) -> Ask {
        self.desk.get(self.id.unwrap()).unwrap()
    }

    /// Returns the stored reply to a question of the first ask's draft.
    pub(in crate::tui::tests) fn stored_reply(&self, question: &str) -> Reply {
        let draft = self.desk.draft(self.id.unwrap()).unwrap();
        draft.replies.get(&QuestionId::new(question)).cloned().unwrap_or_default()
    }

    /// Returns the submitted reply to a question of the first ask.
    pub(in crate::tui::tests) fn submitted_reply(&self, question: &str) -> Option<Reply> {
        let ask = self.ask();
        let replies = match (&ask.state.phase, ask.outcome()) {
            (AskPhase::Submitted { submission, .. }, _) => &submission.replies,
            (_, Some(Outcome::Answered { replies, .. })) => replies,
            _ => return None,
        };
        replies.get(&QuestionId::new(question)).cloned()
    }

    pub(in crate::tui::tests) fn is_open(&self) -> bool {
        matches!(self.ask().state.phase, AskPhase::Open { .. })
    }

    /// Returns the number of acts.
    pub(in crate::tui::tests) fn act_count(&self) -> usize {
        self.calls.iter().filter(|call| matches!(call, DeskCall::Act { .. })).count()
    }

    /// Returns the first ask's draft as JSON, for comparison.
    pub(in crate::tui::tests) fn draft_json(&self) -> String {
        json::write(&self.desk.draft(self.id.unwrap()).unwrap().replies)
    }
}
