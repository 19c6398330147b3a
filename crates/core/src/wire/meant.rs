//! What most likely was meant by a name of another format, where ours calls it otherwise. Models write what they know from
//! elsewhere, and the difference is seldom a slip of the pen.

use crate::message::{Message, Text};
use crate::problem::{Path, Step};

/// Members of questions and options, and what other formats call them: in small letters, without what stands between words.
const MEMBERS: &[(&str, &[&str])] = &[
    ("prompt", &["question", "text", "message"]),
    ("label", &["header", "title", "name", "shorttitle"]),
    ("detail", &["description", "help", "hint", "subtitle", "helptext", "explanation"]),
    ("kind", &["type", "inputtype", "questiontype"]),
    ("options", &["choices", "enum", "items", "values", "answers"]),
    ("multi", &["multiple", "multiselect", "allowmultiple", "multichoice"]),
    (
        "other",
        &["allowother", "allowcustom", "custom", "freeform", "freetext", "allowfreetext", "allowfreeform"],
    ),
    ("long", &["multiline", "textarea"]),
    ("children", &["followups", "followup", "subquestions"]),
    ("show_if", &["if", "when", "condition", "visibleif", "dependson", "showwhen"]),
    ("constraints", &["validation", "validations", "validators"]),
];

/// The same of options.
const OF_OPTIONS: &[(&str, &[&str])] = &[
    ("label", &["name", "text", "title"]),
    ("description", &["detail", "desc", "hint", "help", "subtitle"]),
];

/// What stands in a constraint.
const IN_CONSTRAINTS: &[&str] =
    &["min", "max", "min_picks", "max_picks", "min_length", "max_length", "pattern", "multiple_of"];

/// Kinds, and what other formats call them.
const KINDS: &[(&str, &[&str])] = &[
    ("choice", &["select", "singleselect", "multiselect", "single", "radio", "dropdown", "checkbox", "enum"]),
    ("text", &["string", "textarea", "input", "shorttext", "longtext", "freetext"]),
    ("confirm", &["boolean", "bool", "yesno", "approval", "confirmation"]),
    ("rating", &["scale", "stars", "likert", "slider"]),
    ("number", &["integer", "float", "decimal", "int"]),
    ("date", &[]),
    ("time", &[]),
    ("datetime", &["timestamp"]),
];

/// What to write instead of a member that stands at a question or an option of a request and does not belong there.
pub(super) fn member(place: &Path) -> Option<Text> {
    let [.., Step::Key(list), Step::Index(_), Step::Key(name)] = place.0.as_slice() else { return None };
    let plain = plain(name);
    if list == "options" {
        return called(OF_OPTIONS, &plain).map(|meant| Message::DidYouMean.with([meant]));
    }
    if !has_questions(list) {
        return None;
    }
    if let Some(constraint) = constraint(place) {
        return Some(constraint);
    }
    match plain.as_str() {
        "optional" => return Some(instead("\"required\": false")),
        "default" | "defaultvalue" | "initial" | "initialvalue" => {
            return Some(instead("\"prefill\": {\"text\": …}, or \"recommended\": true at an option"));
        }
        _ => {}
    }
    if let Some(meant) = called(MEMBERS, &plain) {
        return Some(Message::DidYouMean.with([meant]));
    }
    let kind =
        KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind == plain).or_else(|| called(KINDS, &plain));
    kind.map(|kind| instead(&format!("\"kind\": \"{kind}\"")))
}

/// What to write instead of a demand on answers that stands at a question of a request itself.
pub(super) fn constraint(place: &Path) -> Option<Text> {
    let [.., Step::Key(list), Step::Index(_), Step::Key(name)] = place.0.as_slice() else { return None };
    if !has_questions(list) {
        return None;
    }
    let demand = IN_CONSTRAINTS.iter().find(|known| plain(known) == plain(name))?;
    Some(instead(&format!("\"constraints\": [{{\"{demand}\": …}}]")))
}

/// The kind that other formats call so.
pub(super) fn kind(word: &str) -> Option<&'static str> {
    called(KINDS, &plain(word))
}

fn has_questions(list: &str) -> bool {
    list == "questions" || list == "children"
}

fn called(names: &[(&'static str, &[&str])], plain: &str) -> Option<&'static str> {
    names.iter().find(|(_, others)| others.contains(&plain)).map(|(ours, _)| *ours)
}

fn instead(written: &str) -> Text {
    Message::WriteInstead.with([written])
}

/// A name as the tables have it. Long ones stand in none.
fn plain(name: &str) -> String {
    let letters = name.chars().take(24).filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::schema;

    #[test]
    fn what_is_meant_is_there_and_what_is_there_is_not_corrected() {
        let members = MEMBERS.iter().chain(OF_OPTIONS).map(|(ours, _)| *ours);
        for ours in members.chain(IN_CONSTRAINTS.iter().copied()) {
            assert!(schema::MEMBERS.contains(&ours), "{ours}");
        }
        assert!(KINDS.iter().all(|(_, others)| others.iter().all(|other| plain(other) == *other)));
        assert!(
            MEMBERS
                .iter()
                .chain(OF_OPTIONS)
                .all(|(_, others)| others.iter().all(|other| plain(other) == *other))
        );
    }
}
