//! The selected ask next to the list: the whole of what it asks, or how it ended.

use super::super::super::widgets::authored_text::Margins;
use super::super::super::widgets::line_builder::{LineBuilder, StyledRow};
use super::super::super::widgets::theme::StyleRole;
use super::super::header::{age_text, asker_and_folder};
use super::super::{ViewContext, action, choice as choice_view, prompt};
use crate::describe;
use ratatui::layout::Rect;
use sayso_core::{Ask, ChoiceItem, Message, Question, QuestionInput, Questionnaire, display};

/// Returns the rows that fit into an area. The last one says so if there are more.
pub(super) fn rows(cx: &ViewContext<'_>, ask: &Ask, area: Rect) -> Vec<StyledRow> {
    let lang = cx.lang;
    let height = usize::from(area.height);
    let mut builder = cx.builder(usize::from(area.width));
    let questionnaire = &ask.request.questionnaire;
    match describe::own_title(questionnaire, lang) {
        Some(title) => builder.push_own(0, &title, StyleRole::Strong),
        None => {
            let gutter = builder.gutter(0);
            builder.push_agent_after(&gutter, questionnaire.display_name(), StyleRole::Strong);
        }
    }
    let asker = asker_and_folder(cx, &ask.request.shown_asker());
    let dot = cx.theme.symbols.dot;
    builder.push_own(0, &format!("{asker} {dot} {}", age_text(cx, ask)), StyleRole::Faint);
    builder.push_blank();
    match describe::end_anywhere(ask, lang) {
        Some(ending) => {
            builder.push_own(0, &ending, StyleRole::Plain);
            builder.push_blank();
            // The title and the first blank line are above.
            for line in describe::ended_view(ask, lang).iter().skip(2) {
                builder.push_ended_line(line);
            }
        }
        None => {
            if let Some(proposed) = &questionnaire.action {
                action::push_action(cx, proposed, &mut builder);
                builder.push_blank();
            }
            if let Some(context) = &questionnaire.context {
                builder.push_markdown(0, context);
                builder.push_blank();
            }
            let questions = questionnaire.questions.iter().filter(|question| question.parent.is_none());
            for (index, question) in questions.enumerate() {
                // Questions far below the last row would be laid out for nothing.
                if builder.rows.len() > height {
                    break;
                }
                if index > 0 {
                    builder.push_blank();
                }
                push_question(cx, question, questionnaire, &mut builder);
            }
        }
    }
    if builder.rows.len() > height {
        builder.rows.truncate(height.saturating_sub(1));
        let more = format!("{} {}", cx.theme.symbols.ellipsis, Message::EnterShowsAll.plain(lang));
        builder.push_own(0, &more, StyleRole::Faint);
    }
    builder.rows
}

fn push_question(
    cx: &ViewContext<'_>,
    question: &Question,
    questionnaire: &Questionnaire,
    builder: &mut LineBuilder<'_>,
) {
    let lang = cx.lang;
    prompt::push_prompt_text(cx, questionnaire, question, 0, builder);
    if let Some(detail) = &question.detail {
        builder.push_markdown(0, detail);
    }
    builder.push_own(0, &question.kind.answer_words().render(lang), StyleRole::Faint);
    match question.input() {
        QuestionInput::Options(choice) => {
            for (index, item) in choice.items().enumerate() {
                let number = [builder.span(format!("  {}  ", index + 1), StyleRole::Faint)];
                match item {
                    ChoiceItem::Option(option) => {
                        builder.push_agent_after(&number, &option.label, StyleRole::Agent);
                        if let Some(text) = &option.description {
                            builder.push_markdown(5, text);
                        }
                    }
                    ChoiceItem::Other => {
                        let label = choice.own_answer_row(&questionnaire.rules, lang);
                        choice_view::push_own_answer_name(choice, label, &number, StyleRole::Agent, builder);
                    }
                }
            }
        }
        QuestionInput::Toggle(confirm) => {
            for (key, yes) in [("y", true), ("n", false)] {
                let prefix = [builder.span(format!("  {key}  "), StyleRole::Faint)];
                let label = confirm.describe(yes, lang);
                let label = builder.own_span(display::escape_composed(&label), StyleRole::Agent);
                builder.push_authored(&prefix, Margins::hanging(5), &[label]);
            }
        }
        QuestionInput::Scale(_) | QuestionInput::Line(_) => {}
    }
}
