//! Answers given as data, in the form the asker would get them: the inverse of the spec's "command output format".

use super::messages::{CUSTOM_PREFIX, CUSTOM_SUFFIX, OTHER, SEPARATOR};
use crate::format::problem_list::{ProblemList, verbatim};
use crate::format::submitted_answers::answer_place;
use crate::lenient;
use sayso_core::Message;
use sayso_core::i18n::foreign;
use sayso_core::kinds::choice::no_such_option;
use sayso_core::wire::json;
use sayso_core::{
    ChoiceQuestion, OptionId, Pick, Problem, ProblemCode, Question, Questionnaire, Replies, Reply,
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
    let by_name = questions_by_name(questionnaire);
    let mut replies = Replies::new();
    let mut problems = ProblemList::default();
    for (header, value) in answers {
        let Some(question) = by_name.get(header.as_str()) else {
            problems.add(|| no_such_question(questionnaire, header));
            continue;
        };
        match parse_reply(question, value) {
            Ok(reply) => {
                replies.insert(question.id.clone(), reply);
            }
            Err(problem) => problems.add(|| problem.at(answer_place(header))),
        }
    }
    let problems = problems.into_problems();
    if problems.is_empty() { Ok(replies) } else { Err(problems) }
}

/// Returns the questions by their ids and by their headers, which win.
fn questions_by_name(questionnaire: &Questionnaire) -> HashMap<&str, &Question> {
    let mut by_name = HashMap::new();
    by_name.extend(questionnaire.questions.iter().map(|question| (question.id.as_str(), question)));
    by_name.extend(questionnaire.questions.iter().map(|question| (question.display_name(), question)));
    by_name
}

fn no_such_question(questionnaire: &Questionnaire, header: &str) -> Problem {
    let message = Message::NoSuchQuestion.with([foreign(header)]);
    let mut problem = Problem::new(ProblemCode::NoSuchQuestion, message).at(answer_place(header));
    problem.hint = spelling::suggestion(header, questionnaire.questions.iter().map(Question::display_name));
    problem
}

fn parse_reply(question: &Question, value: &Value) -> Result<Reply, Problem> {
    let Value::String(text) = value else {
        let words = format!("Expected string, received {}", lenient::type_name(value));
        return Err(verbatim(ProblemCode::InvalidType, words));
    };
    match question.choice() {
        Some(choice) => match parse_picks(choice, text) {
            Some(picks) => Ok(Reply::from_picks(picks)),
            None => {
                let labels = choice.options.iter().map(|option| option.label.as_str());
                Err(Problem { hint: spelling::suggestion(text, labels), ..no_such_option(text) })
            }
        },
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
    if choice.multi
        && let Some(picks) = labels.split_labels(text)
    {
        return Some(picks);
    }
    if text == OTHER {
        return Some(vec![Pick::Other(String::new())]);
    }
    let own_answer = text.strip_prefix(CUSTOM_PREFIX)?.strip_suffix(CUSTOM_SUFFIX)?;
    Some(vec![Pick::Other(own_answer.to_owned())])
}

/// Options by label; of several with the same label, the first.
struct AskUserQuestionLabels<'c> {
    by_label: HashMap<&'c str, &'c OptionId>,
    /// Largest number of separated parts in one label.
    parts_max: usize,
    /// Length of the longest label, in bytes.
    length_max: usize,
}

impl<'c> AskUserQuestionLabels<'c> {
    fn new(choice: &'c ChoiceQuestion) -> Self {
        let mut labels = Self { by_label: HashMap::new(), parts_max: 0, length_max: 0 };
        for option in &choice.options {
            let label = option.label.as_str();
            labels.by_label.entry(label).or_insert(&option.id);
            labels.parts_max = labels.parts_max.max(label.matches(SEPARATOR).count() + 1);
            labels.length_max = labels.length_max.max(label.len());
        }
        labels
    }

    fn pick(&self, text: &str) -> Option<Pick> {
        let id = self.by_label.get(text)?;
        Some(Pick::Option((*id).clone()))
    }

    /// Splits the whole text into joined labels. A label may contain the separator, so it may span several parts; each
    /// step takes the longest label that leads to the end. The scan runs backwards: it visits each position once, and
    /// looks at most [`parts_max`](Self::parts_max) parts ahead.
    fn split_labels(&self, text: &str) -> Option<Vec<Pick>> {
        let mut ends: Vec<usize> = text.match_indices(SEPARATOR).map(|(at, _)| at).collect();
        ends.push(text.len());
        // For each part: the option whose label starts there, and the next part; `None` if none leads to the end.
        let mut steps: Vec<Option<(&OptionId, usize)>> = vec![None; ends.len()];
        let mut starts = vec![0];
        starts.extend(ends.iter().map(|end| end + SEPARATOR.len()));
        for (part, start) in starts.iter().copied().enumerate().take(ends.len()).rev() {
            let mut longest_step = None;
            for (last_part, end) in ends.iter().copied().enumerate().skip(part).take(self.parts_max) {
                if end > start + self.length_max {
                    break;
                }
                let next_part = last_part + 1;
                let leads_on = next_part == ends.len() || matches!(steps.get(next_part), Some(Some(_)));
                if leads_on
                    && let Some(label) = text.get(start..end)
                    && let Some(id) = self.by_label.get(label)
                {
                    longest_step = Some((*id, next_part));
                }
            }
            if let Some(step) = steps.get_mut(part) {
                *step = longest_step;
            }
        }
        let mut picks = Vec::new();
        let mut part = 0;
        while part < ends.len() {
            let (id, next_part) = (*steps.get(part)?)?;
            picks.push(Pick::Option(id.clone()));
            part = next_part;
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
