//! Aliases: names of other formats for our members and kinds. Models write what they know from elsewhere, so a wrong
//! name is seldom a typo.

use super::example::PREFILLS;
use crate::i18n::{LocalizedText, Message, own};
use crate::kinds::KINDS;
use crate::model::document_path::{DocumentPath, PathStep};
use crate::model::question::constraint::Requirement;
use crate::model::question::kind::QuestionKind;
use crate::model::value::ComparisonValue;
use crate::pattern::LazyPattern;
use serde_json::{Map, Value as Json};

/// Names of other formats for one of our members, in lower case, without separators.
struct MemberNames {
    ours: &'static str,
    /// Names of members whose values are written as ours.
    same: &'static [&'static str],
    /// Names of members that only resemble ours.
    similar: &'static [&'static str],
}

const fn names(
    ours: &'static str,
    same: &'static [&'static str],
    similar: &'static [&'static str],
) -> MemberNames {
    MemberNames { ours, same, similar }
}

/// Members of questions.
const MEMBERS: &[MemberNames] = &[
    names("prompt", &["question", "text", "message"], &[]),
    names("label", &["header", "short"], &["title", "name", "shorttitle"]),
    names("detail", &["description", "help"], &["hint", "subtitle", "helptext", "explanation"]),
    names("kind", &["type"], &["inputtype", "questiontype"]),
    names("options", &["choices"], &["enum", "items", "values", "answers"]),
    names("multi", &["multiple", "multiselect", "allowmultiple"], &["multichoice"]),
    names(
        "other",
        &["allowother", "allowcustom", "custom"],
        &["freeform", "freetext", "allowfreetext", "allowfreeform"],
    ),
    names("long", &["multiline"], &["textarea"]),
    names("required", &["isrequired"], &[]),
    names("children", &[], &["followups", "followup", "subquestions"]),
    names("show_if", &["showif"], &["if", "when", "condition", "visibleif", "dependson", "showwhen"]),
    names("constraints", &[], &["validation", "validations", "validators"]),
];

/// Members of options.
const OPTION_MEMBERS: &[MemberNames] = &[
    names("label", &["name", "text", "title"], &[]),
    names("description", &["detail", "desc"], &["hint", "help", "subtitle"]),
];

/// A kind of question, with the member that some names of it imply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindAlias {
    /// The kind.
    pub kind: &'static str,
    /// A member that is true then: `multi` or `long`.
    pub flag: Option<&'static str>,
}

/// Returns the member of a question whose value is written like that of this name in another format.
pub fn question_member(name: &str) -> Option<&'static str> {
    same_member(MEMBERS, name)
}

/// Returns the member of an option whose value is written like that of this name in another format.
pub fn option_member(name: &str) -> Option<&'static str> {
    same_member(OPTION_MEMBERS, name)
}

fn same_member(members: &[MemberNames], name: &str) -> Option<&'static str> {
    let plain = normalized(name);
    for member in members {
        if member.same.contains(&plain.as_str()) {
            return Some(member.ours);
        }
    }
    None
}

/// Returns the kind of question with this name, ours or one of another format.
pub fn kind(word: &str) -> Option<KindAlias> {
    let plain = normalized(word);
    for kind in &KINDS {
        let name = kind.name();
        if name == plain {
            return Some(KindAlias { kind: name, flag: None });
        }
        for alias in kind.behavior().aliases() {
            if alias.names.contains(&plain.as_str()) {
                return Some(KindAlias { kind: name, flag: alias.flag });
            }
        }
    }
    None
}

/// The equivalent of an alias in our format.
pub(crate) struct MemberAlias {
    /// The member that replaces the alias.
    pub(crate) member: &'static str,
    /// The hint; none if the replacement does not suit the place either.
    pub(crate) words: Option<LocalizedText>,
}

impl MemberAlias {
    /// Returns the alias of a member that is written the same.
    fn same(member: &'static str) -> Self {
        Self { member, words: Some(Message::DidYouMean.with([member])) }
    }
}

/// Returns the replacement of an unknown member of a question or an option. The last argument holds its siblings.
pub(crate) fn member(place: &DocumentPath, siblings: &Map<String, Json>) -> Option<MemberAlias> {
    let [.., PathStep::Key(list), PathStep::Index(_), PathStep::Key(name)] = place.0.as_slice() else {
        return None;
    };
    let plain = normalized(name);
    if list == "options" {
        return canonical_name(OPTION_MEMBERS, &plain).map(MemberAlias::same);
    }
    if !has_questions(list) {
        return None;
    }
    if let Some(demand) = demand(&plain) {
        let is_suitable = match kind_from_members(siblings) {
            Some(kind) => demand.applies_to(kind),
            None => true,
        };
        let words = if is_suitable { Some(write_instead(&constraint_example(&demand))) } else { None };
        return Some(MemberAlias { member: "constraints", words });
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
        return Some(MemberAlias::same(member));
    }
    let alias = kind(&plain)?;
    let words = match multi_choice_hint(alias) {
        Some(hint) => hint,
        None => write_instead(&format!("\"kind\": \"{}\"", alias.kind)),
    };
    Some(MemberAlias { member: "kind", words: Some(words) })
}

