//! View of one question: its words and its native controls.

use super::agent_text::{lines, markdown, one_line};
use crate::http::no_script::form::fields::{
    FieldValues, NO, OWN, YES, field_name, has_step_buttons, option_value,
};
use sayso_core::i18n::describe_answer;
use sayso_core::{
    ChoiceItem, ChoiceQuestion, ConsentQuestions, Lang, Message, Question, QuestionKind, Questionnaire,
    RatingQuestion, Sheet,
};

/// View of one question.
#[derive(Debug)]
pub(crate) struct QuestionView {
    /// Name of its fields.
    pub(crate) name: String,
    /// Heading of a section that begins here.
    pub(crate) section: Option<SectionView>,
    /// True if the action is shown above it: its answer consents.
    pub(crate) has_action: bool,
    pub(crate) is_follow_up: bool,
    pub(crate) prompt: String,
    pub(crate) detail: String,
    /// Our own word behind the prompt.
    pub(crate) badge: Option<&'static str>,
    pub(crate) problems: Vec<String>,
    /// Answer that was saved elsewhere in the meantime.
    pub(crate) theirs: Option<String>,
    /// Buttons or check boxes.
    pub(crate) items: Vec<ItemView>,
    /// Type of the input of an item.
    pub(crate) item_type: &'static str,
    pub(crate) is_scale: bool,
    pub(crate) text: Option<TextView>,
    pub(crate) note: String,
    /// Fingerprint of the saved values.
    pub(crate) was: String,
}

/// Heading of a section.
#[derive(Debug)]
pub(crate) struct SectionView {
    pub(crate) title: String,
    pub(crate) detail: String,
    pub(crate) is_optional: bool,
}

/// Item that can be picked.
#[derive(Debug)]
pub(crate) struct ItemView {
    pub(crate) value: String,
    /// Our own word, which comes first.
    pub(crate) own_word: Option<&'static str>,
    /// Label of the asker.
    pub(crate) label: String,
    /// Value that is sent, if it is another word.
    pub(crate) sends: Option<String>,
    pub(crate) description: String,
    pub(crate) preview: Option<String>,
    pub(crate) is_recommended: bool,
    pub(crate) is_checked: bool,
    /// Text of the own answer, if this is its item.
    pub(crate) own: Option<String>,
}

/// Box to type into.
#[derive(Debug)]
pub(crate) struct TextView {
    /// Type of the input; a text area without one.
    pub(crate) input_type: Option<&'static str>,
    /// Keyboard of a phone.
    pub(crate) input_mode: &'static str,
    pub(crate) placeholder: String,
    pub(crate) value: String,
    pub(crate) rows: usize,
}

/// Values of a question to show, and those that are saved.
pub(crate) struct ShownValues {
    pub(crate) shown: FieldValues,
    pub(crate) saved: FieldValues,
    /// True if the shown values are the asker's, and no person has confirmed them.
    pub(crate) are_prefilled: bool,
}

impl QuestionView {
    pub(crate) fn new(
        sheet: &Sheet,
        at: usize,
        question: &Question,
        values: ShownValues,
        lang: Lang,
    ) -> Self {
        let ShownValues { shown, saved, are_prefilled } = values;
        let badge = if are_prefilled {
            Some(Message::MarkFilledIn.plain(lang))
        } else {
            (!sheet.is_required(at)).then(|| Message::OptionalTag.plain(lang))
        };
        let (items, item_type) = items(question, &shown, sheet.questionnaire(), lang);
        let text = items.is_empty().then(|| text_box(question, &shown));
        Self {
            name: field_name(at, ""),
            section: None,
            has_action: false,
            is_follow_up: question.parent.is_some(),
            prompt: markdown(&question.prompt),
            detail: question.detail.as_deref().map(markdown).unwrap_or_default(),
            badge,
            problems: Vec::new(),
            theirs: None,
            is_scale: matches!(question.kind, QuestionKind::Rating(_)),
            items: with_clear_item(items, item_type, &saved, lang),
            item_type,
            text,
            note: shown.note.clone(),
            was: saved.fingerprint(),
        }
    }
}

/// Returns the items of a question, with the type of their inputs.
fn items(
    question: &Question,
    shown: &FieldValues,
    questionnaire: &Questionnaire,
    lang: Lang,
) -> (Vec<ItemView>, &'static str) {
    let is_checked = |value: &str| shown.picks.iter().any(|pick| pick == value);
    match &question.kind {
        QuestionKind::Choice(choice) => {
            let is_multi = choice.multi || shown.picks.len() > 1;
            let items = choice_items(question, choice, shown, questionnaire, lang);
            (items, if is_multi { "checkbox" } else { "radio" })
        }
        QuestionKind::Confirm(_) => {
            let item = |confirmed: bool| {
                let value = if confirmed { YES } else { NO };
                let label = describe_answer::confirm_label(question, confirmed, lang);
                let quoted = |label: &str| {
                    Message::QuotedLabel
                        .render_with(lang, [one_line(&describe_answer::replace_quotes(label))])
                };
                ItemView {
                    own_word: Some(describe_answer::yes_or_no(confirmed, lang)),
                    is_checked: is_checked(value),
                    ..ItemView::new(value.to_owned(), label.map(quoted).unwrap_or_default())
                }
            };
            (vec![item(true), item(false)], "radio")
        }
        QuestionKind::Rating(rating) if has_step_buttons(rating) => {
            (steps(question, rating, is_checked), "radio")
        }
        _ => (Vec::new(), "radio"),
    }
}

