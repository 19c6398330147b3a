//! Outcomes: each ask ends once. A later answer is refused with the name of the first, and its text is kept.

use super::*;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask::{AskPhase, RoundFeedback};
use sayso_core::model::outcome::AskerVerdict;

const WAITING: ProcessId = ProcessId { pid: 1, started: 1 };

pub(super) fn first_answer_wins_second_is_kept(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let first = act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("red")])).unwrap();
    let Some(Outcome::Answered { replies, receipt, verdict: None, .. }) = first.outcome() else {
        panic!("{first:?}")
    };
    assert_eq!(replies.get(&QuestionId::new("color")), Some(&pick("red").1));
    assert_eq!((receipt.by.as_str(), receipt.shown), ("ada", ask.request.digest));
    assert_eq!(
        (receipt.surface, receipt.assurance),
        (Surface::Prompter, bench.recorded_assurance(AssuranceLevel::Terminal))
    );

    let second = submit(&ask, [pick("blue"), note("and thick")]);
    let problem = act(&*other, &as_person("bob"), &ask, second).unwrap_err();
    assert_eq!(problem.code, ProblemCode::AskAnswered);
    assert!(problem.to_string().contains("ada"), "it names the winner: {problem}");
    assert!(problem.hint.is_some());
    let after = bench.desk();
    assert_eq!(after.get(ask.id).unwrap(), first);
    assert_eq!(draft_of(&*after, &ask), Replies::from([pick("blue"), note("and thick")]));
}

pub(super) fn late_submissions_are_kept_once(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    assert_eq!(
        code(act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("green")]))),
        ProblemCode::InvalidAnswers
    );
    assert_eq!(desk.late_submissions(ask.id).unwrap(), [], "it was wrong, not late");
    answer(&*desk, &ask);
    for text in ["one", "two", "one"] {
        let late = act(&*other, &as_person("bob"), &ask, submit(&ask, [note(text)])).unwrap_err();
        assert_eq!((late.code, late.hint.is_some()), (ProblemCode::AskAnswered, true));
    }
    assert!(act(&*other, &as_person("bob"), &ask, decline(&ask)).unwrap_err().hint.is_some());
    let silent = AskCommand::Decline { reason: None, shown: ask.request.digest };
    assert!(act(&*other, &as_person("bob"), &ask, silent).unwrap_err().hint.is_none(), "nothing is kept");
    let late = bench.desk().late_submissions(ask.id).unwrap();
    let texts: Vec<_> = late.iter().map(|late| (late.replies.clone(), late.reason.as_deref())).collect();
    let wanted = [
        (Replies::from([note("one")]), None),
        (Replies::from([note("two")]), None),
        (Replies::new(), Some("not now")),
    ];
    assert_eq!(texts, wanted);
    for late in &late {
        assert_eq!(
            (late.surface, late.assurance),
            (Surface::Prompter, bench.recorded_assurance(AssuranceLevel::Terminal))
        );
        assert!(late.at >= ask.request.created_at);
    }
    assert_eq!(code(desk.late_submissions(AskId::new(uuid::Uuid::nil()))), ProblemCode::AskNotFound);
}

pub(super) fn late_text_is_kept(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let declined = open(&*desk, "declined");
    let no = act(&*desk, &as_person("ada"), &declined, decline(&declined)).unwrap();
    assert!(
        matches!(no.outcome(), Some(Outcome::Declined { reason: Some(reason), receipt })
            if reason == "not now" && receipt.by == "ada"),
        "{no:?}"
    );
    let cancelled = open(&*desk, "cancelled");
    act(&*desk, &as_asker(), &cancelled, AskCommand::CANCEL).unwrap();
    let expired = open_expired(&*desk, "expired");
    let ends = [
        (declined, ProblemCode::AskDeclined),
        (cancelled, ProblemCode::AskCancelled),
        (expired, ProblemCode::AskExpired),
    ];
    for (ask, end) in ends {
        let late = submit(&ask, [note("too late")]);
        let before = desk.get(ask.id).unwrap();
        assert_eq!(code(act(&*desk, &as_person("bob"), &ask, late)), end);
        assert_eq!(code(act(&*desk, &as_person("bob"), &ask, decline(&ask))), end);
        assert_eq!(draft_of(&*bench.desk(), &ask), Replies::from([note("too late")]));
        assert_eq!(desk.get(ask.id).unwrap(), before);
    }
}

