//! Samples of everything that the wire format can express.

use jiff::{SignedDuration, Timestamp};
use sayso_core::lifecycle::AskEvent;
use sayso_core::model::actor::{AssuranceLevel, ProcessId, Surface};
use sayso_core::model::ask::{
    AskPhase, AskRequest, AskState, AskerPresence, AttentionState, DeliveryState, RoundFeedback, Submission,
};
use sayso_core::model::outcome::{AskerVerdict, SeenLines};
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::wire::questionnaire::ParsedQuestionnaire;
use sayso_core::{
    Actor, Answer, AskCommand, AskId, Asker, Audience, DatetimeValue, LateSubmission, Number, OptionId,
    Outcome, Person, Pick, Problem, QuestionId, Questionnaire, Receipt, Replies, Reply, ReplyContent, Rules,
    model::value::datetime, wire,
};
use sayso_core::{ChoiceOption, ChoiceQuestion, Question, QuestionKind, TextQuestion};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads a questionnaire. It is the same whether it comes as text or as a value.
#[track_caller]
pub(crate) fn read_both(text: &str) -> Result<ParsedQuestionnaire, Vec<Problem>> {
    let read = wire::questionnaire::read(text);
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        assert_eq!(wire::questionnaire::read(&value), read, "{text}");
    }
    read
}

