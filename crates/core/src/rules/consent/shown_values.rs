//! The values that people see next to the labels of options: what is sent must not hide behind another word.

use super::words;
use crate::display;
use crate::i18n::spelling;
use crate::model::answer::Pick;
use crate::model::id::OptionId;
use crate::model::question::Question;
use crate::model::question::choice::ChoiceOption;
use crate::model::questionnaire::Questionnaire;
use std::collections::HashMap;

/// Values shown next to the labels of a question's options: a value that agrees or refuses, one that looks like
/// another option's label, all that are sent for an action, and those that tell apart labels that look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownValues<'q>(HashMap<&'q OptionId, &'q str>);

impl<'q> ShownValues<'q> {
    /// Returns the shown values of a question.
    pub fn for_question(questionnaire: &Questionnaire, question: &'q Question) -> Self {
        let Some(choice) = question.choice() else { return Self(HashMap::new()) };
        let options = &choice.options;
        let mut values = HashMap::new();
        let confusable = display::find_confusable(options.iter().map(|option| option.label.as_str()));
        let imitations = find_imitations(options);
        for ((option, is_alike), imitates) in options.iter().zip(confusable).zip(imitations) {
            let value = if is_alike { Some(option.sent_value()) } else { distinct_value(option) };
            let Some(value) = value else { continue };
            let must_show = is_alike || imitates || questionnaire.action.is_some();
            if must_show || words::speaks_of_consent(value) {
                values.insert(&option.id, value);
            }
        }
        Self(values)
    }

    /// Returns the value shown with an option.
    pub fn get(&self, option: &OptionId) -> Option<&'q str> {
        self.0.get(option).copied()
    }

    /// Returns the options whose value is shown, each with it.
    pub fn iter(&self) -> impl Iterator<Item = (&'q OptionId, &'q str)> {
        self.0.iter().map(|(id, value)| (*id, *value))
    }

    /// Returns the value shown with a pick; an own answer has none.
    pub fn get_for_pick(&self, pick: &Pick) -> Option<&'q str> {
        match pick {
            Pick::Option(id) => self.get(id),
            Pick::Other(_) => None,
        }
    }
}

/// Returns the value sent to the asker, unless it only respells the label or is an id that we numbered.
fn distinct_value(option: &ChoiceOption) -> Option<&str> {
    if option.is_numbered() || spelling::is_same_spelling(option.sent_value(), &option.label) {
        return None;
    }
    Some(option.sent_value())
}

/// Returns for each option whether its value looks like the label of another one.
fn find_imitations(options: &[ChoiceOption]) -> Vec<bool> {
    let mut labels: HashMap<String, Vec<usize>> = HashMap::with_capacity(options.len());
    for (at, option) in options.iter().enumerate() {
        labels.entry(folded_look(&option.label)).or_default().push(at);
    }
    let mut imitates = Vec::with_capacity(options.len());
    for (at, option) in options.iter().enumerate() {
        imitates.push(match labels.get(&folded_look(option.sent_value())) {
            Some(lookalikes) => lookalikes.iter().any(|other| *other != at),
            None => false,
        });
    }
    imitates
}

/// Returns how a text looks, without regard to cases and separators.
fn folded_look(text: &str) -> String {
    display::folded_skeleton(&spelling::fold_spelling(text))
}
