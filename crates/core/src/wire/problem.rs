//! A problem as JSON, as desks on the network send it: the members of [`Problem`] in addition to those of RFC 9457.

use crate::i18n::{Lang, LocalizedText};
use crate::model::document_path::{DocumentPath, PathStep};
use crate::problem::{Problem, ProblemCode};
use serde_json::{Map, Value, json};

/// Returns the members of a problem in a language: `code` and `detail`, and if set `path`, `hint` and `causes`.
pub fn members(problem: &Problem, lang: Lang) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("code".to_owned(), json!(problem.code.as_str()));
    members.insert("detail".to_owned(), json!(problem.message.render(lang)));
    if problem.path != DocumentPath::root() {
        members.insert("path".to_owned(), json!(problem.path));
    }
    if let Some(hint) = &problem.hint {
        members.insert("hint".to_owned(), json!(hint.render(lang)));
    }
    if !problem.causes.is_empty() {
        let causes = problem.causes.iter().map(|cause| Value::Object(self::members(cause, lang)));
        members.insert("causes".to_owned(), causes.collect());
    }
    members
}

/// Reads a problem that [`members`] wrote and ignores other members. `None` for an unknown code.
pub fn read(value: &Value) -> Option<Problem> {
    Some(Problem {
        code: ProblemCode::parse(value.get("code")?.as_str()?)?,
        path: DocumentPath(list(value, "path").iter().filter_map(step).collect()),
        message: text(value, "detail").unwrap_or(LocalizedText::Verbatim(String::new())),
        hint: text(value, "hint"),
        causes: list(value, "causes").iter().filter_map(read).collect(),
        retry_after_s: None,
    })
}

fn text(value: &Value, name: &str) -> Option<LocalizedText> {
    let text = value.get(name)?.as_str()?;
    Some(LocalizedText::Verbatim(text.to_owned()))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn step(value: &Value) -> Option<PathStep> {
    if let Some(key) = value.as_str() {
        return Some(PathStep::Key(key.to_owned()));
    }
    let index = usize::try_from(value.as_u64()?).ok()?;
    Some(PathStep::Index(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Message;

    #[test]
    fn problem_survives_round_trip() {
        let cause = Problem::new(ProblemCode::TooBig, LocalizedText::Verbatim("too many".to_owned()))
            .at(DocumentPath::root().join("questions").join(0).join("options"));
        let problem = Problem::new(ProblemCode::InvalidRequest, Message::RequestHasProblems.with([1]))
            .with_hint(Message::SeeList)
            .with_causes(vec![cause]);
        let value = Value::Object(members(&problem, Lang::En));
        let read = read(&value).unwrap();
        assert_eq!(members(&read, Lang::Zh), members(&problem, Lang::En));
        assert_eq!(read.causes, problem.causes);
        assert_eq!(super::read(&json!({ "code": "nothing known" })), None);
    }
}
