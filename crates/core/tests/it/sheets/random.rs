//! Random valid questionnaires, and random edits of them.

use proptest::prelude::*;
use sayso_core::{
    Answer, AnswerCheck, ChoiceOption, ChoiceQuestion, ComparisonValue, Condition, ConditionTest,
    ConfirmQuestion, Constraint, DateQuestion, DatetimeQuestion, DatetimeValue, LineFormat, Number,
    NumberQuestion, OptionId, Pick, Question, QuestionInput, QuestionKind, Questionnaire, RatingQuestion,
    Replies, Reply, ReplyContent, Requirement, Rules, Section, Sheet, TextQuestion, TimeQuestion,
    model::value::datetime,
};
use std::sync::Arc;

/// Numbers that determine one question, depending on the questions before it.
type QuestionSeeds = (u8, u8, u8, Option<ConditionShape>, Option<ConditionShape>);

/// A condition without names: numbers stand for the questions before it and for values.
#[derive(Debug, Clone)]
enum ConditionShape {
    All(Vec<ConditionShape>),
    Any(Vec<ConditionShape>),
    Not(Box<ConditionShape>),
    Test(u8, u8, u8, u8),
}

fn shape() -> impl Strategy<Value = ConditionShape> {
    let test = any::<[u8; 4]>().prop_map(|[at, check, one, two]| ConditionShape::Test(at, check, one, two));
    test.prop_recursive(3, 8, 3, |inner| {
        let parts = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            parts.clone().prop_map(ConditionShape::All),
            parts.prop_map(ConditionShape::Any),
            inner.prop_map(|part| ConditionShape::Not(Box::new(part))),
        ]
    })
}

fn kind(seed: u8) -> QuestionKind {
    let choice = |multi, other| {
        let options = vec![
            ChoiceOption::new("a", "Apple"),
            ChoiceOption::new("b", "Bee"),
            ChoiceOption::new("c", "Cat"),
        ];
        ChoiceQuestion { options, multi, other, other_label: None, other_at: None }.into()
    };
    match seed % 11 {
        0 => choice(false, false),
        1 => choice(false, true),
        2 => choice(true, false),
        3 => choice(true, true),
        4 => TextQuestion { long: seed > 100 }.into(),
        5 => ConfirmQuestion::default().into(),
        6 => RatingQuestion::default().into(),
        7 => NumberQuestion::default().into(),
        8 => DateQuestion.into(),
        9 => TimeQuestion.into(),
        _ => DatetimeQuestion.into(),
    }
}

/// Returns a value that answers of a kind may be compared with.
fn value(kind: &QuestionKind, seed: u8) -> ComparisonValue {
    let text = |all: [&str; 3]| ComparisonValue::Text(all[usize::from(seed) % 3].into());
    let number = |all: [&str; 3]| ComparisonValue::Number(Number::parse(all[usize::from(seed) % 3]).unwrap());
    match kind.input() {
        QuestionInput::Options(_) => text(["a", "b", "c"]),
        QuestionInput::Line(LineFormat::Text { .. }) => text(["x", "y", " x"]),
        QuestionInput::Toggle(_) => ComparisonValue::Bool(seed.is_multiple_of(2)),
        QuestionInput::Scale(_) => number(["1", "2.5", "5"]),
        QuestionInput::Line(LineFormat::Number { .. }) => number(["0.0", "0.5", "1"]),
        QuestionInput::Line(LineFormat::Date) => text(["2026-03-01", "2026-03-02", "2025-12-31"]),
        QuestionInput::Line(LineFormat::Time) => text(["09:00:00", "14:30:00", "23:59:59"]),
        QuestionInput::Line(LineFormat::Datetime) => {
            text(["2026-03-01T09:00:00", "2026-03-01T14:30:00", "2026-03-02T00:00:00"])
        }
    }
}

