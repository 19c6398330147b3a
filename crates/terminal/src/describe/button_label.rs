//! Names that askers give to the buttons of their forms. Beside an action there is none: only our own words lead to a
//! consent.

use sayso_core::{SectionId, Sheet};

/// Returns the name of the button that leads from a section to the next one.
pub(crate) fn section_label<'s>(sheet: &'s Sheet, section: &SectionId) -> Option<&'s str> {
    let label = sheet.questionnaire().section(section)?.submit.as_deref();
    label.filter(|_| shows_labels(sheet))
}

/// Returns the name of the button that sends: that of the last section that is asked, or of the whole form.
pub(crate) fn submit_label(sheet: &Sheet) -> Option<&str> {
    let last = sheet.asked_questions().next_back().and_then(|(_, question)| question.section.as_ref());
    let label = last.and_then(|section| section_label(sheet, section));
    label.or(sheet.questionnaire().submit.as_deref()).filter(|_| shows_labels(sheet))
}

/// Returns the name of the button that declines.
pub(crate) fn decline_label(sheet: &Sheet) -> Option<&str> {
    sheet.questionnaire().cancel.as_deref().filter(|_| shows_labels(sheet))
}

/// Returns the name of the button that leads to the section of a question, if it is the first one asked there.
pub(crate) fn label_before(sheet: &Sheet, place: usize) -> Option<&str> {
    let (_, before) = sheet.asked_questions().rfind(|(at, _)| *at < place)?;
    let before = before.section.as_ref()?;
    let here = sheet.questions().get(place)?.section.as_ref();
    (here != Some(before)).then(|| section_label(sheet, before)).flatten()
}

fn shows_labels(sheet: &Sheet) -> bool {
    sheet.questionnaire().action.is_none()
}
