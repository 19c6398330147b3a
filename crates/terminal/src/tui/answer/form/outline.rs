//! Outline of the questionnaire: its sections, the places of its action and context, and the search for a question.

use super::AnswerForm;
use sayso_core::ConsentQuestions;

/// Section of the current question.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::tui) struct SectionStep {
    /// Questions of the section that are asked before the current one.
    pub(in crate::tui) before: Vec<usize>,
    /// Questions of the section that are asked after it.
    pub(in crate::tui) after: Vec<usize>,
    /// First question of the next section.
    pub(in crate::tui) next: Option<usize>,
}

impl AnswerForm {
    /// Returns the step that a question belongs to, if the questionnaire has several sections.
    pub(in crate::tui) fn section_step(&self, place: usize) -> Option<SectionStep> {
        if self.sheet.questionnaire().sections.len() < 2 {
            return None;
        }
        let section = self.question(place)?.section.as_ref()?;
        let mut step = SectionStep { before: Vec::new(), after: Vec::new(), next: None };
        for (at, question) in self.sheet.asked_questions() {
            match question.section.as_ref() == Some(section) {
                true if at < place => step.before.push(at),
                true if at > place => step.after.push(at),
                true => {}
                false if at > place => {
                    step.next = Some(at);
                    break;
                }
                false => {}
            }
        }
        Some(step)
    }

    fn first_place(&self) -> Option<usize> {
        let (place, _) = self.sheet.asked_questions().next()?;
        Some(place)
    }

    /// Returns the first question that takes consent.
    fn consent_place(&self) -> Option<usize> {
        let consent = ConsentQuestions::for_questionnaire(self.sheet.questionnaire());
        let (place, _) = self.sheet.asked_questions().find(|(_, question)| consent.includes(question))?;
        Some(place)
    }

    /// Returns the question that is below the action: the first one that takes consent, or else the first one.
    pub(in crate::tui) fn action_place(&self) -> Option<usize> {
        self.sheet.questionnaire().action.as_ref()?;
        self.consent_place().or(self.first_place())
    }

    /// Returns the context of the questionnaire if it belongs to this question: the one with the action, or else the
    /// first one, and again the first one that takes consent.
    pub(in crate::tui) fn context_at(&self, place: usize) -> Option<&str> {
        let context = self.sheet.questionnaire().context.as_deref()?;
        let belongs = match self.action_place() {
            Some(action) => action == place,
            None => [self.first_place(), self.consent_place()].contains(&Some(place)),
        };
        if belongs { Some(context) } else { None }
    }

    /// Returns the questions that match a number or words, the best first; all for an empty query.
    pub(in crate::tui) fn matching_questions(&self, query: &str) -> Vec<usize> {
        let query = query.trim().to_lowercase();
        let mut best = Vec::new();
        if let Ok(number) = query.parse() {
            best.extend(self.sheet.index_of_number(number));
        }
        let numbered_place = best.first().copied();
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut others = Vec::new();
        for (place, question) in self.sheet.asked_questions() {
            if Some(place) == numbered_place {
                continue;
            }
            let name = question.display_name().to_lowercase();
            if name.starts_with(&query) {
                best.push(place);
            } else if words.iter().all(|word| name.contains(word)) {
                others.push(place);
            }
        }
        best.extend(others);
        best
    }
}
