//! Requests are written within the configured limits, in the configured generation.

use sayso_core::{ChoiceOption, ChoiceQuestion, Question, QuestionKind, Questionnaire};
use sayso_dialects::{
    AskUserQuestionLimits, AuqCompat, AuqLimits, TranslatedRequest, ask_user_question, auq,
};
use std::time::{Duration, Instant};

/// Returns choices of this many options each, with a follow-up to the first of them.
fn choices(counts: &[usize]) -> Questionnaire {
    let question = |(at, count): (usize, &usize)| {
        let options = (1..=*count).map(|at| ChoiceOption {
            description: Some("D".to_owned()),
            ..ChoiceOption::new(format!("o{at}"), format!("L{at}"))
        });
        let choice = ChoiceQuestion { options: options.collect(), other: true, ..ChoiceQuestion::default() };
        Question {
            label: Some("T".to_owned()),
            ..Question::new(format!("q{at}"), "Prompt", QuestionKind::Choice(choice))
        }
    };
    let mut questions: Vec<_> = counts.iter().enumerate().map(question).collect();
    if let Some(second) = questions.get_mut(1) {
        second.parent = Some("q0".to_owned().into());
    }
    Questionnaire { questions, ..Questionnaire::default() }
}

/// Returns the questions that are left out, and the number of other losses.
fn left_out(written: &TranslatedRequest) -> Vec<String> {
    let is_question = |path: &String| path.ends_with(']');
    written.lost.iter().map(|lost| lost.path.to_js_path()).filter(is_question).collect()
}

#[test]
fn auq_request_respects_limits() {
    let asked = choices(&[3, 2, 5, 7, 2, 2, 2]);
    let wide = AuqLimits::spec().with_limits(10, 10).unwrap();
    let all = ["questions[0].children[0]"];
    assert_eq!(left_out(&auq::write_request(&asked, &wide)), all, "it follows up no more");
    let written = auq::write_request(&asked, &AuqLimits::v3_4());
    assert_eq!(left_out(&written), ["questions[0].children[0]", "questions[2]", "questions[5]"]);
    assert!(auq::read(&written.text, &AuqLimits::v3_4()).is_ok());
    let narrow = AuqLimits::spec().with_limits(2, 2).unwrap();
    let written = auq::write_request(&asked, &narrow);
    let expected =
        ["questions[0]", "questions[0].children[0]", "questions[1]", "questions[2]", "questions[5]"];
    let mut found = left_out(&written);
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(auq::read(&written.text, &narrow).unwrap().questionnaire.questions.len(), 2);
    // Other losses of a question that is left out are not reported.
    assert!(written.lost.iter().all(|lost| lost.path.to_js_path() != "questions[1].required"));
}

#[test]
fn auq_request_keeps_its_generation() {
    let five = auq::write_request(&choices(&[5, 5, 5, 5, 5]), &AuqLimits::v3_4()).text;
    let asked = auq::read(&five, &AuqLimits::v3_4()).unwrap().questionnaire;
    assert_eq!(AuqCompat::from_questionnaire(&asked), AuqCompat::V3_4);
    let written = auq::write_request(&asked, &AuqLimits::spec());
    assert_eq!((written.lost, written.text), (Vec::new(), five));
    let fewer = auq::write_request(&asked, &AuqLimits::v3_4().with_limits(3, 5).unwrap());
    assert_eq!(left_out(&fewer), ["questions[3]", "questions[4]"]);
}

#[test]
fn ask_user_question_request_respects_limits() {
    let asked = choices(&[3, 2, 5, 7, 2, 2, 2]);
    let limits = AskUserQuestionLimits { questions: 10, options: 10, header: 1, question: 6 };
    assert_eq!(left_out(&ask_user_question::write_request(&asked, &limits)), ["questions[0].children[0]"]);
    let limits = AskUserQuestionLimits { questions: 3, ..AskUserQuestionLimits::default() };
    let written = ask_user_question::write_request(&asked, &limits);
    assert_eq!(ask_user_question::read(&written.text, &limits).unwrap().questionnaire.questions.len(), 3);
    let limits = AskUserQuestionLimits { question: 5, ..AskUserQuestionLimits::default() };
    assert_eq!(left_out(&ask_user_question::write_request(&asked, &limits)).len(), 7);
    let mut long = choices(&[2]);
    long.questions[0].label = Some("A long label".to_owned());
    let limits = AskUserQuestionLimits { header: 6, ..AskUserQuestionLimits::default() };
    assert!(ask_user_question::write_request(&long, &limits).text.contains("\"A lon…\""));
}

#[test]
fn many_questions_are_written_fast() {
    let asked = choices(&[2; 1_000]);
    let begun = Instant::now();
    for _ in 0..5 {
        assert!(ask_user_question::write_request(&asked, &AskUserQuestionLimits::default()).lost.len() > 900);
        assert!(auq::write_request(&asked, &AuqLimits::default()).lost.len() > 900);
    }
    // About a hundred times the duration with places computed once.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}
