//! What an ask asked, as it was shown: the action as a whole, the context, the details and the options.

use super::ended_view::EndedLine;
use sayso_core::i18n::action_words::{ActionPart, act_phrase, action_parts};
use sayso_core::i18n::answer_words;
use sayso_core::i18n::task_name::localize_task;
use sayso_core::i18n::{own, own_prompt, quote};
use sayso_core::{
    AskSummary, ChoiceItem, ChoiceQuestion, Lang, Message, Question, QuestionInput, Questionnaire, Rules,
    ShownValues, display,
};

/// Returns the name of an ask in a list, escaped for one line: its act, or else its title.
pub fn row_name(row: &AskSummary, lang: Lang) -> String {
    match &row.act {
        Some(act) => act_phrase(act, lang),
        None => {
            let title = localize_task(&row.title, lang);
            display::escape_line(&display::join_lines(&title)).into_owned()
        }
    }
}

/// Returns the title of an ask: the asker's, or a sentence of ours that asks about its act.
pub(super) fn title_line(questionnaire: &Questionnaire, lang: Lang) -> EndedLine {
    match own_title(questionnaire, lang) {
        Some(title) => EndedLine::Own(title),
        None => EndedLine::Asker(display::join_lines(questionnaire.display_name()).into_owned()),
    }
}

/// Returns the title of an ask if it is ours.
pub(crate) fn own_title(questionnaire: &Questionnaire, lang: Lang) -> Option<String> {
    let first = questionnaire.questions.first()?;
    let has_title = questionnaire.display_name() != first.prompt;
    if has_title { None } else { own_prompt(questionnaire, first, lang) }
}

/// Returns the title of an ask as a plain line, the asker's behind the gutter.
pub fn title_text(questionnaire: &Questionnaire, lang: Lang) -> String {
    title_line(questionnaire, lang).to_plain_text()
}

/// Returns the prompt of a question as plain lines, the asker's behind the gutter.
pub fn prompt_text(questionnaire: &Questionnaire, question: &Question, lang: Lang) -> String {
    prompt_line(questionnaire, question, lang).to_plain_text()
}

fn prompt_line(questionnaire: &Questionnaire, question: &Question, lang: Lang) -> EndedLine {
    match own_prompt(questionnaire, question, lang) {
        Some(prompt) => EndedLine::Own(prompt),
        None => EndedLine::Markdown(question.prompt.clone()),
    }
}

/// Returns a text of the asker in Markdown as plain lines behind the gutter.
pub fn quote_markdown(text: &str) -> String {
    EndedLine::Markdown(text.to_owned()).to_plain_text()
}

/// Returns what is above the questions of an ask as plain text, each part after a blank line.
pub fn request_text(questionnaire: &Questionnaire, lang: Lang) -> String {
    request_lines(questionnaire, lang).iter().map(EndedLine::to_plain_text).collect()
}

/// Returns what is above the questions of an ask, each part after a blank line.
pub(super) fn request_lines(questionnaire: &Questionnaire, lang: Lang) -> Vec<EndedLine> {
    let mut lines = Vec::new();
    if let Some(action) = &questionnaire.action {
        lines.push(EndedLine::blank());
        for part in action_parts(action) {
            lines.push(match part {
                ActionPart::Sentence(message) => EndedLine::Own(message.render(lang)),
                ActionPart::ExactData(text) => EndedLine::Exact { text: text.into_owned(), lang },
            });
        }
    }
    if let Some(context) = &questionnaire.context {
        let head = EndedLine::message(Message::AgentSays, lang);
        lines.extend([EndedLine::blank(), head, EndedLine::Markdown(context.clone())]);
    }
    lines
}

/// Returns a question as it was asked: its prompt, its details and its options.
pub(super) fn question_lines(
    question: &Question,
    questionnaire: &Questionnaire,
    lang: Lang,
) -> Vec<EndedLine> {
    let mut lines = vec![prompt_line(questionnaire, question, lang)];
    lines.extend(question.detail.clone().map(EndedLine::Markdown));
    lines.extend(offers_line(question, questionnaire, true, lang).map(EndedLine::Offers));
    lines
}

/// Returns the possible answers to a choice or a confirmation: each label as a quotation, and its value if that is
/// shown. `is_own_numbered`: the asker's format counts the own answer among the options.
pub fn offers_line(
    question: &Question,
    questionnaire: &Questionnaire,
    is_own_numbered: bool,
    lang: Lang,
) -> Option<String> {
    let mut offers = Vec::new();
    match question.input() {
        QuestionInput::Options(choice) => {
            let shown_values = ShownValues::for_question(questionnaire, question);
            for (number, item) in (1..).zip(choice.items()) {
                match item {
                    ChoiceItem::Other => {
                        let name = own_answer_text(choice, &questionnaire.rules, lang);
                        offers.push(if is_own_numbered { format!("{number} {name}") } else { name });
                    }
                    ChoiceItem::Option(option) => {
                        let label = quote(&option.label, lang);
                        let value = shown_values.get(&option.id);
                        let label = answer_words::label_with_value(&label, value, lang);
                        offers.push(format!("{number} {label}"));
                    }
                }
            }
        }
        QuestionInput::Toggle(confirm) => {
            offers.push(confirm.describe(true, lang).into_owned());
            offers.push(confirm.describe(false, lang).into_owned());
        }
        QuestionInput::Scale(_) | QuestionInput::Line(_) => return None,
    }
    Some(Message::OptionsAre.render_with(lang, [own(offers.join(" · "))]))
}

/// Returns the name of the own answer; the asker's label as a quotation.
fn own_answer_text(choice: &ChoiceQuestion, rules: &Rules, lang: Lang) -> String {
    let name = choice.own_answer_row(rules, lang);
    let is_askers = choice.other_label.as_deref() == Some(name);
    if is_askers { quote(name, lang) } else { name.to_owned() }
}
