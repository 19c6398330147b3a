//! Requests are written within the configured limits, in the configured generation.

use sayso_core::{Choice, Kind, Opt, Question, Questionnaire};
use sayso_dialects::{AskLimits, AuqLimits, Compat, Translated, ask_user_question, auq};
use std::time::{Duration, Instant};

/// Returns choices of this many options each, with a follow-up to the first of them.
fn choices(counts: &[usize]) -> Questionnaire {
    let question = |(at, count): (usize, &usize)| {
        let options = (1..=*count).map(|at| Opt {
            description: Some("D".to_owned()),
            ..Opt::new(format!("o{at}"), format!("L{at}"))
        });
        let choice = Choice { options: options.collect(), other: true, ..Choice::default() };
        Question {
            label: Some("T".to_owned()),
            ..Question::new(format!("q{at}"), "Prompt", Kind::Choice(choice))
        }
    };
    let mut questions: Vec<_> = counts.iter().enumerate().map(question).collect();
    if let Some(second) = questions.get_mut(1) {
        second.parent = Some("q0".to_owned().into());
    }
    Questionnaire { questions, ..Questionnaire::default() }
}

/// Returns the questions that are left out, and the number of other losses.
fn left_out(written: &Translated) -> Vec<String> {
    let is_question = |path: &String| path.ends_with(']');
    written.lost.iter().map(|lost| lost.path.bracketed()).filter(is_question).collect()
}

#[test]
fn auq_request_respects_limits() {
    let asked = choices(&[3, 2, 5, 7, 2, 2, 2]);
    let wide = AuqLimits::spec().allowing(10, 10).unwrap();
    let all = ["questions[0].children[0]"];
    assert_eq!(left_out(&auq::request(&asked, &wide)), all, "it follows up no more");
    let written = auq::request(&asked, &AuqLimits::v3_4());
    assert_eq!(left_out(&written), ["questions[0].children[0]", "questions[2]", "questions[5]"]);
    assert!(auq::read(&written.text, &AuqLimits::v3_4()).is_ok());
    let narrow = AuqLimits::spec().allowing(2, 2).unwrap();
    let written = auq::request(&asked, &narrow);
    let expected =
        ["questions[0]", "questions[0].children[0]", "questions[1]", "questions[2]", "questions[5]"];
    let mut found = left_out(&written);
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(auq::read(&written.text, &narrow).unwrap().questionnaire.questions.len(), 2);
    // Other losses of a question that is left out are not reported.
    assert!(written.lost.iter().all(|lost| lost.path.bracketed() != "questions[1].required"));
}

#[test]
fn auq_request_keeps_its_generation() {
    let five = auq::request(&choices(&[5, 5, 5, 5, 5]), &AuqLimits::v3_4()).text;
    let asked = auq::read(&five, &AuqLimits::v3_4()).unwrap().questionnaire;
    assert_eq!(Compat::of(&asked), Compat::V3_4);
    let written = auq::request(&asked, &AuqLimits::spec());
    assert_eq!((written.lost, written.text), (Vec::new(), five));
    let fewer = auq::request(&asked, &AuqLimits::v3_4().allowing(3, 5).unwrap());
    assert_eq!(left_out(&fewer), ["questions[3]", "questions[4]"]);
}

#[test]
fn ask_user_question_request_respects_limits() {
    let asked = choices(&[3, 2, 5, 7, 2, 2, 2]);
    let limits = AskLimits { questions: 10, options: 10, header: 1, question: 6 };
    assert_eq!(left_out(&ask_user_question::request(&asked, &limits)), ["questions[0].children[0]"]);
    let limits = AskLimits { questions: 3, ..AskLimits::default() };
    let written = ask_user_question::request(&asked, &limits);
    assert_eq!(ask_user_question::read(&written.text, &limits).unwrap().questionnaire.questions.len(), 3);
    let limits = AskLimits { question: 5, ..AskLimits::default() };
    assert_eq!(left_out(&ask_user_question::request(&asked, &limits)).len(), 7);
    let mut long = choices(&[2]);
    long.questions[0].label = Some("A long label".to_owned());
    let limits = AskLimits { header: 6, ..AskLimits::default() };
    assert!(ask_user_question::request(&long, &limits).text.contains("\"A lon…\""));
}

#[test]
fn many_questions_are_written_fast() {
    let asked = choices(&[2; 1_000]);
    let begun = Instant::now();
    for _ in 0..5 {
        assert!(ask_user_question::request(&asked, &AskLimits::default()).lost.len() > 900);
        assert!(auq::request(&asked, &AuqLimits::default()).lost.len() > 900);
    }
    // About a hundred times the duration with places computed once.
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}
