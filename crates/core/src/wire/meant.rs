//! Aliases: names of other formats for our members and kinds. Models write what they know from elsewhere, so a wrong
//! name is seldom a typo.

use super::example::PREFILLS;
use crate::constraint::{Demand, LazyPattern};
use crate::message::{Message, Text};
use crate::problem::{Path, Step};
use crate::question::{Choice, Confirm, Kind, NumberEntry, Rating, TextEntry};
use crate::value::Value;
use serde_json::{Map, Value as Json};

/// Members of questions with their names in other formats: in lower case, without separators.
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

/// Members of options likewise.
const OF_OPTIONS: &[(&str, &[&str])] = &[
    ("label", &["name", "text", "title"]),
    ("description", &["detail", "desc", "hint", "help", "subtitle"]),
];

/// Kinds with their names in other formats.
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

/// Names in other formats for a choice of several options.
const SEVERAL: &[&str] = &["multiselect", "multiplechoice", "multichoice", "checkbox", "checkboxes"];

/// The equivalent of an alias in our format.
pub(super) struct Instead {
    /// The member that replaces the alias.
    pub(super) member: &'static str,
    /// The hint; none if the replacement does not suit the place either.
    pub(super) words: Option<Text>,
}

/// Returns the replacement of an unknown member of a question or an option. The last argument holds its siblings.
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

/// Returns the hint for a constraint that is written as a member of a question of this kind.
pub(super) fn constraint(member: &str, kind: &Kind) -> Option<Text> {
    demand(&plain(member)).filter(|demand| demand.suits(kind)).map(|demand| instead(&written(&demand)))
}

/// Returns the demand with this name in a constraint.
fn demand(plain: &str) -> Option<Demand> {
    demands().into_iter().find(|demand| self::plain(demand.name()) == plain)
}

/// Returns all demands of constraints, with placeholder values.
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

/// Returns the kind of a question with these members, as far as it is clear despite aliases.
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

/// Returns the hint for a rating's bounds that are no scale: another kind may be meant.
pub(super) fn bound(place: &Path) -> Option<Text> {
    let [.., Step::Key(list), Step::Index(_), Step::Key(name)] = place.0.as_slice() else { return None };
    let demand = demand(name).filter(|demand| matches!(demand, Demand::Min(_) | Demand::Max(_)));
    demand.filter(|_| has_questions(list)).map(|demand| Message::BoundInstead.with([written(&demand)]))
}

/// Returns the hint for the name of a kind in another format.
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

/// Normalizes a name as the tables have it. Long names are in none.
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
    fn alias_targets_exist() {
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
