//! Random lifecycles: any actor does anything at any time. Each step is checked against a second implementation of
//! the rules.

use super::*;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// Returns a strategy for valid and invalid replies to either question.
fn reply() -> impl Strategy<Value = Reply> {
    let pick = |id: &str| Pick::Option(OptionId::new(id));
    prop_oneof![
        4 => Just(Reply::from_picks([pick("red")])),
        1 => Just(Reply::from_picks([pick("red"), pick("blue")])),
        1 => Just(Reply::from_picks([pick("green")])),
        1 => Just(Reply::from_picks([])),
        2 => Just(Reply::from_text(" because ")),
        1 => Just(Reply::from_text(" ")),
        1 => Just(Reply::skipped()),
        1 => Just(Reply::unanswered()),
    ]
}

fn replies() -> impl Strategy<Value = Replies> {
    let ids = prop_oneof![4 => Just("color"), 2 => Just("why"), 1 => Just("nobody asked")];
    let any = prop::collection::btree_map(ids.prop_map(QuestionId::new), reply(), 0..3);
    prop_oneof![1 => Just(red()), 1 => any]
}

fn shown() -> impl Strategy<Value = Digest> {
    prop_oneof![5 => Just(questionnaire().digest()), 1 => Just(Digest::compute(b"another question"))]
}

fn command() -> impl Strategy<Value = AskCommand> {
    let process = prop_oneof![Just(None), Just(Some(ProcessId { pid: 7, started: 1 }))];
    prop_oneof![
        1 => Just(AskCommand::MarkSeen),
        4 => (replies(), shown()).prop_map(|(replies, shown)| AskCommand::Submit { replies, as_sent: None, shown: shown.into() }),
        1 => (prop::option::of("[ a]{0,2}"), shown())
            .prop_map(|(reason, shown)| AskCommand::Decline { reason, shown }),
        1 => Just(AskCommand::CANCEL),
        3 => (1_u32..4).prop_map(|round| AskCommand::Accept { round }),
        3 => (1_u32..4).prop_map(|round| AskCommand::Reprompt { round, feedback: feedback() }),
        1 => process.prop_map(|process| AskCommand::Attach { process }),
        1 => Just(AskCommand::Detach),
        2 => Just(AskCommand::Offer),
        1 => Just(AskCommand::Ack),
        2 => Just(AskCommand::Tick),
        1 => (-2_000_i64..2_000).prop_map(|by| AskCommand::AdjustClock { by: SignedDuration::from_millis(by) }),
    ]
}

/// Returns a strategy for actors: usually the one with the role, now and then another.
fn who(command: &AskCommand) -> impl Strategy<Value = Actor> + use<> {
    let right = match command {
        AskCommand::MarkSeen | AskCommand::Submit { .. } | AskCommand::Decline { .. } => person(),
        AskCommand::Tick | AskCommand::AdjustClock { .. } => Actor::Desk,
        _ => asker(),
    };
    prop_oneof![12 => Just(right), 1 => Just(person()), 1 => Just(asker()), 1 => Just(Actor::Desk)]
}

type RandomStep = (i64, Actor, AskCommand);

/// Returns a strategy for steps some milliseconds apart, at times repeated. Now and then days pass.
fn steps() -> impl Strategy<Value = Vec<RandomStep>> {
    let later = prop_oneof![12 => 0_i64..60, 1 => 1_000_i64..3_000, 1 => Just(90_000_000_i64)];
    (later, command()).prop_flat_map(|(later, command)| {
        let times = if command == AskCommand::Offer { 1_usize..30 } else { 1..3 };
        let step = (Just(later), who(&command), Just(command));
        (step, times).prop_map(|(step, times)| vec![step; times])
    })
}

fn life() -> impl Strategy<Value = (bool, Option<i64>, Vec<RandomStep>)> {
    let steps = prop::collection::vec(steps(), 0..30).prop_map(|steps| steps.concat());
    (any::<bool>(), prop::option::of(1_i64..2_000), steps)
}

/// Returns true if these replies may be submitted, independently of the sheet.
fn are_valid(replies: &Replies) -> bool {
    let text_or_nothing = |reply: &Reply| match reply.answer() {
        Some(crate::Answer::Text(_)) | None => true,
        Some(_) => false,
    };
    replies.get(&QuestionId::new("color")) == red().get(&QuestionId::new("color"))
        && replies.get(&QuestionId::new("why")).is_none_or(text_or_nothing)
}

