//! Validation of a person's answers, and the problems reported.

use super::*;
use crate::i18n::Lang;
use crate::model::answer::Pick;
use crate::model::id::OptionId;
use crate::model::question::choice::{ChoiceOption, ChoiceQuestion};
use crate::model::question::constraint::{Constraint, Requirement};
use crate::model::question::kind::TextQuestion;
use crate::model::question::kind::{ConfirmQuestion, QuestionKind};

fn option(id: &str) -> ChoiceOption {
    ChoiceOption::new(id, id.to_uppercase())
}

fn question(id: &str, required: bool, kind: impl Into<QuestionKind>) -> Question {
    Question { required, ..Question::new(id, format!("{id}?"), kind) }
}

fn sheet(rules: Rules, questions: Vec<Question>) -> Sheet {
    let questionnaire = Questionnaire { questions, rules, ..Questionnaire::default() };
    Sheet::new(Arc::new(questionnaire), Replies::new())
}

fn choice(multi: bool, other: bool) -> ChoiceQuestion {
    ChoiceQuestion {
        options: vec![option("a"), option("b")],
        multi,
        other,
        other_label: None,
        other_at: None,
    }
}

fn pick(id: &str) -> Pick {
    Pick::Option(OptionId::new(id))
}

/// Returns the codes of the problems of one reply.
#[expect(clippy::needless_pass_by_value, reason = "the tables below read better so")]
fn codes(rules: &Rules, kind: impl Into<QuestionKind>, reply: Reply) -> Vec<&'static str> {
    let question = question("q", true, kind);
    sheet(rules.clone(), vec![question])
        .validate_reply(0, &reply)
        .iter()
        .map(|problem| problem.code.as_str())
        .collect()
}

#[test]
fn picks_must_be_known_and_unique() {
    let rules = Rules::default();
    assert!(codes(&rules, choice(false, false), Reply::from_picks([pick("a")])).is_empty());
    assert_eq!(codes(&rules, choice(false, false), Reply::from_picks([pick("c")])), ["no_such_option"]);
    assert_eq!(codes(&rules, choice(false, false), Reply::from_picks([pick("a"), pick("b")])), ["too_big"]);
    assert_eq!(
        codes(&rules, choice(true, false), Reply::from_picks([pick("a"), pick("a")])),
        ["invalid_value"]
    );
    assert_eq!(codes(&rules, choice(true, false), Reply::from_picks([])), ["needs_answer"]);
    assert_eq!(codes(&rules, choice(true, false), Reply::from_text("a")), ["invalid_type"]);
}

#[test]
fn rules_relax_picks() {
    let rules = Rules {
        repeated_picks: true,
        empty_other: true,
        other_alone: true,
        trim_text: false,
        ..Rules::default()
    };
    let other = |text: &str| Pick::Other(text.to_owned());
    assert!(codes(&rules, choice(true, true), Reply::from_picks([pick("a"), pick("a")])).is_empty());
    assert!(codes(&rules, choice(true, true), Reply::from_picks([other("")])).is_empty());
    assert_eq!(
        codes(&rules, choice(true, true), Reply::from_picks([pick("a"), other("x")])),
        ["invalid_value"]
    );
    let strict = Rules::default();
    assert_eq!(codes(&strict, choice(true, true), Reply::from_picks([other("  ")])), ["needs_answer"]);
    assert_eq!(codes(&strict, choice(true, false), Reply::from_picks([other("x")])), ["invalid_value"]);
    assert!(codes(&strict, choice(true, true), Reply::from_picks([pick("a"), other("x")])).is_empty());
}

#[test]
fn text_is_trimmed_and_blank_refused() {
    let mut sheet = sheet(Rules::default(), vec![question("name", true, TextQuestion::default())]);
    let id = QuestionId::new("name");
    sheet.set_reply(&id, Reply::from_text(" \n"));
    assert_eq!(sheet.problems_at(0).len(), 1);
    sheet.set_reply(&id, Reply::from_text("  Zig "));
    assert_eq!(sheet.problems_at(0), []);
    assert_eq!(sheet.submission().unwrap().replies.get(&id), Some(&Reply::from_text("Zig")));
}

#[test]
fn required_questions_need_answers() {
    let questions =
        vec![question("a", true, choice(false, false)), question("b", false, choice(false, false))];
    let mut sheet = sheet(Rules::default(), questions);
    let problem = sheet.submission().unwrap_err();
    assert_eq!(problem.code, ProblemCode::InvalidAnswers);
    assert_eq!(
        problem.render_lines(Lang::En),
        ["1 answer needs attention.", "- answers.a: This question needs an answer"]
    );
    assert_eq!(sheet.next_needing_attention(), Some(0));
    sheet.set_reply(&QuestionId::new("a"), Reply::from_picks([pick("b")]));
    assert_eq!(sheet.next_needing_attention(), Some(1));
    sheet.set_reply(&QuestionId::new("b"), Reply::skipped());
    assert_eq!(sheet.next_needing_attention(), None);
    let sent = sheet.submission().unwrap().replies;
    assert_eq!(sent.get(&QuestionId::new("b")), Some(&Reply::skipped()));
    assert_eq!(sheet.progress(), SheetProgress { answered: 1, total: 2 });
}

#[test]
fn skip_fails_required_question() {
    let mut sheet = sheet(Rules::default(), vec![question("a", true, choice(false, false))]);
    sheet.set_reply(&QuestionId::new("a"), Reply::skipped());
    assert_eq!(sheet.problems_at(0), []);
    assert!(sheet.submission().is_err());
}

