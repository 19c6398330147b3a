//! Answers given as data, in the form the asker would get them: the inverse of the spec's "command output format".

use super::messages::{CUSTOM_PREFIX, CUSTOM_SUFFIX, OTHER, SEPARATOR};
use crate::format::problem_list::{ProblemList, verbatim};
use crate::lenient;
use sayso_core::Message;
use sayso_core::i18n::foreign;
use sayso_core::wire::answers::no_such_option;
use sayso_core::wire::json;
use sayso_core::{
    ChoiceQuestion, DocumentPath, Pick, Problem, ProblemCode, Question, Questionnaire, Replies, Reply,
    i18n::spelling,
};
use serde_json::Value;
use std::collections::HashMap;

/// Reads `{"answers":{header: text}}`. A header shared by several questions refers to the last of them, whose answer
/// counts; any question may also be named by its id.
///
/// # Errors
/// Returns the problem of each header without a question and of each text without an option, with its place.
pub(crate) fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<Replies, Vec<Problem>> {
    let document: Value = json::read_body(text)?;
    let answers = lenient::object_member(&document, "answers")?;
    let mut by_name: HashMap<&str, &Question> = HashMap::new();
    by_name.extend(questionnaire.questions.iter().map(|question| (question.id.as_str(), question)));
    by_name.extend(questionnaire.questions.iter().map(|question| (question.display_name(), question)));
    let (mut replies, mut problems) = (Replies::new(), ProblemList::default());
    for (header, value) in answers {
        let place = || DocumentPath::root().join("answers").join(header.as_str());
        let Some(question) = by_name.get(header.as_str()) else {
            let new_problem =
                || Problem::new(ProblemCode::NoSuchQuestion, Message::NoSuchQuestion.with([foreign(header)]));
            let names = || questionnaire.questions.iter().map(Question::display_name);
            problems
                .add(|| Problem { hint: spelling::suggestion(header, names()), ..new_problem().at(place()) });
            continue;
        };
        match parse_reply(question, value) {
            Ok(reply) => {
                replies.insert(question.id.clone(), reply);
            }
            Err(problem) => problems.add(|| problem.at(place())),
        }
    }
    let problems = problems.into_problems();
    if problems.is_empty() { Ok(replies) } else { Err(problems) }
}

fn parse_reply(question: &Question, value: &Value) -> Result<Reply, Problem> {
    let Value::String(text) = value else {
        let words = format!("Expected string, received {}", lenient::type_name(value));
        return Err(verbatim(ProblemCode::InvalidType, words));
    };
    match question.choice() {
        Some(choice) => {
            let labels = || choice.options.iter().map(|option| option.label.as_str());
            let wrong = || Problem { hint: spelling::suggestion(text, labels()), ..no_such_option(text) };
            parse_picks(choice, text).map(Reply::from_picks).ok_or_else(wrong)
        }
        // The spec has choices only.
        None => Ok(Reply::from_text(text)),
    }
}

/// Parses the picks of a text: a label, several labels, or an own answer.
fn parse_picks(choice: &ChoiceQuestion, text: &str) -> Option<Vec<Pick>> {
    let labels = AskUserQuestionLabels::new(choice);
    if let Some(pick) = labels.pick(text) {
        return Some(vec![pick]);
    }
    if let Some(picks) = choice.multi.then(|| labels.split_labels(text)).flatten() {
        return Some(picks);
    }
    if text == OTHER {
        return Some(vec![Pick::Other(String::new())]);
    }
    let own = text.strip_prefix(CUSTOM_PREFIX)?.strip_suffix(CUSTOM_SUFFIX)?;
    Some(vec![Pick::Other(own.to_owned())])
}

/// Options by label; of several with the same label, the first.
struct AskUserQuestionLabels<'c> {
    by_label: HashMap<&'c str, Pick>,
    /// Largest number of separated parts in one label.
    parts_max: usize,
    /// Length of the longest label, in bytes.
    length_max: usize,
}

impl<'c> AskUserQuestionLabels<'c> {
    fn new(choice: &'c ChoiceQuestion) -> Self {
        let labels = || choice.options.iter().map(|option| option.label.as_str());
        let picks = choice.options.iter().rev();
        Self {
            by_label: picks.map(|option| (option.label.as_str(), Pick::Option(option.id.clone()))).collect(),
            parts_max: labels().map(|label| label.matches(SEPARATOR).count() + 1).max().unwrap_or(0),
            length_max: labels().map(str::len).max().unwrap_or(0),
        }
    }

