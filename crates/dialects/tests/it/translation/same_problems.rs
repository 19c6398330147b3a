//! The same answers are valid or invalid alike in every dialect that can express their rules.

use crate::translation::{POOL, part};
use proptest::prelude::*;
use proptest::sample::Index;
use sayso_core::model::problem::PathStep;
use sayso_core::{
    Answer, DocumentPath, Pick, ProblemCode, Question, QuestionKind, Questionnaire, Replies, Reply, Sheet,
};
use sayso_dialects::{Dialect, DialectLimits, TranslationLoss};
use std::sync::Arc;

/// Returns whether a loss affects the verdict on an answer. Lengths and trimming do not affect the answers here, nor do
/// messages affect the problems.
fn is_judged_by(lost: &TranslationLoss) -> bool {
    match lost.path.0.as_slice() {
        [PathStep::Key(rules), PathStep::Key(rule)] if rules == "rules" => {
            !matches!(rule.as_str(), "length_unit" | "trim_text")
        }
        [.., PathStep::Key(list), PathStep::Index(_)] => list != "options",
        [.., PathStep::Key(member)] => matches!(member.as_str(), "kind" | "required" | "other" | "show_if"),
        _ => false,
    }
}

/// Returns a valid or invalid answer to a question: the same one at every question with as many options.
fn answer(question: &Question, seed: &(u8, String)) -> Reply {
    let (number, words) = seed;
    let number = usize::from(*number);
    match &question.kind {
        QuestionKind::Choice(choice) if choice.other && number % 5 == 0 => {
            Reply::from_picks([Pick::Other(words.clone())])
        }
        QuestionKind::Choice(choice) => {
            let options = choice.options.iter().enumerate();
            let picked = options.filter(|(at, _)| number >> (at % 8) & 1 == 1);
            Reply::from_picks(picked.map(|(_, option)| Pick::Option(option.id.clone())))
        }
        QuestionKind::Text(_) => Reply::from_text(words.clone()),
        QuestionKind::Confirm(_) => Reply::from_answer(Answer::Confirm(number % 2 == 0)),
        QuestionKind::Rating(rating) => {
            Reply::from_answer(Answer::Rating(rating.min + i32::try_from(number % 7).unwrap()))
        }
        QuestionKind::Number(_) => Reply::from_answer(Answer::Number(i64::try_from(number).unwrap().into())),
        QuestionKind::Date | QuestionKind::Time | QuestionKind::Datetime => Reply::unanswered(),
    }
}

/// Returns the problems of these answers, each with the number of its question.
fn problems(asked: &Arc<Questionnaire>, seeds: &[(u8, String)]) -> Vec<(Option<usize>, ProblemCode)> {
    let questions = asked.questions.iter().zip(seeds.iter().cycle());
    let replies: Replies =
        questions.map(|(question, seed)| (question.id.clone(), answer(question, seed))).collect();
    let sheet = Sheet::new(asked.clone(), replies);
    let number = |path: &DocumentPath| {
        let place = |question: &Question| DocumentPath::root().join("answers").join(question.id.as_str());
        asked.questions.iter().position(|question| place(question) == *path)
    };
    let refusals = sheet.problems().into_iter();
    refusals.map(|problem| (number(&problem.path), problem.code)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn same_answers_have_same_problems(
        which in any::<Index>(), mask in any::<u64>(), other in any::<Index>(),
        seeds in prop::collection::vec((any::<u8>(), "[a-c1-9]{1,12}"), 1..8),
    ) {
        let (_, whole) = which.get(&POOL);
        let to = *other.get(&Dialect::ALL);
        let asked = Arc::new(part(whole, mask));
        let there = to.write_request(&asked, &DialectLimits::default());
        let Ok(read) = to.read(&there.text, &DialectLimits::default()) else { return Ok(()) };
        let read = Arc::new(read.questionnaire);
        prop_assume!(read.questions.len() == asked.questions.len());
        // If rules are lost, the verdicts may differ, and the asker has been warned.
        if there.lost.iter().any(is_judged_by) {
            return Ok(());
        }
        prop_assert_eq!(problems(&asked, &seeds), problems(&read, &seeds), "{:?}: {:?}", to, there.lost);
    }
}