pub(super) fn cancelling_twice_changes_nothing(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let reason = Some(CancelReason::AnsweredInHost);
    let first = act(&*desk, &as_asker(), &ask, AskCommand::Cancel { reason }).unwrap();
    assert!(matches!(first.outcome(), Some(Outcome::Cancelled { reason: kept, .. }) if *kept == reason));
    assert_eq!(act(&*bench.desk(), &as_asker(), &ask, AskCommand::CANCEL).unwrap(), first);
    let ask = open(&*desk, "wall");
    answer(&*desk, &ask);
    assert_eq!(code(act(&*desk, &as_asker(), &ask, AskCommand::CANCEL)), ProblemCode::AskAnswered);
}

pub(super) fn deadline_expires_in_every_handle(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let later = desk.open(None, NewAsk { time_limit_ms: Some(3_600_000), ..new_ask("later") }).unwrap();
    let soon = desk.open(None, NewAsk { time_limit_ms: Some(1), ..new_ask("soon") }).unwrap();
    drop(desk);
    let after = bench.desk();
    let reopened = after.get(later.ask().id).unwrap();
    assert_eq!(reopened, *later.ask());
    assert!(reopened.state.deadline.is_some());
    let mut watch = after.watch(crate::Interest::All, None).unwrap();
    for _ in 0..100 {
        let rows = after.list(&crate::AskQuery::default()).unwrap().rows;
        if rows.iter().map(|row| row.id).eq([reopened.id]) {
            break;
        }
        watch.wait(Duration::from_millis(10)).unwrap();
    }
    let expired = after.get(soon.ask().id).unwrap();
    let deadline = soon.ask().state.deadline.unwrap();
    assert_eq!(expired.outcome(), Some(&Outcome::Expired { at: deadline }));
    let again = after.open(None, NewAsk { time_limit_ms: Some(1), ..new_ask("soon") }).unwrap();
    assert_ne!(again.ask().id, expired.id, "nobody said anything: it is asked anew");
    assert!(matches!(again, crate::OpenedAsk::New(_)));
}

pub(super) fn unobserved_deadline_still_expires(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let mut watch = other.watch(crate::Interest::All, None).unwrap();
    let soon = |title| NewAsk { time_limit_ms: Some(1), process: Some(WAITING), ..new_ask(title) };
    let (door, wall) = (desk.open(None, soon("door")).unwrap(), desk.open(None, soon("wall")).unwrap());
    let (door, wall) = (door.ask(), wall.ask());
    let mut reply = Vec::new();
    for _ in 0..100 {
        // Two late calls: a person with an answer to another question, and the asker that asks again.
        let no = code(act(&*desk, &as_person("ada"), door, decline(wall)));
        let again = desk.open(None, soon("wall")).unwrap();
        if no == ProblemCode::AskExpired && again.ask().id != wall.id {
            assert!(matches!(again, crate::OpenedAsk::New(_)), "what expired is asked anew");
            break;
        }
        reply.extend(watch.poll().unwrap().into_iter().map(events));
    }
    let settled = |ask: &Ask| {
        let expired = Outcome::Expired { at: ask.state.deadline.unwrap() };
        (ask.id, vec![AskEvent::Settled { outcome: expired }])
    };
    for _ in 0..30 {
        if [door, wall].iter().all(|ask| reply.contains(&settled(ask))) {
            return;
        }
        reply.extend(watch.wait(Duration::from_secs(1)).unwrap().into_iter().map(events));
    }
    panic!("without anybody having looked: {reply:?}");
}

pub(super) fn roles_are_never_mixed(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let denied = |who: &Actor, command| code(act(&*desk, who, &ask, command));
    assert_eq!(denied(&as_asker(), submit(&ask, [pick("red")])), ProblemCode::NotAllowed);
    assert_eq!(denied(&as_asker(), decline(&ask)), ProblemCode::NotAllowed);
    assert_eq!(denied(&as_asker(), AskCommand::MarkSeen), ProblemCode::NotAllowed);
    assert_eq!(denied(&as_person("ada"), AskCommand::CANCEL), ProblemCode::NotAllowed);
    assert_eq!(denied(&as_person("ada"), AskCommand::Accept { round: 1 }), ProblemCode::NotAllowed);
    assert_eq!(denied(&as_person("ada"), AskCommand::Ack), ProblemCode::NotAllowed);
    assert_eq!(denied(&Actor::Desk, AskCommand::CANCEL), ProblemCode::NotAllowed);
    assert_eq!(desk.get(ask.id).unwrap(), ask);
    assert_eq!(draft_of(&*desk, &ask), Replies::new(), "an asker's words never become a person's draft");
}

