//! Tests of an ask that ends while the person answers it.

use crate::stage::{FOUR, ONE, Setup, Stage, asker, person};
use sayso_core::ask::{Feedback, Phase};
use sayso_core::{Command, OptionId, Pick, QuestionId, Replies, Reply, Who};
use sayso_desk::{Desk, DraftRev, Interest};
use sayso_terminal::Ended;

fn answer(stage: &Stage) {
    let pick = Reply::picks([Pick::Option(OptionId::new("o1"))]);
    let replies = Replies::from([(QuestionId::new("when"), pick)]);
    let submit = Command::Submit { replies, as_sent: None, shown: stage.ask().request.digest };
    stage.desk.act(&Who::Person(person("kim")), stage.id, None, submit).unwrap();
}

#[test]
fn foreign_answer_ends_wait() {
    let stage = Stage::new(ONE);
    let mut talk = stage.talk(Setup::default());
    talk.hears("/help): ");
    answer(&stage);
    let (ended, out) = talk.ends();
    assert!(matches!(&ended, Ended::SettledElsewhere(ask) if *ask == stage.ask()), "{out}");
    assert!(out.contains("/help): \nAnswered elsewhere by kim at 20"), "{out}");
    assert!(out.contains(" UTC (terminal)."), "{out}");
}

#[test]
fn withdrawal_keeps_draft() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(Setup::default());
    talk.types("1\n")
        .hears("Recorded: Now.")
        .types("1\nsam\n")
        .hears("> ")
        .types("half a thought\n")
        .hears("> ");
    stage.desk.act(&Who::Asker(asker()), stage.id, None, Command::Cancel).unwrap();
    let (ended, out) = talk.ends();
    assert!(matches!(ended, Ended::SettledElsewhere(_)));
    assert!(out.contains("The asker took this question back.\nWhatever you typed is kept"), "{out}");
    assert!(stage.draft().contains("half a thought"));
}

#[test]
fn foreign_decline_is_reported() {
    let stage = Stage::new(FOUR);
    let mut talk = stage.talk(Setup { quiet: true, ..Setup::default() });
    let decline = Command::Decline { reason: None, shown: stage.ask().request.digest };
    stage.desk.act(&Who::Person(person("kim")), stage.id, None, decline).unwrap();
    talk.hears("Declined elsewhere by kim");
    assert!(matches!(talk.ends().0, Ended::SettledElsewhere(_)));
}

#[test]
fn passing_deadline_chooses_nothing() {
    let stage = Stage::with(ONE, Some(150), false);
    let mut talk = stage.talk(Setup::default());
    talk.hears("The deadline of this question has passed.");
    assert!(matches!(talk.ends().0, Ended::SettledElsewhere(_)));
    assert_eq!(stage.ask().outcome().unwrap().kind(), "expired");
}

#[test]
fn ended_ask_is_not_asked() {
    let stage = Stage::new(ONE);
    answer(&stage);
    let (ended, out) = stage.typed("2\n");
    assert!(matches!(ended, Ended::SettledElsewhere(_)));
    assert!(out.starts_with("Answered elsewhere by kim"), "{out}");
}

#[test]
fn judging_asker_must_still_accept() {
    let stage = Stage::with(ONE, None, true);
    let (ended, out) = stage.typed("1\n");
    assert!(matches!(ended, Ended::Settled { .. }));
    assert!(out.contains("Sent. The asker has yet to accept it."), "{out}");
    let (ended, out) = stage.typed("2\n");
    assert!(matches!(ended, Ended::SettledElsewhere(_)));
    assert!(out.starts_with("Submitted elsewhere by me at"), "{out}");
}

#[test]
fn requested_changes_are_asked_first() {
    let stage = Stage::with(FOUR, None, true);
    stage.typed("1\n1\nsam\n/skip\n/submit\n");
    let feedback = Feedback {
        summary: Some("One thing.".into()),
        errors: vec![(QuestionId::new("who"), "Not him.".into())],
    };
    let reprompt = Command::Reprompt { round: 1, feedback };
    stage.desk.act(&Who::Asker(asker()), stage.id, None, reprompt).unwrap();
    let (ended, out) = stage.typed("kim\n/submit\n");
    assert!(out.contains("The asker wants this changed:\n| One thing.\n"), "{out}");
    assert!(out.contains("| Who?\nThe asker says about this question:\n| Not him.\n"), "{out}");
    assert!(matches!(ended, Ended::Settled { .. }), "{out}");
}

#[test]
fn accepted_answer_is_reported() {
    let stage = Stage::with(ONE, None, true);
    let mut watch = stage.desk.watch(Interest::Ask(stage.id), None).unwrap();
    let (ended, out) = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !matches!(stage.ask().state.phase, Phase::Submitted { .. }) {
                watch.wait(std::time::Duration::from_secs(30)).unwrap();
            }
            stage.desk.act(&Who::Asker(asker()), stage.id, None, Command::Accept { round: 1 }).unwrap();
        });
        stage.typed("1\n")
    });
    assert!(matches!(ended, Ended::Settled { .. }));
    assert!(out.contains("Sent. The asker accepted it.") && !out.contains("yet to accept"), "{out}");
}

#[test]
fn error_names_refused_answers_author() {
    let stage = Stage::with(FOUR, None, true);
    stage.typed("1\n1\nsam\n/skip\n/submit\n");
    let who = QuestionId::new("who");
    let theirs = vec![(who.clone(), Reply::text("kim"))];
    stage.desk.save(&person("kim"), stage.id, DraftRev(u64::MAX), theirs).unwrap();
    let feedback = Feedback { summary: Some("One thing.".into()), errors: vec![(who, "Not him.".into())] };
    let reprompt = Command::Reprompt { round: 1, feedback };
    stage.desk.act(&Who::Asker(asker()), stage.id, None, reprompt).unwrap();
    let (_, out) = stage.typed("/quit\n");
    assert!(out.contains("The asker wants this changed in what me sent:\n| One thing.\n"), "{out}");
    assert!(out.contains("The asker says about what me sent here (sam):\n| Not him.\n"), "{out}");
}
