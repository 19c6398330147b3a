//! Names that askers give to the buttons of their forms. Beside an action there is none: only our own words lead to a
//! consent.

use sayso_core::{SectionId, Sheet};

/// Returns the name of the button that leads from a section to the next one.
pub(crate) fn section_label<'s>(sheet: &'s Sheet, section: &SectionId) -> Option<&'s str> {
    if !shows_labels(sheet) {
        return None;
    }
    sheet.questionnaire().section(section)?.submit.as_deref()
}

/// Returns the name of the button that sends: that of the last section that is asked, or of the whole form.
pub(crate) fn submit_label(sheet: &Sheet) -> Option<&str> {
    if !shows_labels(sheet) {
        return None;
    }
    if let Some((_, last_question)) = sheet.asked_questions().next_back()
        && let Some(section) = &last_question.section
        && let Some(label) = section_label(sheet, section)
    {
        return Some(label);
    }
    sheet.questionnaire().submit.as_deref()
}

/// Returns the name of the button that declines.
pub(crate) fn decline_label(sheet: &Sheet) -> Option<&str> {
    if shows_labels(sheet) { sheet.questionnaire().cancel.as_deref() } else { None }
}

/// Returns the name of the button that leads to the section of a question, if it is the first one asked there.
pub(crate) fn label_before(sheet: &Sheet, place: usize) -> Option<&str> {
    let (_, previous_question) = sheet.asked_questions().rfind(|(other, _)| *other < place)?;
    let previous_section = previous_question.section.as_ref()?;
    if sheet.questions().get(place)?.section.as_ref() == Some(previous_section) {
        return None;
    }
    section_label(sheet, previous_section)
}

fn shows_labels(sheet: &Sheet) -> bool {
    sheet.questionnaire().action.is_none()
}