/// Returns true if this role may do this to this ask now.
fn is_allowed(ask: &Ask, who: &Actor, command: &AskCommand, now: Timestamp) -> bool {
    let in_time = ask.state.deadline.is_none_or(|deadline| now < deadline);
    let is_open = matches!(ask.state.phase, AskPhase::Open { .. }) && in_time;
    // An answer without a verdict in time counts, before and after the desk has recorded it.
    let waits = |wanted: Option<u32>| match &ask.state.phase {
        AskPhase::Submitted { round, submission } => {
            now < submission.verdict_by && wanted.is_none_or(|wanted| wanted == *round)
        }
        _ => false,
    };
    let has_outcome = matches!(ask.state.phase, AskPhase::Settled(_));
    let asked = ask.request.digest;
    match (who, command) {
        (_, AskCommand::Tick)
        | (Actor::Person(_), AskCommand::MarkSeen)
        | (Actor::Desk, AskCommand::AdjustClock { .. }) => true,
        (Actor::Person(_), AskCommand::Submit { replies, shown, .. }) => {
            is_open && shown.digest == asked && are_valid(replies)
        }
        (Actor::Person(_), AskCommand::Decline { shown, .. }) => is_open && *shown == asked,
        (Actor::Asker(_), AskCommand::Cancel { .. }) => {
            is_open || waits(None) || matches!(ask.state.phase, AskPhase::Settled(Outcome::Cancelled { .. }))
        }
        (Actor::Asker(_), AskCommand::Accept { round } | AskCommand::Reprompt { round, .. }) => {
            waits(Some(*round))
        }
        (Actor::Asker(_), AskCommand::Attach { .. } | AskCommand::Detach) => true,
        (Actor::Asker(_), AskCommand::Offer | AskCommand::Ack) => has_outcome,
        _ => false,
    }
}

/// Returns the phase of the ask after an allowed command.
fn phase_after(ask: &Ask, command: &AskCommand, now: Timestamp) -> AskPhase {
    let verdict = |submission: &Submission, verdict| {
        let Submission { replies, as_sent, receipt, .. } = submission.clone();
        AskPhase::Settled(Outcome::Answered { replies, as_sent, receipt, verdict })
    };
    let receipt = Receipt::new(&ada(), questionnaire().digest(), now);
    match (&ask.state.phase, command) {
        (AskPhase::Open { round, .. }, AskCommand::Submit { replies, .. }) => {
            let typed = |id: &str| match replies.get(&QuestionId::new(id)).and_then(Reply::answer) {
                Some(crate::Answer::Text(text)) if text.trim().is_empty() => Reply::unanswered(),
                Some(crate::Answer::Text(text)) => Reply::from_text(text.trim()),
                _ => replies.get(&QuestionId::new(id)).cloned().unwrap_or_default(),
            };
            let replies = ["color", "why"].map(|id| (QuestionId::new(id), typed(id))).into();
            let verdict_by = now + SignedDuration::from_secs(limits::VERDICT_WAIT_SECONDS);
            let submission = Submission { replies, as_sent: None, receipt, verdict_by };
            if ask.request.needs_verdict {
                AskPhase::Submitted { round: *round, submission }
            } else {
                verdict(&submission, None)
            }
        }
        (AskPhase::Open { .. }, AskCommand::Decline { reason, .. }) => {
            let reason = reason.clone().filter(|reason| reason.contains('a'));
            AskPhase::Settled(Outcome::Declined { reason, receipt })
        }
        (AskPhase::Open { .. } | AskPhase::Submitted { .. }, AskCommand::Cancel { .. }) => {
            AskPhase::Settled(Outcome::Cancelled { at: now, reason: None })
        }
        (AskPhase::Submitted { submission, .. }, AskCommand::Accept { .. }) => {
            verdict(submission, Some(AskerVerdict::Accepted))
        }
        (AskPhase::Submitted { round, submission }, AskCommand::Reprompt { feedback, .. }) => {
            let refused = Some(submission.clone());
            AskPhase::Open { round: round + 1, feedback: Some(feedback.clone()), refused }
        }
        (AskPhase::Open { .. }, AskCommand::Tick) => match ask.state.deadline {
            Some(deadline) if deadline <= now => AskPhase::Settled(Outcome::Expired { at: deadline }),
            _ => ask.state.phase.clone(),
        },
        (AskPhase::Submitted { submission, .. }, AskCommand::Tick) if submission.verdict_by <= now => {
            verdict(submission, Some(AskerVerdict::None))
        }
        (AskPhase::Submitted { round, submission }, AskCommand::AdjustClock { by }) => {
            let submission = Submission { verdict_by: submission.verdict_by + *by, ..submission.clone() };
            AskPhase::Submitted { round: *round, submission }
        }
        (phase, _) => phase.clone(),
    }
}

