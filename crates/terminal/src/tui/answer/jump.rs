//! Search for a question by its number or a few letters of its label.

use super::{AskTab, AskView, UpdateContext};

impl AskView {
    /// Returns the questions that match a number or words, the best first; all for an empty query.
    pub(crate) fn matching_questions(&self, query: &str) -> Vec<usize> {
        let query = query.trim().to_lowercase();
        let exact = query.parse().ok().and_then(|number| self.sheet.index_of_number(number));
        let words: Vec<&str> = query.split_whitespace().collect();
        let (mut begins, mut contains) = (Vec::new(), Vec::new());
        for (place, question) in self.sheet.asked_questions().filter(|(place, _)| Some(*place) != exact) {
            let name = question.display_name().to_lowercase();
            if name.starts_with(&query) {
                begins.push(place);
            } else if words.iter().all(|word| name.contains(word)) {
                contains.push(place);
            }
        }
        exact.into_iter().chain(begins).chain(contains).collect()
    }

    /// Goes to the question with this index among those that match.
    pub(super) fn jump_to(&mut self, query: &str, at: usize, cx: &UpdateContext) {
        let found = self.matching_questions(query);
        if let Some(place) = found.get(at.min(found.len().saturating_sub(1))) {
            self.go_to(AskTab::Question(*place), cx);
        }
    }
}
