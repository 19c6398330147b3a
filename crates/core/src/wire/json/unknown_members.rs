//! Unknown members, each with the name most likely meant.

use crate::i18n::spelling;
use crate::i18n::{LocalizedText, Message, foreign};
use crate::model::document_path::{DocumentPath, PathStep};
use crate::problem::{Problem, ProblemCode};
use crate::wire::hints::{aliases, example, members};
use crate::wire::json::JsonSource;
use serde_json::{Map, Value};

/// Length limit of a text whose sibling members are looked up. In longer texts a member seems to have none.
const SIBLINGS_BYTES: usize = 256 << 10;

/// Returns the problems of unknown members, by their places.
pub(super) fn problems(places: Vec<DocumentPath>, json: JsonSource<'_>) -> Vec<Problem> {
    if places.is_empty() {
        return Vec::new();
    }
    // The siblings of a member may be as much as the text, so it is parsed once for all of them. A long text is not
    // parsed, since that takes many times its size.
    let parsed;
    let whole = match json {
        JsonSource::Value(value) => value,
        JsonSource::Text(text) if text.len() <= SIBLINGS_BYTES => {
            parsed = serde_json::from_str(text).unwrap_or_default();
            &parsed
        }
        JsonSource::Text(_) => &Value::Null,
    };
    let no_siblings = Map::new();
    let mut problems = Vec::with_capacity(places.len());
    for place in places {
        let siblings = siblings(whole, &place).unwrap_or(&no_siblings);
        problems.push(problem(whole, siblings, place));
    }
    problems
}

/// Returns the members of the object that has the member at this place.
fn siblings<'v>(whole: &'v Value, place: &DocumentPath) -> Option<&'v Map<String, Value>> {
    let (_, within) = place.0.split_last()?;
    whole.pointer(&DocumentPath(within.to_vec()).to_json_pointer())?.as_object()
}

fn problem(whole: &Value, siblings: &Map<String, Value>, place: DocumentPath) -> Problem {
    let name = match place.0.last() {
        Some(PathStep::Key(name)) => name.clone(),
        Some(PathStep::Index(index)) => index.to_string(),
        None => String::new(),
    };
    let hint = hint(whole, siblings, &place, &name);
    let message = Message::MemberIgnored.with([foreign(&name)]);
    Problem { hint, ..Problem::new(ProblemCode::UnknownMember, message).at(place) }
}

/// Returns what was probably meant by a member. A hint to write a member that is already set would overwrite it.
fn hint(
    whole: &Value,
    siblings: &Map<String, Value>,
    place: &DocumentPath,
    name: &str,
) -> Option<LocalizedText> {
    if let Some(instead) = aliases::member(place, siblings) {
        return if siblings.contains_key(instead.member) { None } else { instead.words };
    }
    let (_, within) = place.0.split_last()?;
    if members::is_condition(within) && is_question(whole, name) {
        return siblings.get(name).map(|value| example::condition(name, value));
    }
    if matches!(within, [PathStep::Key(action)] if action == "action")
        && !siblings.contains_key("act")
        && let Some(example) = example::act(name)
    {
        return Some(example);
    }
    // A name that is known elsewhere is no typo.
    if members::all().any(|member| member == name) {
        return None;
    }
    let nearest = spelling::nearest_word(name, members::at(within))?;
    if siblings.contains_key(nearest) { None } else { Some(Message::DidYouMean.with([nearest])) }
}

/// Returns whether a question somewhere in this value has this id.
fn is_question(within: &Value, id: &str) -> bool {
    if within.get("prompt").is_some()
        && let Some(known_id) = within.get("id")
        && known_id == id
    {
        return true;
    }
    for list in ["questions", "sections", "children"] {
        if let Some(Value::Array(parts)) = within.get(list)
            && parts.iter().any(|part| is_question(part, id))
        {
            return true;
        }
    }
    false
}
