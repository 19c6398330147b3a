//! Tests of an ask that ends while the person answers it.

use crate::fixture::{FOUR_QUESTIONS, ONE_CHOICE, PromptFixture, PromptSetup, asker, person};
use sayso_core::model::ask::{AskPhase, RoundFeedback};
use sayso_core::{Actor, AskCommand, OptionId, Pick, QuestionId, Replies, Reply};
use sayso_desk::{Desk, DraftRev, Interest};
use sayso_terminal::PromptOutcome;

fn answer_elsewhere(stage: &PromptFixture) {
    let pick = Reply::from_picks([Pick::Option(OptionId::new("o1"))]);
    let replies = Replies::from([(QuestionId::new("when"), pick)]);
    let submit = AskCommand::Submit { replies, as_sent: None, shown: stage.ask().request.digest.into() };
    stage.desk.act(&Actor::Person(person("kim")), stage.id, None, submit).unwrap();
}

#[test]
fn foreign_answer_ends_wait() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("/help): ");
    answer_elsewhere(&stage);
    let (ended, out) = talk.wait_for_end();
    assert!(matches!(&ended, PromptOutcome::SettledElsewhere(ask) if *ask == stage.ask()), "{out}");
    assert!(out.contains("/help): \nAnswered elsewhere by kim at 20"), "{out}");
    assert!(out.contains(" UTC (terminal)."), "{out}");
}

#[test]
fn withdrawal_keeps_draft() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.type_text("1\n")
        .expect_output("Recorded: \"Now\".")
        .type_text("1\nsam\n")
        .expect_output("> ")
        .type_text("half a thought\n")
        .expect_output("> ");
    stage.desk.act(&Actor::Asker(asker()), stage.id, None, AskCommand::CANCEL).unwrap();
    let (ended, out) = talk.wait_for_end();
    assert!(matches!(ended, PromptOutcome::SettledElsewhere(_)));
    assert!(out.contains("The asker withdrew this question.\nEverything you typed is kept"), "{out}");
    assert!(stage.draft().contains("half a thought"));
}

#[test]
fn foreign_decline_is_reported() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_conversation(PromptSetup { quiet: true, ..PromptSetup::default() });
    let decline = AskCommand::Decline { reason: None, shown: stage.ask().request.digest };
    stage.desk.act(&Actor::Person(person("kim")), stage.id, None, decline).unwrap();
    talk.expect_output("Declined elsewhere by kim");
    assert!(matches!(talk.wait_for_end().0, PromptOutcome::SettledElsewhere(_)));
}

#[test]
fn passing_deadline_chooses_nothing() {
    let stage = PromptFixture::from_json(ONE_CHOICE, Some(150), false);
    let mut talk = stage.start_conversation(PromptSetup::default());
    talk.expect_output("The deadline of this question has passed.");
    assert!(matches!(talk.wait_for_end().0, PromptOutcome::SettledElsewhere(_)));
    assert_eq!(stage.ask().outcome().unwrap().kind(), "expired");
}

#[test]
fn ended_ask_is_not_asked() {
    let stage = PromptFixture::new(ONE_CHOICE);
    answer_elsewhere(&stage);
    let (ended, out) = stage.type_all("2\n");
    assert!(matches!(ended, PromptOutcome::SettledElsewhere(_)));
    assert!(out.starts_with("Answered elsewhere by kim"), "{out}");
}

#[test]
fn judging_asker_must_still_accept() {
    let stage = PromptFixture::from_json(ONE_CHOICE, None, true);
    let (ended, out) = stage.type_all("1\n");
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
    assert!(out.contains("Sent. The asker has yet to accept it."), "{out}");
    let (ended, out) = stage.type_all("2\n");
    assert!(matches!(ended, PromptOutcome::SettledElsewhere(_)));
    assert!(out.starts_with("Submitted elsewhere by me at"), "{out}");
}

#[test]
fn requested_changes_are_asked_first() {
    let stage = PromptFixture::from_json(FOUR_QUESTIONS, None, true);
    stage.type_all("1\n1\nsam\n/skip\n/submit\n");
    let feedback = RoundFeedback {
        summary: Some("One thing.".into()),
        errors: vec![(QuestionId::new("who"), "Not him.".into())],
    };
    let reprompt = AskCommand::Reprompt { round: 1, feedback };
    stage.desk.act(&Actor::Asker(asker()), stage.id, None, reprompt).unwrap();
    let (ended, out) = stage.type_all("kim\n/submit\n");
    assert!(out.contains("The asker wants this changed:\n| One thing.\n"), "{out}");
    assert!(out.contains("| Who?\nThe asker says about this question:\n| Not him.\n"), "{out}");
    assert!(matches!(ended, PromptOutcome::Settled { .. }), "{out}");
}

#[test]
fn accepted_answer_is_reported() {
    let stage = PromptFixture::from_json(ONE_CHOICE, None, true);
    let mut watch = stage.desk.watch(Interest::Ask(stage.id), None).unwrap();
    let (ended, out) = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !matches!(stage.ask().state.phase, AskPhase::Submitted { .. }) {
                watch.wait(std::time::Duration::from_secs(30)).unwrap();
            }
            stage.desk.act(&Actor::Asker(asker()), stage.id, None, AskCommand::Accept { round: 1 }).unwrap();
        });
        stage.type_all("1\n")
    });
    assert!(matches!(ended, PromptOutcome::Settled { .. }));
    assert!(out.contains("Sent. The asker accepted it.") && !out.contains("yet to accept"), "{out}");
}

#[test]
fn error_names_refused_answers_author() {
    let stage = PromptFixture::from_json(FOUR_QUESTIONS, None, true);
    stage.type_all("1\n1\nsam\n/skip\n/submit\n");
    let who = QuestionId::new("who");
    let theirs = vec![(who.clone(), Reply::from_text("kim"))];
    stage.desk.save(&person("kim"), stage.id, DraftRev(u64::MAX), theirs).unwrap();
    let feedback =
        RoundFeedback { summary: Some("One thing.".into()), errors: vec![(who, "Not him.".into())] };
    let reprompt = AskCommand::Reprompt { round: 1, feedback };
    stage.desk.act(&Actor::Asker(asker()), stage.id, None, reprompt).unwrap();
    let (_, out) = stage.type_all("/quit\n");
    assert!(out.contains("The asker wants this changed in what me sent:\n| One thing.\n"), "{out}");
    assert!(out.contains("The asker says about what me sent here (\"sam\"):\n| Not him.\n"), "{out}");
}