pub(crate) fn id() -> AskId {
    AskId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn option(id: &str, label: &str, description: Option<&str>) -> ChoiceOption {
    ChoiceOption { description: description.map(str::to_owned), ..ChoiceOption::new(id, label) }
}

fn question(id: &str, prompt: &str, kind: impl Into<QuestionKind>) -> Question {
    Question::new(id, prompt, kind)
}

/// Returns a questionnaire with every member set to a non-default value.
pub(crate) fn full() -> Questionnaire {
    let options = vec![
        option("pg", "PostgreSQL", Some("Rows \"and\" columns\nfor years")),
        option("字", "\u{202e}字 🦀", None),
    ];
    let database = Question {
        label: Some("Database".to_owned()),
        detail: Some("You can `change` it later.".to_owned()),
        ..question(
            "db",
            "Which database?",
            ChoiceQuestion { options, multi: true, other: true, other_label: None, other_at: None },
        )
    };
    let why = Question {
        required: false,
        placeholder: Some("because …".to_owned()),
        ..question("why", "Why?", TextQuestion { long: true })
    };
    Questionnaire {
        title: Some("Storage".to_owned()),
        context: Some("The service is new.".to_owned()),
        questions: vec![database, why],
        rules: Rules {
            length_unit: LengthUnit::Utf16,
            trim_text: false,
            repeated_picks: true,
            other_alone: true,
            empty_other: true,
            ..Rules::default()
        },
        ..Questionnaire::default()
    }
}

/// Returns a questionnaire with sections, every kind, conditions of all shapes and all requirements.
pub(crate) fn whole() -> Questionnaire {
    let mut whole = wire::questionnaire::read(include_str!("whole.json")).unwrap().questionnaire;
    // Our own format rejects prefilled consent; other formats have it, and it is kept.
    let consent = whole.questions.iter_mut().find(|question| question.id.as_str() == "go").unwrap();
    consent.prefill = Some(Answer::Confirm(true));
    whole
}

/// Returns the meaning of the file written by hand.
pub(crate) fn by_hand() -> Questionnaire {
    let options = vec![option("o1", "Red", None), option("o2", "Blue", None)];
    let color = ChoiceQuestion { options, ..ChoiceQuestion::default() };
    let questions =
        vec![question("q0", "Which color?", color), question("q1", "What else?", TextQuestion::default())];
    Questionnaire { questions, ..Questionnaire::default() }
}

pub(crate) fn requests() -> [(&'static str, AskRequest); 5] {
    let full = AskRequest {
        questionnaire: Arc::new(full()),
        digest: full().digest(),
        dialect: "ask_user_question".to_owned(),
        asker: Asker {
            name: "painter".to_owned(),
            folder: Some("/srv/house".to_owned()),
            session: Some("s-1".to_owned()),
            account: None,
        },
        needs_verdict: true,
        created_at: at("2026-01-02T03:04:05.678901Z"),
        time_limit_ms: Some(7_200_000),
        program: None,
        audience: None,
    };
    let bare = AskRequest {
        questionnaire: Arc::new(by_hand()),
        digest: by_hand().digest(),
        asker: Asker { name: String::new(), folder: None, session: None, account: None },
        needs_verdict: false,
        time_limit_ms: None,
        ..full.clone()
    };
    let account = Some("painters".to_owned());
    let known = AskRequest { asker: Asker { account, ..full.asker.clone() }, ..bare.clone() };
    let guessed = AskRequest { program: Some("deploy.sh".to_owned()), ..bare.clone() };
    let audience = Audience { groups: BTreeSet::from(["ops".to_owned()]), ..Audience::of_account("ada") };
    let walled = AskRequest { audience: Some(audience), ..bare.clone() };
    [
        ("request", full),
        ("request-bare", bare),
        ("request-account", known),
        ("request-program", guessed),
        ("request-audience", walled),
    ]
}

fn replies() -> Replies {
    let picks = [Pick::Option(OptionId::new("pg")), Pick::Other("a \"file\"\n".to_owned())];
    Replies::from([
        (QuestionId::new("db"), Reply::from_picks(picks)),
        (QuestionId::new("note"), Reply::unanswered()),
        (QuestionId::new("why"), Reply::from_text("  Zürich 🦀 ")),
        (QuestionId::new("x"), Reply::skipped()),
    ])
}

/// Returns an outcome with an answer of every kind, and every way to have none.
pub(crate) fn kinds() -> Outcome {
    let number = |text: &str| Answer::Number(Number::parse(text).unwrap());
    let words = [
        ("budget", Reply::from_answer(number("12.50")).with_note(Some("at most".to_owned()))),
        ("go", Reply::from_answer(Answer::Confirm(false))),
        ("long", Reply::from_answer(number("0.12345678901234567890123"))),
        (
            "moment",
            Reply::from_answer(Answer::Datetime(DatetimeValue::parse("2026-03-01T14:30+05:30").unwrap())),
        ),
        ("none", Reply::unanswered().with_note(Some("ask Ben".to_owned()))),
        (
            "hidden",
            Reply {
                content: ReplyContent::NotAsked { decided_by: Some(QuestionId::new("go")) },
                ..Reply::default()
            },
        ),
        ("pattern", Reply { pattern_not_checked: true, ..Reply::from_text("aaaa") }),
        ("score", Reply::from_answer(Answer::Rating(4))),
        ("time", Reply::from_answer(Answer::Time(datetime::parse_time("14:30").unwrap()))),
        ("day", Reply::from_answer(Answer::Date(datetime::parse_date("2026-03-01").unwrap()))),
    ];
    let replies = words.into_iter().map(|(id, reply)| (QuestionId::new(id), reply)).collect();
    let receipt = receipt(Surface::Command, AssuranceLevel::Scripted);
    let receipt = Receipt { dropped: vec![QuestionId::new("hidden")], ..receipt };
    Outcome::Answered { replies, as_sent: None, receipt, verdict: None }
}

/// Returns an outcome that was approved before all of it was drawn.
pub(crate) fn partly_seen() -> Outcome {
    let seen = Some(SeenLines { shown: 47, total: 310 });
    let receipt = Receipt { seen, ..receipt(Surface::Page, AssuranceLevel::BrowserSession) };
    let replies = Replies::from([(QuestionId::new("go"), Reply::from_answer(Answer::Confirm(true)))]);
    Outcome::Answered { replies, as_sent: None, receipt, verdict: None }
}

fn receipt(surface: Surface, assurance: AssuranceLevel) -> Receipt {
    let at = at("2026-01-02T04:00:00Z");
    let shown = full().digest();
    let (by, dropped) = ("ada".to_owned(), Vec::new());
    Receipt { by, surface, assurance, at, shown, seen: None, dropped, audience: None, access: None }
}

pub(crate) fn outcomes() -> [(&'static str, Outcome); 7] {
    let terminal = receipt(Surface::Prompter, AssuranceLevel::Terminal);
    let answered =
        |verdict| Outcome::Answered { replies: replies(), as_sent: None, receipt: terminal.clone(), verdict };
    let declined =
        |reason, surface| Outcome::Declined { reason, receipt: receipt(surface, AssuranceLevel::Scripted) };
    [
        ("answered", answered(None)),
        ("answered-accepted", answered(Some(AskerVerdict::Accepted))),
        ("answered-no-verdict", answered(Some(AskerVerdict::None))),
        ("declined", declined(Some("not now".to_owned()), Surface::Command)),
        ("declined-bare", declined(None, Surface::Pipe)),
        ("cancelled", Outcome::Cancelled { at: at("2026-01-02T05:00:00Z"), reason: None }),
        ("expired", Outcome::Expired { at: at("2026-01-02T05:04:05.678901Z") }),
    ]
}

fn feedback() -> RoundFeedback {
    RoundFeedback {
        summary: Some("Mend it.".to_owned()),
        errors: vec![(QuestionId::new("db"), "We have no licence.".to_owned())],
    }
}

fn submission() -> Submission {
    let receipt = receipt(Surface::Prompter, AssuranceLevel::Terminal);
    Submission { replies: replies(), as_sent: None, receipt, verdict_by: at("2026-01-03T04:00:00Z") }
}

fn presences() -> [AskerPresence; 3] {
    [
        AskerPresence::Attached { process: Some(ProcessId { pid: 4_242, started: 99 }) },
        AskerPresence::Attached { process: None },
        AskerPresence::Detached { since: at("2026-01-02T03:30:00Z") },
    ]
}

fn deliveries() -> [DeliveryState; 4] {
    [
        DeliveryState::Ready,
        DeliveryState::Offered { tries: 2, until: at("2026-01-02T06:00:30Z") },
        DeliveryState::Acked { at: at("2026-01-02T06:00:00Z") },
        DeliveryState::Parked { tries: 20 },
    ]
}

fn phases() -> [AskPhase; 7] {
    let [answered, .., expired] = outcomes();
    [
        AskPhase::Open { round: 1, feedback: None, refused: None },
        AskPhase::Open { round: 2, feedback: Some(feedback()), refused: Some(submission()) },
        AskPhase::Open { round: 3, feedback: Some(RoundFeedback::default()), refused: None },
        AskPhase::Submitted { round: 1, submission: submission() },
        AskPhase::Settled(answered.1),
        AskPhase::Settled(expired.1),
        AskPhase::Settled(Outcome::Cancelled { at: at("2026-01-02T05:00:00Z"), reason: None }),
    ]
}

/// Returns a state of each phase, which cover every attention, delivery and presence.
pub(crate) fn states() -> Vec<(&'static str, AskState)> {
    let names = ["open", "open-again", "open-bare", "submitted", "answered", "expired", "cancelled"];
    let state = |(at_phase, phase): (usize, AskPhase)| AskState {
        phase,
        attention: if at_phase == 0 { AttentionState::Unseen } else { AttentionState::Seen },
        delivery: deliveries()[at_phase.saturating_sub(3) % 4],
        presence: presences()[at_phase % 3],
        deadline: (at_phase % 2 == 0).then(|| at("2026-01-02T05:04:05.678901Z")),
        revision: u64::try_from(at_phase).unwrap() + 1,
        changed_at: at("2026-01-02T06:00:00.000001Z"),
    };
    names.into_iter().zip(phases().into_iter().enumerate().map(state)).collect()
}

/// Returns an answer and a decline that came too late.
pub(crate) fn late() -> Vec<LateSubmission> {
    let person = |surface, assurance| {
        Actor::Person(Person { name: "bob".to_owned(), surface, assurance, access: None })
    };
    let shown = full().digest();
    let as_sent = Some(serde_json::json!({ "db": "pg" }));
    let text = [
        (
            person(Surface::Http, AssuranceLevel::Token),
            AskCommand::Submit { replies: replies(), as_sent, shown: shown.into() },
        ),
        (
            person(Surface::Prompter, AssuranceLevel::Terminal),
            AskCommand::Decline { reason: Some("not now".to_owned()), shown },
        ),
    ];
    let late =
        text.map(|(who, command)| LateSubmission::from_command(&who, &command, at("2026-01-02T07:00:00Z")));
    late.into_iter().flatten().collect()
}

/// Returns every event.
pub(crate) fn events() -> Vec<AskEvent> {
    let deadline = Some(at("2026-01-02T05:04:05.678901Z"));
    let [attached, anywhere, detached] = presences();
    let mut events = vec![
        AskEvent::Opened { deadline, presence: attached },
        AskEvent::Opened { deadline: None, presence: anywhere },
        AskEvent::Seen,
        AskEvent::Drafted { rev: 3 },
        AskEvent::Submitted { round: 1, submission: submission() },
        AskEvent::Reprompted { round: 2, feedback: feedback(), deadline },
        AskEvent::Presence { presence: detached },
        AskEvent::Rescheduled { due: at("2026-01-02T06:04:05.678901Z") },
    ];
    events.extend(outcomes().map(|(_, outcome)| AskEvent::Settled { outcome }));
    events.extend(deliveries().map(|delivery| AskEvent::Delivery { delivery }));
    events
}

/// Returns every command.
pub(crate) fn commands() -> Vec<AskCommand> {
    let shown = full().digest();
    let process = Some(ProcessId { pid: 4_242, started: 99 });
    let as_sent = Some(serde_json::json!({ "why": 1.50, "db": ["pg"] }));
    vec![
        AskCommand::MarkSeen,
        AskCommand::Submit { replies: replies(), as_sent: None, shown: shown.into() },
        AskCommand::Submit { replies: Replies::new(), as_sent, shown: shown.into() },
        AskCommand::Decline { reason: Some("not now".to_owned()), shown },
        AskCommand::Decline { reason: None, shown },
        AskCommand::CANCEL,
        AskCommand::Accept { round: 2 },
        AskCommand::Reprompt { round: 2, feedback: feedback() },
        AskCommand::Attach { process },
        AskCommand::Attach { process: None },
        AskCommand::Detach,
        AskCommand::Offer,
        AskCommand::Ack,
        AskCommand::Tick,
        AskCommand::AdjustClock { by: SignedDuration::from_secs(-3_600) },
    ]
}
