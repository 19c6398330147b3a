//! Unknown members, each with the name most likely meant.

use crate::i18n::spelling;
use crate::i18n::{Message, foreign};
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
    let nothing = Map::new();
    let siblings = |place: &DocumentPath| {
        let within = place.0.split_last().map(|(_, within)| DocumentPath(within.to_vec()));
        let object = within.and_then(|within| whole.pointer(&within.to_json_pointer())?.as_object());
        object.unwrap_or(&nothing)
    };
    places.into_iter().map(|place| problem(whole, siblings(&place), place)).collect()
}

fn problem(whole: &Value, siblings: &Map<String, Value>, place: DocumentPath) -> Problem {
    let name = match place.0.last() {
        Some(PathStep::Key(name)) => name.clone(),
        Some(PathStep::Index(index)) => index.to_string(),
        None => String::new(),
    };
    let within = place.0.split_last().map(|(_, within)| within).unwrap_or_default();
    // A hint to write a member that is already set would overwrite it.
    let is_free = |member: &str| !siblings.contains_key(member);
    let nearest = || {
        // A name that is known elsewhere is no typo.
        if members::all().any(|known| known == name) {
            return None;
        }
        let nearest =
            spelling::nearest_word(&name, members::at(within)).filter(|nearest| is_free(nearest))?;
        Some(Message::DidYouMean.with([nearest]))
    };
    let hint = match aliases::member(&place, siblings) {
        Some(instead) if is_free(instead.member) => instead.words,
        Some(_) => None,
        None if members::is_condition(within) && is_question(whole, &name) => {
            siblings.get(&name).map(|value| example::condition(&name, value))
        }
        None if matches!(within, [PathStep::Key(action)] if action == "action") => {
            let example = if is_free("act") { example::act(&name) } else { None };
            example.or_else(nearest)
        }
        None => nearest(),
    };
    let message = Message::MemberIgnored.with([foreign(&name)]);
    Problem { hint, ..Problem::new(ProblemCode::UnknownMember, message).at(place) }
}

/// Returns whether a question somewhere in this value has this id.
fn is_question(within: &Value, id: &str) -> bool {
    let in_list =
        |list: &Value| list.as_array().is_some_and(|list| list.iter().any(|part| is_question(part, id)));
    let lists = || ["questions", "sections", "children"].into_iter().filter_map(|name| within.get(name));
    let has_prompt = within.get("prompt").is_some();
    (has_prompt && within.get("id").is_some_and(|known| known == id)) || lists().any(in_list)
}
