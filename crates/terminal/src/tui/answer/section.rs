//! Sections as steps: each is one page, and its fields are tabs.

use super::AskView;
use sayso_core::Question;

/// Section of the current question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SectionStep {
    /// Questions of the section that are asked before the current one.
    pub(crate) before: Vec<usize>,
    /// Questions of the section that are asked after it.
    pub(crate) after: Vec<usize>,
    /// First question of the next section.
    pub(crate) next: Option<usize>,
}

impl AskView {
    /// Returns the step that a question belongs to, if the questionnaire has several sections.
    pub(crate) fn section_step(&self, place: usize) -> Option<SectionStep> {
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

    /// Returns whether Enter leads from the last question of a section to the next section.
    pub(crate) fn leads_to_next_section(&self, place: usize, step: &SectionStep) -> bool {
        // In a long text Enter is a new line.
        let is_long = self.question(place).is_some_and(Question::is_long_text);
        step.next.is_some() && step.after.is_empty() && !is_long && !self.review.is_origin()
    }
}