#[test]
fn hidden_reply_is_not_sent() {
    let mut sheet = sheet(Rules::default(), vec![question("a", false, choice(false, false))]);
    assert_eq!(sheet.set_reply(&QuestionId::new("zz"), Reply::from_text("x")), VisibilityChange::default());
    assert!(!sheet.submission().unwrap().replies.contains_key(&QuestionId::new("zz")));
}

#[test]
fn some_answer_is_met_by_note() {
    let rules = Rules { some_answer: true, ..Rules::default() };
    let optional =
        |id: &str| Question { required: false, ..Question::new(id, "?", ConfirmQuestion::default()) };
    let questions = vec![optional("a"), optional("b")];
    let asked = Arc::new(Questionnaire { questions, rules, ..Questionnaire::default() });
    let found = |replies: Replies| Sheet::new(asked.clone(), replies).problems();
    let silent = found(Replies::new());
    assert_eq!(
        (silent[0].code, silent[0].path.to_js_path().as_str()),
        (ProblemCode::NeedsAnswer, "answers.a")
    );
    assert_eq!(silent.len(), 1);
    let skipped = found([(QuestionId::new("b"), Reply::skipped())].into());
    assert_eq!(skipped, silent);
    assert_eq!(Sheet::new(asked.clone(), Replies::new()).submission().unwrap_err().causes, silent);
    let noted = Reply::unanswered().with_note(Some("Say more.".to_owned()));
    for (id, text) in [
        ("b", Reply::from_answer(Answer::Confirm(false))),
        ("b", noted.clone()),
        (QuestionId::FORM.as_str(), noted),
    ] {
        assert_eq!(found([(QuestionId::new(id), text)].into()), []);
    }
}

#[test]
fn note_on_the_form_is_sent_with_the_answers() {
    let mut sheet = sheet(Rules::default(), vec![question("a", true, choice(false, false))]);
    let noted = |note: &str| Reply::unanswered().with_note(Some(note.to_owned()));
    sheet.set_reply(&QuestionId::new("a"), Reply::from_picks([pick("a")]));
    assert!(!sheet.submission().unwrap().replies.contains_key(&QuestionId::FORM));
    // An answer there means nothing.
    sheet.set_reply(&QuestionId::FORM, Reply { note: Some(" why ".to_owned()), ..Reply::from_text("x") });
    assert_eq!(sheet.replies().get(&QuestionId::FORM), Some(&noted(" why ")), "as it was typed");
    let sent = sheet.submission().unwrap().replies;
    assert_eq!(sent.get(&QuestionId::FORM), Some(&noted("why")));
    assert_eq!(sheet.progress(), SheetProgress { answered: 1, total: 1 });
    let again = Sheet::new(Arc::new(sheet.questionnaire().clone()), sent);
    assert_eq!((again.note(), again.has_notes()), (Some("why"), true));

    sheet.set_reply(&QuestionId::FORM, noted(&"x".repeat(crate::limits::TEXT_ANSWER_BYTES + 1)));
    let problems = sheet.problems();
    assert_eq!(
        (problems[0].code, problems[0].path.to_json_pointer().as_str()),
        (ProblemCode::TooLarge, "/answers/")
    );
    assert_eq!(sheet.submission().unwrap_err().causes, problems);
    sheet.set_reply(&QuestionId::FORM, noted("  "));
    assert_eq!((sheet.note(), sheet.submission().is_ok()), (None, true));
}

#[test]
fn only_question_needs_some_answer() {
    let text = r#"{"sayso": 1, "questions": [{"id": "a", "prompt": "A?", "kind": "confirm", "required": false,
        "children": [{"id": "b", "prompt": "B?", "required": false, "show_if": {"is": true}}]}]}"#;
    let read = crate::wire::questionnaire::read(text).unwrap();
    let asked = |some_answer, unjudged| {
        let rules = Rules { some_answer, unjudged, ..Rules::default() };
        Arc::new(Questionnaire { rules, ..read.questionnaire.clone() })
    };
    let must = |sheet: &Sheet| [0, 1].map(|at| sheet.is_only_needed_input(at));
    let nothing = Sheet::new(asked(true, false), Replies::new());
    assert_eq!(must(&nothing), [true, false]);
    assert_eq!(must(&Sheet::new(asked(false, false), Replies::new())), [false; 2]);
    // An asker that reviews answers gets everything.
    assert_eq!(must(&Sheet::new(asked(true, true), Replies::new())), [false; 2]);
    let followed = [(QuestionId::new("a"), Reply::from_answer(Answer::Confirm(true)))].into();
    assert_eq!(must(&Sheet::new(asked(true, false), followed)), [false; 2]);
}

#[test]
fn broken_answer_does_not_count() {
    let at_least = |id: &str, validates_on_submit| Question {
        constraints: vec![Constraint::new(Requirement::MinLength(3), None)],
        validates_on_submit,
        ..question(id, true, TextQuestion { long: false })
    };
    let mut sheet = sheet(Rules::default(), vec![at_least("a", false), at_least("b", true)]);
    for id in ["a", "b"] {
        sheet.set_reply(&QuestionId::new(id), Reply::from_text("x"));
    }
    assert_eq!((sheet.progress().answered, sheet.answered_count()), (1, 1));
    assert_eq!(sheet.surface_problems().len(), 1, "{:?}", sheet.surface_problems());
    sheet.mark_refused(&sheet.submission().unwrap_err());
    assert_eq!((sheet.progress().answered, sheet.surface_problems().len()), (0, 2));
    sheet.set_reply(&QuestionId::new("b"), Reply::from_text("y"));
    assert_eq!((sheet.progress().answered, sheet.problems_at(1).len()), (1, 0));
    sheet.set_reply(&QuestionId::new("a"), Reply::from_text("xyz"));
    assert!(sheet.unchecked_submission().is_ok() && sheet.submission().is_err());
}