pub(super) fn changed_question_is_not_answered(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let (ask, other) = (open(&*desk, "door"), open(&*desk, "wall"));
    let problem = act(&*desk, &as_person("ada"), &ask, submit(&other, [pick("red")])).unwrap_err();
    assert_eq!(problem.code, ProblemCode::AskChanged);
    assert!(problem.hint.is_some());
    assert_eq!(code(act(&*desk, &as_person("ada"), &ask, decline(&other))), ProblemCode::AskChanged);
    assert_eq!(desk.get(ask.id).unwrap(), ask);
}

pub(super) fn invalid_answer_is_reported_and_kept(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let problem = act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("green")])).unwrap_err();
    assert_eq!(problem.code, ProblemCode::InvalidAnswers);
    assert_eq!(
        problem.causes.iter().map(|cause| cause.path.to_json_pointer()).collect::<Vec<_>>(),
        ["/answers/color"]
    );
    assert_eq!(desk.get(ask.id).unwrap(), ask);
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("green")]));
    assert_eq!(
        code(act(&*desk, &as_person("bob"), &ask, submit(&ask, [pick("blue-ish")]))),
        ProblemCode::InvalidAnswers
    );
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("green")]), "never over what is there");
}

pub(super) fn replies_to_hidden_questions_are_dropped(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let unasked = (QuestionId::new("unasked"), Reply::from_text("x"));
    let wrong = submit(&ask, [unasked.clone(), note("kept")]);
    assert_eq!(code(act(&*desk, &as_person("ada"), &ask, wrong)), ProblemCode::InvalidAnswers);
    assert_eq!(draft_of(&*desk, &ask), Replies::from([note("kept")]));
    let done = act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("red"), unasked.clone()])).unwrap();
    let Some(Outcome::Answered { replies, .. }) = done.outcome() else { panic!("{done:?}") };
    assert!(!replies.contains_key(&unasked.0));
}

pub(super) fn judging_asker_may_reprompt(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let new = NewAsk { needs_verdict: true, time_limit_ms: Some(3_600_000), ..new_ask("door") };
    let ask = desk.open(None, new).unwrap().ask().clone();
    let deadline = ask.state.deadline.unwrap();
    let submitted = act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("red")])).unwrap();
    let AskPhase::Submitted { round: 1, submission } = submitted.state.phase else { panic!("{submitted:?}") };
    let meanwhile = act(&*other, &as_person("bob"), &ask, submit(&ask, [pick("blue")]));
    assert_eq!(code(meanwhile), ProblemCode::AskSubmitted);
    assert_eq!(code(desk.offer(&asker(), &ask, "plain", &|_| Vec::new())), ProblemCode::AskOpen);

    let errors = vec![(QuestionId::new("color"), "we are out of red".to_owned())];
    let feedback = RoundFeedback { summary: Some("mend it".to_owned()), errors };
    let reprompt = |round| AskCommand::Reprompt { round, feedback: feedback.clone() };
    assert_eq!(code(act(&*other, &as_asker(), &ask, reprompt(2))), ProblemCode::WrongRound);
    act(&*other, &as_asker(), &ask, reprompt(1)).unwrap();
    let again = bench.desk().get(ask.id).unwrap();
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("red"), (note("").0, Reply::unanswered())]));
    assert_eq!(
        again.state.phase,
        AskPhase::Open { round: 2, feedback: Some(feedback), refused: Some(submission) }
    );
    assert!(again.state.deadline.unwrap() > deadline, "a new round has a new deadline");

    act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("blue")])).unwrap();
    let end = act(&*other, &as_asker(), &ask, AskCommand::Accept { round: 2 }).unwrap();
    let Some(Outcome::Answered { replies, verdict, .. }) = end.outcome() else { panic!("{end:?}") };
    assert_eq!(replies.get(&QuestionId::new("color")), Some(&pick("blue").1));
    assert_eq!(*verdict, Some(AskerVerdict::Accepted));
}
