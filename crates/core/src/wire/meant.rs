//! What most likely was meant by a name of another format, where ours calls it otherwise. Models write what they know from
//! elsewhere, and the difference is seldom a slip of the pen.

use super::example::PREFILLS;
use crate::constraint::{Demand, LazyPattern};
use crate::message::{Message, Text};
use crate::problem::{Path, Step};
use crate::question::{Choice, Confirm, Kind, NumberEntry, Rating, TextEntry};
use crate::value::Value;
use serde_json::{Map, Value as Json};

/// Members of questions, and what other formats call them: in small letters, without what stands between words.
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

/// How something is written here.
pub(super) struct Instead {
    /// The member that it is written as.
    pub(super) member: &'static str,
    /// What to say; nothing where it could not stand there either.
    pub(super) words: Option<Text>,
}

/// What to write instead of a member that stands at a question or an option of a request and does not belong there; beside
/// it, what else stands there.
pub(super) fn member(place: &Path, beside: &Map<String, Json>) -> Option<Instead> {
    let [.., Step::Key(list), Step::Index(_), Step::Key(name)] = place.0.as_slice() else { return None };
    let plain = plain(name);
    let meant = |member| Instead { member, words: Some(Message::DidYouMean.with([member])) };
    if list == "options" {
        return called(OF_OPTIONS, &plain).map(meant);
    }
    if !has_questions(list) {
        return None;
    }
    if let Some(demand) = demand(&plain) {
        let suits = kind_beside(beside).is_none_or(|kind| demand.suits(&kind));
        return Some(Instead { member: "constraints", words: suits.then(|| instead(&written(&demand))) });
    }
    match plain.as_str() {
        "optional" => {
            return Some(Instead { member: "required", words: Some(instead("\"required\": false")) });
        }
        "default" | "defaultvalue" | "initial" | "initialvalue" => {
            return Some(Instead {
                member: "prefill",
                words: Some(Message::PrefillInstead.with([PREFILLS])),
            });
        }
        _ => {}
    }
    if let Some(member) = called(MEMBERS, &plain) {
        return Some(meant(member));
    }
    let kind = KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind == plain);
    let written = |kind| instead(&format!("\"kind\": \"{kind}\""));
    let words = kind.or_else(|| called(KINDS, &plain)).map(written).or_else(|| several(&plain));
    words.map(|words| Instead { member: "kind", words: Some(words) })
}

/// What to write instead of a demand on answers that stands at a question of this kind itself.
pub(super) fn constraint(member: &str, kind: &Kind) -> Option<Text> {
    demand(&plain(member)).filter(|demand| demand.suits(kind)).map(|demand| instead(&written(&demand)))
}

/// The demand that a name stands for in a constraint.
fn demand(plain: &str) -> Option<Demand> {
    demands().into_iter().find(|demand| self::plain(demand.name()) == plain)
}

/// What can be demanded in words of a constraint, of whatever value.
fn demands() -> [Demand; 8] {
    let value = || Value::Bool(false);
    [
        Demand::Min(value()),
        Demand::Max(value()),
        Demand::MinPicks(0),
        Demand::MaxPicks(0),
        Demand::MinLength(0),
        Demand::MaxLength(0),
        Demand::Pattern(LazyPattern::new("")),
        Demand::MultipleOf(0.into()),
    ]
}

fn written(demand: &Demand) -> String {
    format!("\"constraints\": [{{\"{}\": …}}]", demand.name())
}

/// The kind of a question that has these members, as far as that can be told where one of them has another name.
fn kind_beside(members: &Map<String, Json>) -> Option<Kind> {
    let named = |ours: &str| {
        let mut members = members.iter();
        members.find(|(name, _)| *name == ours || called(MEMBERS, &plain(name)) == Some(ours))
    };
    let Some((_, kind)) = named("kind") else {
        let choice = named("options").map(|_| Kind::Choice(Choice::default()));
        return choice.or_else(|| Some(Kind::Text(TextEntry::default())));
    };
    let plain = plain(kind.as_str()?);
    let kinds = [
        Kind::Choice(Choice::default()),
        Kind::Text(TextEntry::default()),
        Kind::Confirm(Confirm::default()),
        Kind::Rating(Rating::default()),
        Kind::Number(NumberEntry::default()),
        Kind::Date,
        Kind::Time,
        Kind::Datetime,
    ];
    let is_choice = SEVERAL.contains(&plain.as_str());
    let name = called(KINDS, &plain).or_else(|| is_choice.then_some("choice")).unwrap_or(&plain);
    kinds.into_iter().find(|kind| kind.name() == name)
}

/// The same of the ends of a rating's scale, where they are not what a scale has: another kind may be meant.
pub(super) fn bound(place: &Path) -> Option<Text> {
    let [.., Step::Key(list), Step::Index(_), Step::Key(name)] = place.0.as_slice() else { return None };
    let demand = demand(name).filter(|demand| matches!(demand, Demand::Min(_) | Demand::Max(_)));
    demand.filter(|_| has_questions(list)).map(|demand| Message::BoundInstead.with([written(&demand)]))
}

/// What to write instead of a kind that other formats call so.
pub(super) fn kind(word: &str) -> Option<Text> {
    let plain = plain(word);
    called(KINDS, &plain).map(|meant| Message::DidYouMean.with([meant])).or_else(|| several(&plain))
}

fn several(plain: &str) -> Option<Text> {
    SEVERAL.contains(&plain).then(|| instead("\"kind\": \"choice\", \"multi\": true"))
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
    use crate::wire::members;
    use crate::wire::question::KindName;
    use serde::Deserialize as _;
    use serde::de::value::{Error, StrDeserializer as Words};

    type Word = Words<'static, Error>;

    #[test]
    fn what_is_meant_is_there() {
        let members = MEMBERS.iter().chain(OF_OPTIONS).map(|(ours, _)| *ours);
        for ours in members.chain(demands().iter().map(Demand::name)) {
            assert!(members::all().any(|member| member == ours), "{ours}");
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