    fn pick(&self, text: &str) -> Option<Pick> {
        self.by_label.get(text).cloned()
    }

    /// Splits the whole text into joined labels. A label may contain the separator, so it may span several parts; each
    /// step takes the longest label that leads to the end. The scan runs backwards: it visits each position once, and
    /// looks at most [`parts_max`](Self::parts_max) parts ahead.
    fn split_labels(&self, text: &str) -> Option<Vec<Pick>> {
        let ends: Vec<usize> =
            text.match_indices(SEPARATOR).map(|(at, _)| at).chain(std::iter::once(text.len())).collect();
        let start_of = |part: usize| match part.checked_sub(1) {
            Some(before) => ends.get(before).map_or(text.len(), |end| end + SEPARATOR.len()),
            None => 0,
        };
        // For each part: the label that starts there, and the next part; the last entry is the end.
        let mut steps: Vec<Option<(&Pick, usize)>> = vec![None; ends.len()];
        for part in (0..ends.len()).rev() {
            let start = start_of(part);
            let ahead = ends.iter().enumerate().skip(part).take(self.parts_max);
            let within = ahead.take_while(|(_, end)| **end <= start + self.length_max);
            let step = within.filter_map(|(last, end)| {
                let next = last + 1;
                let leads_on = next == ends.len() || steps.get(next).is_some_and(Option::is_some);
                let label = leads_on.then(|| text.get(start..*end)).flatten()?;
                self.by_label.get(label).map(|pick| (pick, next))
            });
            let longest = step.last();
            if let Some(slot) = steps.get_mut(part) {
                *slot = longest;
            }
        }
        let mut picks = Vec::new();
        let mut part = 0;
        while part < ends.len() {
            let (pick, next) = (*steps.get(part)?)?;
            picks.push(pick.clone());
            part = next;
        }
        Some(picks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::ChoiceOption;

    fn choice(labels: &[&str], multi: bool) -> ChoiceQuestion {
        let option = |(index, label): (usize, &&str)| ChoiceOption::new(format!("o{}", index + 1), *label);
        let options = labels.iter().enumerate().map(option).collect();
        ChoiceQuestion { options, multi, other: true, ..ChoiceQuestion::default() }
    }

    fn read(labels: &[&str], multi: bool, text: &str) -> Option<String> {
        let name = |pick: &Pick| match pick {
            Pick::Option(id) => id.to_string(),
            Pick::Other(own) => format!("({own})"),
        };
        parse_picks(&choice(labels, multi), text)
            .map(|picks| picks.iter().map(name).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn labels_may_contain_the_separator() {
        assert_eq!(read(&["x, y", "z"], true, "x, y, z").as_deref(), Some("o1 o2"));
        assert_eq!(read(&["x", "x, y", "y, z"], true, "x, y, z").as_deref(), Some("o1 o3"));
        assert_eq!(read(&["a", "a, b", "b"], true, "a, b, a").as_deref(), Some("o2 o1"));
        assert_eq!(read(&[",", " b"], true, ",,  b").as_deref(), Some("o1 o2"));
        assert_eq!(read(&["a", "b"], true, "a, c"), None);
        assert_eq!(read(&["a", "b"], false, "a, b"), None);
        assert_eq!(read(&["a", "a"], true, "a, a").as_deref(), Some("o1 o1"));
    }

    #[test]
    fn unknown_label_is_own_answer() {
        assert_eq!(read(&["a", "b"], false, "Other").as_deref(), Some("()"));
        assert_eq!(read(&["Other", "b"], false, "Other").as_deref(), Some("o1"));
        assert_eq!(read(&["a", "b"], true, "Other (custom: x), y)").as_deref(), Some("(x), y)"));
        assert_eq!(read(&["a", "b"], true, "a, Other (custom: x)"), None);
    }

    #[test]
    fn long_answer_is_parsed_in_bounds() {
        let labels: Vec<_> = (1..25).map(|parts| vec!["a"; parts].join(", ")).collect();
        let labels: Vec<_> = labels.iter().map(String::as_str).collect();
        let long = vec!["a"; 20_000].join(", ");
        assert!(read(&labels, true, &long).is_some());
        assert!(read(&labels, true, &format!("{long}, b")).is_none());
    }
}