fn steps(question: &Question, rating: &RatingQuestion, is_checked: impl Fn(&str) -> bool) -> Vec<ItemView> {
    let item = |step: i32| {
        let face = describe_answer::step_emoji(rating, step).filter(|_| rating.emoji).unwrap_or_default();
        let note = describe_answer::rating_label(question, step).map(one_line).unwrap_or_default();
        let value = step.to_string();
        ItemView {
            is_checked: is_checked(&value),
            description: note,
            ..ItemView::new(value.clone(), format!("{face} {value}").trim().to_owned())
        }
    };
    (rating.min..=rating.max).map(item).collect()
}

fn choice_items(
    question: &Question,
    choice: &ChoiceQuestion,
    shown: &FieldValues,
    questionnaire: &Questionnaire,
    lang: Lang,
) -> Vec<ItemView> {
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let own_name = describe_answer::own_answer_name(choice, &questionnaire.rules, lang);
    let is_checked = |value: &str| shown.picks.iter().any(|pick| pick == value);
    let shown_values = sayso_core::ShownValues::for_question(questionnaire, question);
    let item = |item: ChoiceItem<'_>| match item {
        ChoiceItem::Other => ItemView {
            is_checked: is_checked(OWN),
            own: Some(shown.own.clone()),
            ..ItemView::new(OWN.to_owned(), one_line(own_name))
        },
        ChoiceItem::Option(option) => {
            let index = choice.options.iter().position(|known| known.id == option.id).unwrap_or_default();
            let sends = shown_values
                .get(&option.id)
                .map(|sent| Message::ItsValue.render_with(lang, [one_line(sent)]));
            let value = option_value(index);
            ItemView {
                sends,
                description: option.description.as_deref().map(markdown).unwrap_or_default(),
                preview: option.preview.as_deref().map(lines),
                is_recommended: consent.recommends(question, option),
                is_checked: is_checked(&value),
                ..ItemView::new(value, one_line(&option.label))
            }
        }
    };
    choice.items().map(item).collect()
}

/// Adds the item that takes an answer back: a browser cannot clear a radio button.
fn with_clear_item(
    mut items: Vec<ItemView>,
    item_type: &str,
    saved: &FieldValues,
    lang: Lang,
) -> Vec<ItemView> {
    if item_type == "radio" && !saved.picks.is_empty() && !items.is_empty() {
        items.push(ItemView::new(String::new(), Message::PlainNoAnswer.plain(lang).to_owned()));
    }
    items
}

impl ItemView {
    const fn new(value: String, label: String) -> Self {
        Self {
            value,
            own_word: None,
            label,
            sends: None,
            description: String::new(),
            preview: None,
            is_recommended: false,
            is_checked: false,
            own: None,
        }
    }
}

/// Rows of a text area.
const SHORT_ROWS: usize = 2;
const LONG_ROWS: usize = 8;

fn text_box(question: &Question, shown: &FieldValues) -> TextView {
    // A browser drops from its date fields what is none, so the text of such an answer gets a plain field.
    let fits = |is_value: bool, input_type: &'static str| {
        if shown.text.is_empty() || is_value { input_type } else { "text" }
    };
    let text = shown.text.as_str();
    let (input_type, input_mode) = match &question.kind {
        QuestionKind::Text(_) if question.is_long_text() || text.contains('\n') => (None, "text"),
        QuestionKind::Number(_) | QuestionKind::Rating(_) => (Some("text"), "decimal"),
        QuestionKind::Date => (Some(fits(is_date(text), "date")), "text"),
        QuestionKind::Time => (Some(fits(is_time(text), "time")), "text"),
        QuestionKind::Datetime => (Some(fits(is_local_datetime(text), "datetime-local")), "text"),
        QuestionKind::Text(_) | QuestionKind::Choice(_) | QuestionKind::Confirm(_) => (Some("text"), "text"),
    };
    TextView {
        input_type,
        input_mode,
        placeholder: question.placeholder.as_deref().map(one_line).unwrap_or_default(),
        value: text.to_owned(),
        rows: if question.is_long_text() { LONG_ROWS } else { SHORT_ROWS },
    }
}

fn is_date(text: &str) -> bool {
    sayso_core::model::value::datetime::parse_date(text).is_some()
}

fn is_time(text: &str) -> bool {
    sayso_core::model::value::datetime::parse_time(text).is_some()
}

fn is_local_datetime(text: &str) -> bool {
    sayso_core::DatetimeValue::parse(text).is_some_and(|moment| moment.offset.is_none())
}
