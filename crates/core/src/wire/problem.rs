//! A problem as JSON, as desks on the network send it: the members of [`Problem`] in addition to those of RFC 9457.

use crate::message::{Lang, Text};
use crate::problem::{Code, Path, Problem, Step};
use serde_json::{Map, Value, json};

/// Returns the members of a problem in a language: `code` and `detail`, and if set `path`, `hint` and `causes`.
pub fn members(problem: &Problem, lang: Lang) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("code".to_owned(), json!(problem.code.as_str()));
    members.insert("detail".to_owned(), json!(problem.message.render(lang)));
    if problem.path != Path::root() {
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
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let said = |name: &str| text(name).map(|text| Text::Verbatim(text.to_owned()));
    Some(Problem {
        code: text("code").and_then(Code::parse)?,
        path: Path(list(value, "path").iter().filter_map(step).collect()),
        message: said("detail").unwrap_or_else(|| Text::Verbatim(String::new())),
        hint: said("hint"),
        causes: list(value, "causes").iter().filter_map(read).collect(),
        retry_after_s: None,
    })
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn step(value: &Value) -> Option<Step> {
    let index = || value.as_u64().and_then(|index| usize::try_from(index).ok()).map(Step::Index);
    value.as_str().map(|key| Step::Key(key.to_owned())).or_else(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    #[test]
    fn problem_survives_round_trip() {
        let cause = Problem::new(Code::TooBig, Text::Verbatim("too many".to_owned()))
            .at(Path::root().then("questions").then(0).then("options"));
        let problem = Problem::new(Code::InvalidRequest, Message::RequestHasProblems.with([1]))
            .hint(Message::SeeList)
            .because(vec![cause]);
        let value = Value::Object(members(&problem, Lang::En));
        let read = read(&value).unwrap();
        assert_eq!(members(&read, Lang::Zh), members(&problem, Lang::En));
        assert_eq!(read.causes, problem.causes);
        assert_eq!(super::read(&json!({ "code": "nothing known" })), None);
    }
}
