//! Aliases: names of other formats for our members and kinds. Models write what they know from elsewhere, so a wrong
//! name is seldom a typo.

use super::example::PREFILLS;
use crate::i18n::{LocalizedText, Message};
use crate::model::problem::{DocumentPath, PathStep};
use crate::model::question::{
    ChoiceQuestion, ConfirmQuestion, NumberQuestion, QuestionKind, RatingQuestion, TextQuestion,
};
use crate::model::value::ComparisonValue;
use crate::rules::constraint::{LazyPattern, Requirement};
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
const OPTION_MEMBERS: &[(&str, &[&str])] = &[
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
const MULTI_CHOICE: &[&str] = &["multiselect", "multiplechoice", "multichoice", "checkbox", "checkboxes"];

/// The equivalent of an alias in our format.
pub(crate) struct MemberAlias {
    /// The member that replaces the alias.
    pub(crate) member: &'static str,
    /// The hint; none if the replacement does not suit the place either.
    pub(crate) words: Option<LocalizedText>,
}

/// Returns the replacement of an unknown member of a question or an option. The last argument holds its siblings.
pub(crate) fn member(place: &DocumentPath, siblings: &Map<String, Json>) -> Option<MemberAlias> {
    let [.., PathStep::Key(list), PathStep::Index(_), PathStep::Key(name)] = place.0.as_slice() else {
        return None;
    };
    let plain = normalized(name);
    let meant = |member| MemberAlias { member, words: Some(Message::DidYouMean.with([member])) };
    if list == "options" {
        return canonical_name(OPTION_MEMBERS, &plain).map(meant);
    }
    if !has_questions(list) {
        return None;
    }
    if let Some(demand) = demand(&plain) {
        let suits = kind_from_members(siblings).is_none_or(|kind| demand.applies_to(&kind));
        return Some(MemberAlias {
            member: "constraints",
            words: suits.then(|| write_instead(&constraint_example(&demand))),
        });
    }
    match plain.as_str() {
        "optional" => {
            return Some(MemberAlias {
                member: "required",
                words: Some(write_instead("\"required\": false")),
            });
        }
        "default" | "defaultvalue" | "initial" | "initialvalue" => {
            return Some(MemberAlias {
                member: "prefill",
                words: Some(Message::PrefillInstead.with([PREFILLS])),
            });
        }
        _ => {}
    }
    if let Some(member) = canonical_name(MEMBERS, &plain) {
        return Some(meant(member));
    }
    let kind = KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind == plain);
    let written = |kind| write_instead(&format!("\"kind\": \"{kind}\""));
    let words =
        kind.or_else(|| canonical_name(KINDS, &plain)).map(written).or_else(|| multi_choice_hint(&plain));
    words.map(|words| MemberAlias { member: "kind", words: Some(words) })
}

/// Returns the hint for a constraint that is written as a member of a question of this kind.
pub(crate) fn constraint(member: &str, kind: &QuestionKind) -> Option<LocalizedText> {
    demand(&normalized(member))
        .filter(|demand| demand.applies_to(kind))
        .map(|demand| write_instead(&constraint_example(&demand)))
}

/// Returns the demand with this name in a constraint.
fn demand(plain: &str) -> Option<Requirement> {
    demands().into_iter().find(|demand| normalized(demand.name()) == plain)
}

/// Returns all demands of constraints, with placeholder values.
fn demands() -> [Requirement; 8] {
    let value = || ComparisonValue::Bool(false);
    [
        Requirement::Min(value()),
        Requirement::Max(value()),
        Requirement::MinPicks(0),
        Requirement::MaxPicks(0),
        Requirement::MinLength(0),
        Requirement::MaxLength(0),
        Requirement::Pattern(LazyPattern::new("")),
        Requirement::MultipleOf(0.into()),
    ]
}

fn constraint_example(demand: &Requirement) -> String {
    format!("\"constraints\": [{{\"{}\": …}}]", demand.name())
}

