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
    let steps = place.0.as_slice();
    let like = |example: &str| Some(Message::WriteLike.with([own(example)]));
    if let [PathStep::Key(action), inside @ ..] = steps
        && action == "action"
    {
        return match inside {
            [] => like(r#"{"tool":"bash","act":{"shell":{"command":"…"}}}"#),
            [PathStep::Key(member), within @ ..] if member == "act" => {
                like(&format!("\"act\":{}", act_example_at(within)))
            }
            _ => None,
        };
    }
    let last = steps.iter().rev().find_map(|step| match step {
        PathStep::Key(name) => Some(name.as_str()),
        PathStep::Index(_) => None,
    })?;
    let is_in = |wanted: &str| steps.iter().any(|step| matches!(step, PathStep::Key(name) if name == wanted));
    if is_in("prefill") {
        return Some(Message::PrefillShape.with([PREFILLS]));
    }
    if is_in("constraints") {
        return constraint_example(last).and_then(like);
    }
    match last {
        "show_if" | "not" => like(CONDITION),
        "all" | "any" if is_in("show_if") => like(&format!("[{CONDITION}]")),
        "any_of" | "all_of" | "none_of" => like(&format!("\"{last}\":[\"go\",\"rust\"]")),
        "questions" | "children" => like(&format!(r#""{last}":[{{"prompt":"…"}}]"#)),
        "sections" => like(r#""sections":[{"title":"…","questions":[{"prompt":"…"}]}]"#),
        "options" => like(r#""options":["red",{"id":"b","label":"blue"}]"#),
        "annotations" => like(r#""annotations":{"1":"bad","5":"good"}"#),
        "completed" => like(r#""completed":{"answers":true}"#),
        _ => None,
    }
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

/// Adds such an example to a problem with the type of a value, unless it has a hint.
pub(crate) fn add_example(problem: &mut Problem) {
    let is_of_shape =
        matches!(problem.code, ProblemCode::InvalidType | ProblemCode::UnknownMember | ProblemCode::Required);
    let is_in_prefill =
        || problem.path.0.iter().any(|step| matches!(step, PathStep::Key(name) if name == "prefill"));
    if problem.hint.is_none()
        && (problem.code == ProblemCode::InvalidType || (is_of_shape && is_in_prefill()))
    {
        problem.hint = at(&problem.path);
    }
}

/// Returns the example of the act that these steps lead into, else of a common one.
fn act_example_at(within: &[PathStep]) -> &'static str {
    let named = within.first().and_then(|step| match step {
        PathStep::Key(name) => act_example(name),
        PathStep::Index(_) => None,
    });
    named.unwrap_or(r#"{"shell":{"command":"…"}}"#)
}

fn act_example(act: &str) -> Option<&'static str> {
    ACTS.iter().find(|(name, _)| *name == act).map(|(_, example)| *example)
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
