//! Pagers: texts of the asker as a whole, of which a page shows a part.

use super::super::dialog::{Dialog, Pager, QuotedText};
use super::{AskView, UpdateContext};
use sayso_core::Message;

/// Opens the whole context of the current question, which its page cuts.
pub(super) fn show_context(view: &mut AskView) {
    let Some((place, question)) = view.current_question() else { return };
    let parts = [view.form.context_at(place), question.detail.as_deref()];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let pager = Pager::new(Message::ContextTitle, String::new(), QuotedText::Markdown(text));
    view.dialog = Some(Dialog::Pager(pager));
}

/// Opens the whole action.
pub(super) fn view_action(view: &mut AskView) {
    if let Some(action) = &view.form.sheet.questionnaire().action {
        let quoted_text = QuotedText::Action(Box::new(action.clone()));
        view.dialog = Some(Dialog::Pager(Pager::new(Message::TabAction, String::new(), quoted_text)));
    }
}

pub(super) fn show_preview(view: &mut AskView, place: usize, cx: &UpdateContext) {
    match view.form.focused_option(place) {
        Some((number, option)) => {
            let own_text = Message::PreviewOfNumber.render_with(cx.lang, [number]);
            let pager = Pager::of_option(own_text, option.description.clone(), option.preview.clone());
            view.dialog = Some(Dialog::Pager(pager));
            view.cut_options.open(place, number - 1);
        }
        None => view.notice = Some(Message::NoPreviewHere.plain(cx.lang).to_owned()),
    }
}