/// Returns the kind of a question with these members, as far as it is clear despite aliases.
fn kind_from_members(members: &Map<String, Json>) -> Option<QuestionKind> {
    let named = |ours: &str| {
        let mut members = members.iter();
        members.find(|(name, _)| *name == ours || canonical_name(MEMBERS, &normalized(name)) == Some(ours))
    };
    let Some((_, kind)) = named("kind") else {
        let choice = named("options").map(|_| QuestionKind::Choice(ChoiceQuestion::default()));
        return choice.or_else(|| Some(QuestionKind::Text(TextQuestion::default())));
    };
    let plain = normalized(kind.as_str()?);
    let kinds = [
        QuestionKind::Choice(ChoiceQuestion::default()),
        QuestionKind::Text(TextQuestion::default()),
        QuestionKind::Confirm(ConfirmQuestion::default()),
        QuestionKind::Rating(RatingQuestion::default()),
        QuestionKind::Number(NumberQuestion::default()),
        QuestionKind::Date,
        QuestionKind::Time,
        QuestionKind::Datetime,
    ];
    let is_choice = MULTI_CHOICE.contains(&plain.as_str());
    let name = canonical_name(KINDS, &plain).or_else(|| is_choice.then_some("choice")).unwrap_or(&plain);
    kinds.into_iter().find(|kind| kind.name() == name)
}

/// Returns the hint for a rating's bounds that are no scale: another kind may be meant.
pub(crate) fn bound(place: &DocumentPath) -> Option<LocalizedText> {
    let [.., PathStep::Key(list), PathStep::Index(_), PathStep::Key(name)] = place.0.as_slice() else {
        return None;
    };
    let demand = demand(name).filter(|demand| matches!(demand, Requirement::Min(_) | Requirement::Max(_)));
    demand
        .filter(|_| has_questions(list))
        .map(|demand| Message::BoundInstead.with([constraint_example(&demand)]))
}

/// Returns the hint for the name of a kind in another format.
pub(crate) fn kind(word: &str) -> Option<LocalizedText> {
    let plain = normalized(word);
    canonical_name(KINDS, &plain)
        .map(|meant| Message::DidYouMean.with([meant]))
        .or_else(|| multi_choice_hint(&plain))
}

fn multi_choice_hint(plain: &str) -> Option<LocalizedText> {
    MULTI_CHOICE.contains(&plain).then(|| write_instead("\"kind\": \"choice\", \"multi\": true"))
}

fn has_questions(list: &str) -> bool {
    list == "questions" || list == "children"
}

fn canonical_name(names: &[(&'static str, &[&str])], plain: &str) -> Option<&'static str> {
    names.iter().find(|(_, others)| others.contains(&plain)).map(|(ours, _)| *ours)
}

fn write_instead(written: &str) -> LocalizedText {
    Message::WriteInstead.with([written])
}

/// Normalizes a name as the tables have it. Long names are in none.
fn normalized(name: &str) -> String {
    let letters = name.chars().take(24).filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::hints::members;
    use crate::wire::questionnaire::question::KindName;
    use serde::Deserialize as _;
    use serde::de::value::{Error, StrDeserializer as Words};

    type Word = Words<'static, Error>;

    #[test]
    fn alias_targets_exist() {
        let members = MEMBERS.iter().chain(OPTION_MEMBERS).map(|(ours, _)| *ours);
        for ours in members.chain(demands().iter().map(Requirement::name)) {
            assert!(members::all().any(|member| member == ours), "{ours}");
        }
        for (kind, others) in KINDS {
            assert!(KindName::deserialize(Word::new(kind)).is_ok(), "{kind}");
            for other in *others {
                assert!(KindName::deserialize(Word::new(other)).is_err(), "{other}");
            }
        }
        let others = MEMBERS.iter().chain(OPTION_MEMBERS).chain(KINDS).flat_map(|(_, others)| *others);
        for other in others.chain(MULTI_CHOICE) {
            assert_eq!(normalized(other), *other);
        }
    }
}