fn condition(shape: &ConditionShape, before: &[Question]) -> Condition {
    let parts = |parts: &[ConditionShape]| parts.iter().map(|part| condition(part, before)).collect();
    match shape {
        ConditionShape::All(all) => Condition::All(parts(all)),
        ConditionShape::Any(any) => Condition::Any(parts(any)),
        ConditionShape::Not(part) => Condition::Not(Box::new(condition(part, before))),
        ConditionShape::Test(at, check, one, two) => {
            // Recent questions are likelier, so that conditions build chains.
            let back = usize::from(*at % 5) % before.len();
            let seen = &before[before.len() - 1 - back];
            let (one, two) = (value(&seen.kind, *one), value(&seen.kind, *two));
            let ordered = seen.kind.has_order();
            let check = match (check % 9, seen.choice()) {
                (0, _) => AnswerCheck::Answered(true),
                (1, _) => AnswerCheck::Answered(false),
                (2, _) => AnswerCheck::AnyOf(vec![one, two]),
                (3 | 4, _) => AnswerCheck::NoneOf(vec![one, two]),
                (5, Some(choice)) if choice.multi => AnswerCheck::AllOf(vec![one, two]),
                (6, Some(choice)) if choice.other => AnswerCheck::HasOther(*at > 99),
                (5, _) if ordered => AnswerCheck::AtLeast(one),
                (6, _) if ordered => AnswerCheck::AtMost(one),
                _ => AnswerCheck::Is(one),
            };
            Condition::Test(ConditionTest { question: seen.id.clone(), check })
        }
    }
}

fn constraint(kind: &QuestionKind) -> Option<Constraint> {
    let number = |text| ComparisonValue::Number(Number::parse(text).unwrap());
    let demand = match kind.input() {
        QuestionInput::Options(_) => Requirement::MaxPicks(1),
        QuestionInput::Line(LineFormat::Text { .. }) => Requirement::MaxLength(1),
        QuestionInput::Scale(_) => Requirement::Max(number("2.75")),
        QuestionInput::Line(LineFormat::Number { .. }) => Requirement::Max(number("0.75")),
        QuestionInput::Line(LineFormat::Date) => Requirement::Min(ComparisonValue::Text("2026-03-02".into())),
        _ => return None,
    };
    Some(Constraint::new(demand, None))
}

fn built(seeds: &[QuestionSeeds], sectioned: bool, rules: Rules) -> Questionnaire {
    let mut made = Questionnaire { rules, ..Questionnaire::default() };
    for (at, (kind_seed, place, flags, show_if, section_show_if)) in seeds.iter().enumerate() {
        let breaks = sectioned && (at == 0 || place % 4 == 0);
        if breaks {
            let show_if = section_show_if.as_ref().filter(|_| at > 0);
            made.sections.push(Section {
                optional: flags % 4 == 0,
                show_if: show_if.map(|shape| condition(shape, &made.questions)),
                ..Section::new(format!("s{at}"))
            });
        }
        // A follow-up comes after its parent or after a descendant of it.
        let mut above = vec![None];
        let mut next = made.questions.last().filter(|_| !breaks);
        while let Some(parent) = next {
            above.push(Some(parent.id.clone()));
            next = parent.parent.as_ref().and_then(|id| made.question(id));
        }
        let parent = above[usize::from(place / 4) % above.len()].clone();
        let show_if = show_if.as_ref().filter(|_| at > 0).map(|shape| condition(shape, &made.questions));
        let kind = kind(*kind_seed);
        let constraints = constraint(&kind).filter(|_| flags % 16 < 3).into_iter().collect();
        let section = made.sections.last().map(|section| section.id.clone());
        let (required, unchecked) = (flags % 8 < 3, flags % 32 == 0);
        // Ids in another order than the questions.
        let id = format!("q{}", (at * 7 + 3) % 17);
        let question = Question {
            section,
            parent,
            show_if,
            required,
            validates_on_submit: unchecked,
            constraints,
            ..Question::new(id, "?", kind)
        };
        made.questions.push(question);
    }
    made
}