/// Returns the hint for a constraint that is written as a member of a question of this kind.
pub(crate) fn constraint(member: &str, kind: &QuestionKind) -> Option<LocalizedText> {
    let demand = demand(&normalized(member))?;
    if !demand.applies_to(kind) {
        return None;
    }
    Some(write_instead(&constraint_example(&demand)))
}

/// Returns the demand with this name in a constraint.
fn demand(plain: &str) -> Option<Requirement> {
    demands().into_iter().find(|demand| normalized(demand.name()) == plain)
}

/// Returns all demands of constraints, with placeholder values.
fn demands() -> [Requirement; 8] {
    [
        Requirement::Min(ComparisonValue::Bool(false)),
        Requirement::Max(ComparisonValue::Bool(false)),
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
fn kind_from_members(members: &Map<String, Json>) -> Option<&'static QuestionKind> {
    let name = match member_in_any_spelling(members, "kind") {
        Some(word) => kind(word.as_str()?)?.kind,
        None if member_in_any_spelling(members, "options").is_some() => "choice",
        None => "text",
    };
    KINDS.iter().find(|kind| kind.name() == name)
}

/// Returns the member with this name or one that means or resembles it.
fn member_in_any_spelling<'v>(members: &'v Map<String, Json>, ours: &str) -> Option<&'v Json> {
    for (name, value) in members {
        if name == ours || canonical_name(MEMBERS, &normalized(name)) == Some(ours) {
            return Some(value);
        }
    }
    None
}

/// Returns the hint for a rating's bounds that are no scale: another kind may be meant.
pub(crate) fn bound(place: &DocumentPath) -> Option<LocalizedText> {
    let [.., PathStep::Key(list), PathStep::Index(_), PathStep::Key(name)] = place.0.as_slice() else {
        return None;
    };
    let demand = demand(name)?;
    if !has_questions(list) || !matches!(demand, Requirement::Min(_) | Requirement::Max(_)) {
        return None;
    }
    Some(Message::BoundInstead.with([own(constraint_example(&demand))]))
}

/// Returns the hint for the name of a kind in another format.
pub(crate) fn kind_hint(word: &str) -> Option<LocalizedText> {
    let alias = kind(word)?;
    Some(match multi_choice_hint(alias) {
        Some(hint) => hint,
        None => Message::DidYouMean.with([alias.kind]),
    })
}

fn multi_choice_hint(alias: KindAlias) -> Option<LocalizedText> {
    if alias.flag != Some("multi") {
        return None;
    }
    Some(write_instead("\"kind\": \"choice\", \"multi\": true"))
}

fn has_questions(list: &str) -> bool {
    list == "questions" || list == "children"
}

/// Returns the member that this name means or resembles.
fn canonical_name(members: &[MemberNames], plain: &str) -> Option<&'static str> {
    for member in members {
        if member.same.contains(&plain) || member.similar.contains(&plain) {
            return Some(member.ours);
        }
    }
    None
}

fn write_instead(written: &str) -> LocalizedText {
    Message::WriteInstead.with([own(written)])
}

/// Normalizes a name as the tables have it. Long names are in none.
fn normalized(name: &str) -> String {
    let mut letters = String::new();
    for letter in name.chars().take(24) {
        if !matches!(letter, '_' | '-' | ' ') {
            letters.push(letter.to_ascii_lowercase());
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::KindName;
    use crate::wire::hints::members;
    use serde::Deserialize as _;
    use serde::de::value::{Error, StrDeserializer as Words};

    type Word = Words<'static, Error>;

    #[test]
    fn alias_targets_exist() {
        let all = || MEMBERS.iter().chain(OPTION_MEMBERS);
        for ours in all().map(|known| known.ours).chain(demands().iter().map(Requirement::name)) {
            assert!(members::all().any(|member| member == ours), "{ours}");
        }
        let kind_names =
            || KINDS.iter().flat_map(|kind| kind.behavior().aliases()).flat_map(|alias| alias.names);
        for name in kind_names() {
            assert!(KindName::deserialize(Word::new(name)).is_err(), "{name}");
        }
        let others = all().flat_map(|known| known.same.iter().chain(known.similar));
        for other in others.chain(kind_names()) {
            assert_eq!(normalized(other), *other);
        }
    }
}
