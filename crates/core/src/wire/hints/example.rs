//! Examples of the value at a place of a request, as hints for a value of the wrong type.

use crate::i18n::{LocalizedText, Message, MessageArg, own};
use crate::model::document_path::{DocumentPath, PathStep};
use crate::problem::{Problem, ProblemCode};

/// Answers in the form of outcomes, of some kinds.
pub(crate) const PREFILLS: &str =
    r#"{"text":"…"}, {"picks":[{"option":"id"}]}, {"number":4}, {"confirm":true}, {"date":"2026-03-01"}"#;

const CONDITION: &str = r#"{"question":"lang","is":"go"}"#;

/// Examples of each act.
const ACTS: &[(&str, &str)] = &[
    ("run", r#"{"run":{"argv":["…","…"]}}"#),
    ("shell", r#"{"shell":{"command":"…"}}"#),
    ("write", r#"{"write":{"path":"…","content":"…"}}"#),
    ("edit", r#"{"edit":{"path":"…","diff":"…"}}"#),
    ("open", r#"{"open":{"url":"…"}}"#),
    ("call", r#"{"call":{"arguments":"…"}}"#),
];

/// Returns an example of the value at this place, if it is more than a word.
pub fn at(place: &DocumentPath) -> Option<LocalizedText> {
    let is_in_action = place.0.first().is_some_and(|step| *step == PathStep::from("action"));
    if has_member(place, "prefill") && !is_in_action {
        return Some(Message::PrefillShape.with([PREFILLS]));
    }
    let example = example_at(place)?;
    Some(Message::WriteLike.with([own(example)]))
}

fn example_at(place: &DocumentPath) -> Option<String> {
    if let [PathStep::Key(action), inside @ ..] = place.0.as_slice()
        && action == "action"
    {
        return match inside {
            [] => Some(r#"{"tool":"bash","act":{"shell":{"command":"…"}}}"#.to_owned()),
            [PathStep::Key(member), within @ ..] if member == "act" => {
                Some(format!("\"act\":{}", act_example_at(within)))
            }
            _ => None,
        };
    }
    let last = last_member(place)?;
    if has_member(place, "constraints") {
        return constraint_example(last).map(str::to_owned);
    }
    Some(match last {
        "show_if" | "not" => CONDITION.to_owned(),
        "all" | "any" if has_member(place, "show_if") => format!("[{CONDITION}]"),
        "any_of" | "all_of" | "none_of" => format!("\"{last}\":[\"go\",\"rust\"]"),
        "questions" | "children" => format!(r#""{last}":[{{"prompt":"…"}}]"#),
        "sections" => r#""sections":[{"title":"…","questions":[{"prompt":"…"}]}]"#.to_owned(),
        "options" => r#""options":["red",{"id":"b","label":"blue"}]"#.to_owned(),
        "annotations" => r#""annotations":{"1":"bad","5":"good"}"#.to_owned(),
        "completed" => r#""completed":{"answers":true}"#.to_owned(),
        _ => return None,
    })
}

/// Returns the name of the innermost member of a place.
fn last_member(place: &DocumentPath) -> Option<&str> {
    for step in place.0.iter().rev() {
        if let PathStep::Key(name) = step {
            return Some(name);
        }
    }
    None
}

/// Returns whether a place is at or in a member with this name.
fn has_member(place: &DocumentPath, member: &str) -> bool {
    place.0.iter().any(|step| matches!(step, PathStep::Key(name) if name == member))
}

fn constraint_example(member: &str) -> Option<&'static str> {
    Some(match member {
        "constraints" => r#""constraints":[{"max_length":40},{"pattern":"^v","message":"…"}]"#,
        "fits" => r#"{"fits":true,"message":"…"}"#,
        "required" => r#"{"required":true,"message":"…"}"#,
        "min_picks" | "max_picks" => r#"{"min_picks":1,"max_picks":3}"#,
        "min_length" | "max_length" => r#"{"min_length":3,"max_length":40}"#,
        "min" | "max" => r#"{"min":1}, {"min":"2026-03-01"}"#,
        "multiple_of" => r#"{"multiple_of":5}"#,
        _ => return None,
    })
}

/// Adds an example of what belongs at its place to a problem with the type of a value, unless it has a hint.
pub(crate) fn add_example(problem: &mut Problem) {
    if problem.hint.is_some() {
        return;
    }
    let is_of_shape = match problem.code {
        ProblemCode::InvalidType => true,
        ProblemCode::UnknownMember | ProblemCode::Required => has_member(&problem.path, "prefill"),
        _ => false,
    };
    if is_of_shape {
        problem.hint = at(&problem.path);
    }
}

/// Returns the example of the act that these steps lead into, else of a common one.
fn act_example_at(within: &[PathStep]) -> &'static str {
    if let Some(PathStep::Key(name)) = within.first()
        && let Some(example) = act_example(name)
    {
        return example;
    }
    r#"{"shell":{"command":"…"}}"#
}

fn act_example(act: &str) -> Option<&'static str> {
    for (name, example) in ACTS {
        if *name == act {
            return Some(example);
        }
    }
    None
}

/// Returns an example of the act with this name.
pub fn act(name: &str) -> Option<LocalizedText> {
    let example = act_example(name)?;
    Some(Message::WriteInside.with([own("act"), own(format!("\"act\":{example}"))]))
}

/// Returns an example of a condition that compares another question's answer with this value.
pub(crate) fn condition(question: &str, value: &serde_json::Value) -> LocalizedText {
    let check = if value.is_array() { "any_of" } else { "is" };
    let id = serde_json::Value::from(question);
    Message::WriteInstead.with([MessageArg::Json(format!(r#"{{"question":{id},"{check}":{value}}}"#))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::action::ActionKind;

    #[test]
    fn act_examples_are_valid() {
        for (name, example) in ACTS {
            let act: ActionKind = serde_json::from_str(example).unwrap();
            let written = serde_json::to_value(&act).unwrap();
            assert!(written.get(name).is_some(), "{example}");
        }
    }
}