/// Returns a strategy for valid questionnaires of a few questions.
pub(crate) fn questionnaire() -> impl Strategy<Value = Arc<Questionnaire>> {
    let shape = || prop::option::of(shape());
    let seeds = prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>(), shape(), shape()), 1..15);
    let rules = any::<[bool; 6]>().prop_map(|[a, b, c, d, e, f]| Rules {
        trim_text: a,
        repeated_picks: b,
        other_alone: c,
        empty_other: d,
        own_answers_match: e,
        must_be_true: f,
        ..Rules::default()
    });
    (seeds, any::<bool>(), rules)
        .prop_map(|(seeds, sectioned, rules)| Arc::new(built(&seeds, sectioned, rules)))
}

/// Returns a reply that a surface may set: also blank ones, ones that break a constraint, and states of outcomes.
pub(crate) fn reply(kind: &QuestionKind, seed: u8) -> Reply {
    let option = |id: &str| Pick::Option(OptionId::new(id));
    let own = |text: &str| Pick::Other(text.to_owned());
    let at = usize::from(seed / 8);
    let answer = match kind.input() {
        QuestionInput::Options(choice) => {
            let mut all = vec![vec![option("a")], vec![option("b")], vec![option("c")], vec![]];
            if choice.other {
                all.extend([vec![own("a")], vec![own("zz ")], vec![own(" ")]]);
            }
            if choice.multi {
                all.extend([vec![option("b"), option("a")], vec![option("c"), option("b"), option("a")]]);
            }
            if choice.multi && choice.other {
                all.push(vec![option("c"), own("b")]);
            }
            Answer::Picks(all[at % all.len()].clone().into())
        }
        QuestionInput::Line(LineFormat::Text { .. }) => {
            Answer::Text(["x", " x\n", "y", "X", "", " \t", "long"][at % 7].to_owned())
        }
        QuestionInput::Toggle(_) => Answer::Confirm(at % 2 == 0),
        QuestionInput::Scale(_) => Answer::Rating([1, 2, 3, 5, 9][at % 5]),
        QuestionInput::Line(LineFormat::Number { .. }) => {
            Answer::Number(Number::parse(["0", "0.50", "0.7", "1.0", "-3"][at % 5]).unwrap())
        }
        QuestionInput::Line(LineFormat::Date) => {
            Answer::Date(datetime::parse_date(["2026-03-01", "2026-03-02", "2027-01-01"][at % 3]).unwrap())
        }
        QuestionInput::Line(LineFormat::Time) => {
            Answer::Time(datetime::parse_time(["9:00", "14:30", "23:59:59"][at % 3]).unwrap())
        }
        QuestionInput::Line(LineFormat::Datetime) => Answer::Datetime(
            DatetimeValue::parse(["2026-03-01 09:00", "2026-03-01T14:30", "2027-01-01T00:00"][at % 3])
                .unwrap(),
        ),
    };
    let note = Some(["", "see below", " "][at % 3].to_owned());
    match seed % 8 {
        0 => Reply::skipped(),
        1 => Reply::unanswered().with_note(note),
        2 => Reply { content: ReplyContent::NotAsked { decided_by: None }, ..Reply::default() },
        3 => Reply::from_answer(answer).with_note(note),
        _ => Reply::from_answer(answer),
    }
}

/// Edits of a questionnaire: the question, and the reply.
pub(crate) fn edits() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec(any::<(u8, u8)>(), 0..30)
}

/// Returns the index of the edited question, and the reply.
pub(crate) fn edit(made: &Questionnaire, (at, seed): (u8, u8)) -> (usize, Reply) {
    let at = usize::from(at) % made.questions.len();
    (at, reply(&made.questions[at].kind, seed))
}

/// Returns a sheet after some edits.
pub(crate) fn filled(made: &Arc<Questionnaire>, edits: &[(u8, u8)]) -> Sheet {
    let mut sheet = Sheet::new(made.clone(), Replies::new());
    for one in edits {
        let (at, reply) = edit(made, *one);
        sheet.set_reply(&made.questions[at].id, reply);
    }
    sheet
}
