//! Validation of a person's answers, and the problems reported.

use super::*;
use crate::answer::Pick;
use crate::id::OptionId;
use crate::message::Lang;
use crate::question::{Choice, Confirm, Kind, Opt, TextEntry};

fn option(id: &str) -> Opt {
    Opt::new(id, id.to_uppercase())
}

fn question(id: &str, required: bool, kind: Kind) -> Question {
    Question { required, ..Question::new(id, format!("{id}?"), kind) }
}

fn sheet(rules: Rules, questions: Vec<Question>) -> Sheet {
    let questionnaire = Questionnaire { questions, rules, ..Questionnaire::default() };
    Sheet::new(Arc::new(questionnaire), Replies::new())
}

fn choice(multi: bool, other: bool) -> Kind {
    Kind::Choice(Choice {
        options: vec![option("a"), option("b")],
        multi,
        other,
        other_label: None,
        other_at: None,
    })
}

fn pick(id: &str) -> Pick {
    Pick::Option(OptionId::new(id))
}

/// Returns the codes of the problems of one reply.
#[expect(clippy::needless_pass_by_value, reason = "the tables below read better so")]
fn codes(rules: &Rules, kind: Kind, reply: Reply) -> Vec<&'static str> {
    let question = question("q", true, kind);
    sheet(rules.clone(), vec![question])
        .judge(0, &reply)
        .iter()
        .map(|problem| problem.code.as_str())
        .collect()
}

#[test]
fn picks_must_be_known_and_unique() {
    let rules = Rules::default();
    assert!(codes(&rules, choice(false, false), Reply::picks([pick("a")])).is_empty());
    assert_eq!(codes(&rules, choice(false, false), Reply::picks([pick("c")])), ["no_such_option"]);
    assert_eq!(codes(&rules, choice(false, false), Reply::picks([pick("a"), pick("b")])), ["too_big"]);
    assert_eq!(codes(&rules, choice(true, false), Reply::picks([pick("a"), pick("a")])), ["invalid_value"]);
    assert_eq!(codes(&rules, choice(true, false), Reply::picks([])), ["needs_answer"]);
    assert_eq!(codes(&rules, choice(true, false), Reply::text("a")), ["invalid_type"]);
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
    assert!(codes(&rules, choice(true, true), Reply::picks([pick("a"), pick("a")])).is_empty());
    assert!(codes(&rules, choice(true, true), Reply::picks([other("")])).is_empty());
    assert_eq!(codes(&rules, choice(true, true), Reply::picks([pick("a"), other("x")])), ["invalid_value"]);
    let strict = Rules::default();
    assert_eq!(codes(&strict, choice(true, true), Reply::picks([other("  ")])), ["needs_answer"]);
    assert_eq!(codes(&strict, choice(true, false), Reply::picks([other("x")])), ["invalid_value"]);
    assert!(codes(&strict, choice(true, true), Reply::picks([pick("a"), other("x")])).is_empty());
}

#[test]
fn text_is_trimmed_and_blank_refused() {
    let mut sheet = sheet(Rules::default(), vec![question("name", true, Kind::Text(TextEntry::default()))]);
    let id = QuestionId::new("name");
    sheet.set(&id, Reply::text(" \n"));
    assert_eq!(sheet.wrong(0).len(), 1);
    sheet.set(&id, Reply::text("  Zig "));
    assert_eq!(sheet.wrong(0), []);
    assert_eq!(sheet.submission().unwrap().replies.get(&id), Some(&Reply::text("Zig")));
}

#[test]
fn required_questions_need_answers() {
    let questions =
        vec![question("a", true, choice(false, false)), question("b", false, choice(false, false))];
    let mut sheet = sheet(Rules::default(), questions);
    let problem = sheet.submission().unwrap_err();
    assert_eq!(problem.code, Code::InvalidAnswers);
    assert_eq!(
        problem.lines(Lang::En),
        ["1 answer needs attention.", "- answers.a: This question needs an answer"]
    );
    assert_eq!(sheet.next_open(), Some(0));
    sheet.set(&QuestionId::new("a"), Reply::picks([pick("b")]));
    assert_eq!(sheet.next_open(), Some(1));
    sheet.set(&QuestionId::new("b"), Reply::skipped());
    assert_eq!(sheet.next_open(), None);
    let sent = sheet.submission().unwrap().replies;
    assert_eq!(sent.get(&QuestionId::new("b")), Some(&Reply::skipped()));
    assert_eq!(sheet.progress(), Progress { answered: 1, total: 2 });
}

#[test]
fn skip_fails_required_question() {
    let mut sheet = sheet(Rules::default(), vec![question("a", true, choice(false, false))]);
    sheet.set(&QuestionId::new("a"), Reply::skipped());
    assert_eq!(sheet.wrong(0), []);
    assert!(sheet.submission().is_err());
}

#[test]
fn hidden_reply_is_not_sent() {
    let mut sheet = sheet(Rules::default(), vec![question("a", false, choice(false, false))]);
    assert_eq!(sheet.set(&QuestionId::new("zz"), Reply::text("x")), Effect::default());
    assert!(!sheet.submission().unwrap().replies.contains_key(&QuestionId::new("zz")));
}

#[test]
fn some_answer_is_met_by_note() {
    let rules = Rules { some_answer: true, ..Rules::default() };
    let optional =
        |id: &str| Question { required: false, ..Question::new(id, "?", Kind::Confirm(Confirm::default())) };
    let questions = vec![optional("a"), optional("b")];
    let asked = Arc::new(Questionnaire { questions, rules, ..Questionnaire::default() });
    let found = |replies: Replies| Sheet::new(asked.clone(), replies).problems();
    let silent = found(Replies::new());
    assert_eq!((silent[0].code, silent[0].path.bracketed().as_str()), (Code::NeedsAnswer, "answers.a"));
    assert_eq!(silent.len(), 1);
    let skipped = found([(QuestionId::new("b"), Reply::skipped())].into());
    assert_eq!(skipped, silent);
    assert_eq!(Sheet::new(asked.clone(), Replies::new()).submission().unwrap_err().causes, silent);
    let noted = Reply::unanswered().with_note(Some("Say more.".to_owned()));
    for said in [Reply::of(Answer::Confirm(false)), noted] {
        assert_eq!(found([(QuestionId::new("b"), said)].into()), []);
    }
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
    let must = |sheet: &Sheet| [0, 1].map(|at| sheet.must_be_said(at));
    let nothing = Sheet::new(asked(true, false), Replies::new());
    assert_eq!(must(&nothing), [true, false]);
    assert_eq!(must(&Sheet::new(asked(false, false), Replies::new())), [false; 2]);
    // An asker that reviews answers gets everything.
    assert_eq!(must(&Sheet::new(asked(true, true), Replies::new())), [false; 2]);
    let followed = [(QuestionId::new("a"), Reply::of(Answer::Confirm(true)))].into();
    assert_eq!(must(&Sheet::new(asked(true, false), followed)), [false; 2]);
}
