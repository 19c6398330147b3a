//! Sections as steps: each is one page, and its fields are tabs.

use super::AskView;
use sayso_core::SectionId;

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

    /// Returns the asker's label of the button that leaves a question's section for the next one.
    pub(crate) fn section_label(&self, place: usize) -> Option<&str> {
        let section = self.question(place)?.section.as_ref()?;
        self.label_of(section)
    }

    /// Returns the asker's label of the submit button: that of the last section that is asked, or of the whole form.
    pub(crate) fn submit_label(&self) -> Option<&str> {
        let last =
            self.sheet.asked_questions().next_back().and_then(|(_, question)| question.section.as_ref());
        last.and_then(|section| self.label_of(section)).or(self.sheet.questionnaire().submit.as_deref())
    }

    fn label_of(&self, section: &SectionId) -> Option<&str> {
        self.sheet.questionnaire().section(section)?.submit.as_deref()
    }

    /// Returns whether Enter leads from the last question of a section to the next section.
    pub(crate) fn leads_to_next_section(&self, step: &SectionStep) -> bool {
        step.next.is_some() && step.after.is_empty() && !self.review.is_origin()
    }
}
