//! What most likely was meant by a name of another format, where ours calls it otherwise. Models write what they know from
//! elsewhere, and the difference is seldom a slip of the pen.

use crate::message::{Message, Text};
use crate::problem::{Code, Path, Problem, Step};

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
    ("choice", &["select", "singleselect", "single", "radio", "dropdown", "enum"]),
    ("text", &["string", "textarea", "input", "shorttext", "longtext", "freetext"]),
    ("confirm", &["boolean", "bool", "yesno", "approval", "confirmation"]),
    ("rating", &["scale", "stars", "likert"]),
    ("number", &["integer", "float", "decimal", "int"]),
    ("date", &[]),
    ("time", &[]),
    ("datetime", &["timestamp"]),
];

/// What other formats call a choice of several.
const SEVERAL: &[&str] = &["multiselect", "multiplechoice", "multichoice", "checkbox", "checkboxes"];

/// Answers as outcomes have them, of some kinds.
const PREFILLS: &str =
    r#"{"text":"…"}, {"picks":[{"option":"id"}]}, {"number":4}, {"confirm":true}, {"date":"2026-03-01"}"#;

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
            return Some(Message::PrefillInstead.with([PREFILLS]));
        }
        _ => {}
    }
    if let Some(meant) = called(MEMBERS, &plain) {
        return Some(Message::DidYouMean.with([meant]));
    }
    let kind = KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind == plain);
    let written = |kind| instead(&format!("\"kind\": \"{kind}\""));
    kind.or_else(|| called(KINDS, &plain)).map(written).or_else(|| several(&plain))
}

/// What to write instead of a demand on answers that stands at a question of a request itself.
pub(super) fn constraint(place: &Path) -> Option<Text> {
    demand(place).map(|written| instead(&written))
}

/// How that demand is written.
fn demand(place: &Path) -> Option<String> {
    let [.., Step::Key(list), Step::Index(_), Step::Key(name)] = place.0.as_slice() else { return None };
    if !has_questions(list) {
        return None;
    }
    let demand = IN_CONSTRAINTS.iter().find(|known| plain(known) == plain(name))?;
    Some(format!("\"constraints\": [{{\"{demand}\": …}}]"))
}

/// The same of the ends of a rating's scale, where they are not what a scale has: another kind may be meant.
pub(super) fn bound(place: &Path) -> Option<Text> {
    let is_bound = matches!(place.0.last(), Some(Step::Key(name)) if name == "min" || name == "max");
    demand(place).filter(|_| is_bound).map(|written| Message::BoundInstead.with([written]))
}

/// What to write instead of a kind that other formats call so.
pub(super) fn kind(word: &str) -> Option<Text> {
    let plain = plain(word);
    called(KINDS, &plain).map(|meant| Message::DidYouMean.with([meant])).or_else(|| several(&plain))
}

fn several(plain: &str) -> Option<Text> {
    SEVERAL.contains(&plain).then(|| instead("\"kind\": \"choice\", \"multi\": true"))
}

/// Who filled in an answer otherwise than answers are written is shown how they are.
pub(super) fn show_prefills(problem: &mut Problem) {
    let is_of_shape = matches!(problem.code, Code::InvalidType | Code::UnknownMember | Code::Required);
    if is_of_shape && problem.path.0.iter().any(|step| matches!(step, Step::Key(name) if name == "prefill")) {
        problem.hint.get_or_insert_with(|| Message::PrefillShape.with([PREFILLS]));
    }
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
    use crate::wire::question::KindName;
    use crate::wire::schema;
    use serde::Deserialize as _;
    use serde::de::value::{Error, StrDeserializer as Words};

    type Word = Words<'static, Error>;

    #[test]
    fn what_is_meant_is_there() {
        let members = MEMBERS.iter().chain(OF_OPTIONS).map(|(ours, _)| *ours);
        for ours in members.chain(IN_CONSTRAINTS.iter().copied()) {
            assert!(schema::MEMBERS.contains(&ours), "{ours}");
        }
        for (kind, others) in KINDS {
            assert!(KindName::deserialize(Word::new(kind)).is_ok(), "{kind}");
            for other in *others {
                assert!(KindName::deserialize(Word::new(other)).is_err(), "{other}");
            }
        }
        let others = MEMBERS.iter().chain(OF_OPTIONS).chain(KINDS).flat_map(|(_, others)| *others);
        for other in others.chain(SEVERAL) {
            assert_eq!(plain(other), *other);
        }
    }
}