/// Returns the deadline of an open round after an allowed command.
fn end_of_round(ask: &Ask, command: &AskCommand, now: Timestamp) -> Option<Timestamp> {
    let limit = ask.request.time_limit_ms.map(SignedDuration::from_millis);
    match (&ask.state.phase, command) {
        (AskPhase::Open { .. }, AskCommand::AdjustClock { by }) => {
            ask.state.deadline.map(|deadline| deadline + *by)
        }
        (AskPhase::Submitted { .. }, AskCommand::Reprompt { .. }) => limit.map(|limit| now + limit),
        _ => ask.state.deadline,
    }
}

/// Ranks a delivery; it never goes back.
fn delivery_rank(delivery: &DeliveryState) -> u32 {
    match delivery {
        DeliveryState::Ready => 0,
        DeliveryState::Offered { tries, .. } => *tries,
        DeliveryState::Parked { .. } => limits::OFFER_ATTEMPTS + 1,
        DeliveryState::Acked { .. } => limits::OFFER_ATTEMPTS + 2,
    }
}

/// Takes one step and checks its result against the rules.
fn take_step(life: &mut AskHistory, (later, who, command): RandomStep) {
    life.now_ms += later;
    let (before, now) = (life.ask.clone(), life.now());
    let allowed = is_allowed(&before, &who, &command, now);
    let result = life.apply(&who, command.clone());
    let after = &life.ask.state;
    assert_eq!(result.is_ok(), allowed, "{who:?} {command:?} on {:?}: {result:?}", before.state);
    assert_eq!(life.ask.request, before.request);
    let Ok(events) = result else {
        assert_eq!(life.ask, before, "an error changes nothing");
        return;
    };
    if events.is_empty() {
        assert_eq!(*after, before.state, "no event, no change");
    } else {
        assert_eq!((after.revision, after.changed_at), (before.state.revision + 1, now));
    }
    assert_eq!(after.phase, phase_after(&before, &command, now), "{command:?}");
    if before.outcome().is_some() {
        assert_eq!(after.phase, before.state.phase, "settled is settled");
    }
    assert_eq!(after.deadline, end_of_round(&before, &command, now));
    let (rank, was) = (delivery_rank(&after.delivery), delivery_rank(&before.state.delivery));
    match command {
        AskCommand::Ack => assert!(matches!(after.delivery, DeliveryState::Acked { .. })),
        AskCommand::Offer => assert_eq!(rank, if was > limits::OFFER_ATTEMPTS { was } else { was + 1 }),
        _ => assert_eq!(after.delivery, before.state.delivery),
    }
    assert!(rank >= was, "delivery never goes back");
    assert_eq!(life.replayed().as_ref(), Some(after), "the log gives the state");
}

/// Ends a lifecycle: its time passes, or it is cancelled if it has no time limit.
fn end_lifecycle(life: &mut AskHistory) {
    life.now_ms += 100_000_000_000;
    take_step(life, (0, Actor::Desk, AskCommand::Tick));
    if life.ask.outcome().is_none() {
        take_step(life, (0, asker(), AskCommand::CANCEL));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn random_lifecycles_keep_invariants((judged, limit, steps) in life()) {
        let mut life = AskHistory::begin(judged, limit);
        for step in steps {
            take_step(&mut life, step);
        }
        end_lifecycle(&mut life);
        prop_assert!(life.ask.outcome().is_some());
        prop_assert_eq!(life.settlements(), 1);
    }
}

#[test]
fn random_lifecycles_cover_all_outcomes() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..500 {
        let (judged, limit, steps) = life().new_tree(&mut runner).unwrap().current();
        let mut life = AskHistory::begin(judged, limit);
        for step in steps {
            take_step(&mut life, step);
            let again = matches!(life.ask.state.phase, AskPhase::Open { round: 2.., .. });
            *seen.entry("a second round").or_default() += usize::from(again);
            *seen.entry("parked").or_default() +=
                usize::from(matches!(life.ask.state.delivery, DeliveryState::Parked { .. }));
        }
        let place = match life.ask.outcome() {
            Some(Outcome::Answered { verdict: Some(AskerVerdict::Accepted), .. }) => "accepted",
            Some(Outcome::Answered { verdict: Some(AskerVerdict::None), .. }) => "no verdict",
            Some(outcome) => outcome.kind(),
            None => "open",
        };
        *seen.entry(place).or_default() += 1;
    }
    let wanted = ["a second round", "accepted", "answered", "cancelled", "declined", "expired", "no verdict"];
    for place in wanted.into_iter().chain(["open", "parked"]) {
        assert!(seen.get(place).is_some_and(|count| *count > 5), "{place}: {seen:?}");
    }
}
