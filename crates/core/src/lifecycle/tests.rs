//! Lifecycle of an ask in a few readable stories. `lives` checks random ones against invariants.

mod random;

use super::*;
use crate::kinds::date::DateQuestion;
use crate::model::actor::{Asker, AssuranceLevel, Surface};
use crate::model::answer::{Pick, Reply};
use crate::model::id::{OptionId, QuestionId};
use crate::model::outcome::{SeenLines, ShownView};
use crate::model::question::Question;
use crate::model::question::choice::{ChoiceOption, ChoiceQuestion};
use crate::model::question::kind::{QuestionKind, TextQuestion};
use crate::model::questionnaire::Questionnaire;
use std::collections::BTreeMap;

/// Returns a required choice of red or blue, and an optional text.
fn questionnaire() -> Arc<Questionnaire> {
    let option = |id: &str| ChoiceOption::new(id, id);
    let question = |id: &str, required, kind: QuestionKind| Question {
        required,
        ..Question::new(id, format!("{id}?"), kind)
    };
    let colors = ChoiceQuestion { options: vec![option("red"), option("blue")], ..ChoiceQuestion::default() };
    let questions =
        vec![question("color", true, colors.into()), question("why", false, TextQuestion::default().into())];
    Arc::new(Questionnaire { title: Some("Paint".to_owned()), questions, ..Questionnaire::default() })
}

fn new_ask(judged: bool, time_limit_ms: Option<i64>) -> NewAsk {
    NewAsk {
        needs_verdict: judged,
        time_limit_ms,
        ..NewAsk::new(questionnaire(), "sayso", Asker { name: "painter".to_owned(), ..Asker::default() })
    }
}

fn id() -> AskId {
    AskId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap()
}

fn ada() -> Person {
    Person {
        name: "ada".to_owned(),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    }
}

fn person() -> Actor {
    Actor::Person(ada())
}

fn asker() -> Actor {
    Actor::Asker(Asker::default())
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(1_700_000_000_000 + ms).unwrap()
}

fn red() -> Replies {
    let red = Reply::from_picks([Pick::Option(OptionId::new("red"))]);
    BTreeMap::from([(QuestionId::new("color"), red)])
}

fn submit_red() -> AskCommand {
    AskCommand::Submit { replies: red(), as_sent: None, shown: questionnaire().digest().into() }
}

#[test]
fn receipt_counts_unseen_lines() {
    let seen = |shown, total| Some(SeenLines { shown, total });
    for (given, kept) in [(None, None), (seen(3, 3), None), (seen(9, 3), None), (seen(2, 3), seen(2, 3))] {
        let ask = open_ask(id(), new_ask(false, None), at(0)).unwrap().ask;
        let shown = ShownView { seen: given, ..ask.request.digest.into() };
        let submit = AskCommand::Submit { replies: red(), as_sent: None, shown };
        let answered = apply_command(&ask, &person(), submit, at(1)).unwrap().ask;
        assert_eq!(answered.outcome().unwrap().receipt().unwrap().seen, kept, "{given:?}");
    }
}

fn feedback() -> RoundFeedback {
    RoundFeedback { summary: Some("not red".to_owned()), errors: Vec::new() }
}

/// An ask, its log and the current time.
struct AskHistory {
    ask: Ask,
    log: Vec<(Timestamp, Vec<AskEvent>)>,
    now_ms: i64,
}

impl AskHistory {
    fn begin(judged: bool, time_limit_ms: Option<i64>) -> Self {
        let opened = open_ask(id(), new_ask(judged, time_limit_ms), at(0)).unwrap();
        Self { ask: opened.ask, log: vec![(at(0), opened.events)], now_ms: 0 }
    }

    fn now(&self) -> Timestamp {
        at(self.now_ms)
    }

    fn apply(&mut self, who: &Actor, command: AskCommand) -> Result<Vec<AskEvent>, Problem> {
        let change = apply_command(&self.ask, who, command, self.now())?;
        self.ask = change.ask;
        if !change.events.is_empty() {
            self.log.push((self.now(), change.events.clone()));
        }
        Ok(change.events)
    }

    fn replayed(&self) -> Option<AskState> {
        replay(self.log.iter().map(|(at, events)| (*at, events.as_slice())))
    }

    fn settlements(&self) -> usize {
        self.log
            .iter()
            .flat_map(|(_, events)| events)
            .filter(|event| matches!(event, AskEvent::Settled { .. }))
            .count()
    }
}

#[test]
fn program_answer_skips_validation_if_judged() {
    let written = |judged, as_sent| {
        let ask = open_ask(id(), new_ask(judged, None), at(0)).unwrap().ask;
        let shown = ask.request.digest;
        apply_command(
            &ask,
            &person(),
            AskCommand::Submit { replies: Replies::new(), as_sent, shown: shown.into() },
            at(1),
        )
    };
    let anything = || Some(serde_json::json!({ "color": 7 }));
    let submitted = written(true, anything()).unwrap().ask;
    let AskPhase::Submitted { submission, .. } = &submitted.state.phase else { panic!("{submitted:?}") };
    assert_eq!(submission.as_sent, anything());
    assert_eq!(written(true, None).unwrap_err().code, ProblemCode::InvalidAnswers);
    assert_eq!(written(false, anything()).unwrap_err().code, ProblemCode::InvalidAnswers);
}

#[test]
fn second_answer_reports_the_first() {
    let mut life = AskHistory::begin(false, None);
    life.now_ms = 7;
    life.apply(&person(), submit_red()).unwrap();
    let Some(Outcome::Answered { replies, receipt, verdict: None, .. }) = life.ask.outcome() else {
        panic!("{:?}", life.ask.state.phase)
    };
    assert_eq!(replies.get(&QuestionId::new("color")), red().get(&QuestionId::new("color")));
    assert_eq!(
        replies.get(&QuestionId::new("why")),
        Some(&Reply::unanswered()),
        "every question has a reply"
    );
    assert_eq!(*receipt, Receipt::new(&ada(), questionnaire().digest(), at(7)));

    let late = life.apply(&person(), submit_red()).unwrap_err();
    assert_eq!(late.code, ProblemCode::AskAnswered);
    assert!(late.to_string().contains("ada"), "{late}");
    assert_eq!(life.apply(&asker(), AskCommand::CANCEL).unwrap_err().code, ProblemCode::AskAnswered);
}

#[test]
fn reprompt_sets_new_deadline() {
    let mut life = AskHistory::begin(true, Some(1_000));
    life.now_ms = 900;
    life.apply(&person(), submit_red()).unwrap();
    let AskPhase::Submitted { submission, .. } = life.ask.state.phase.clone() else {
        panic!("{:?}", life.ask)
    };
    assert_eq!(life.apply(&person(), submit_red()).unwrap_err().code, ProblemCode::AskSubmitted);
    life.now_ms = 5_000;
    assert_eq!(
        life.apply(&asker(), AskCommand::Accept { round: 2 }).unwrap_err().code,
        ProblemCode::WrongRound
    );
    life.apply(&asker(), AskCommand::Reprompt { round: 1, feedback: feedback() }).unwrap();
    let again = AskPhase::Open { round: 2, feedback: Some(feedback()), refused: Some(submission) };
    assert_eq!(life.ask.state.phase, again);
    assert_eq!(life.ask.state.deadline, Some(at(6_000)));
    life.apply(&person(), submit_red()).unwrap();
    life.apply(&asker(), AskCommand::Accept { round: 2 }).unwrap();
    assert!(matches!(
        life.ask.outcome(),
        Some(Outcome::Answered { verdict: Some(AskerVerdict::Accepted), receipt, .. }) if receipt.at == at(5_000)
    ));
}

#[test]
fn submitted_replies_become_draft() {
    let typed = |judged| {
        let ask = open_ask(id(), new_ask(judged, None), at(0)).unwrap().ask;
        let why = (QuestionId::new("why"), Reply::from_text(" because "));
        let replies = Replies::from_iter(red().into_iter().chain([why]));
        let shown = ask.request.digest;
        apply_command(
            &ask,
            &person(),
            AskCommand::Submit { replies: replies.clone(), as_sent: None, shown: shown.into() },
            at(1),
        )
        .map(|change| (change.draft, replies))
        .unwrap()
    };
    let (draft, replies) = typed(true);
    assert_eq!(draft, Some(SubmittedDraft { by: ada(), replies: replies.into_iter().collect() }));
    assert_eq!(typed(false).0, None, "an answer that counts needs no draft");
}

#[test]
fn answer_at_deadline_is_late() {
    let mut life = AskHistory::begin(false, Some(1_000));
    life.now_ms = 1_000;
    assert_eq!(life.apply(&person(), submit_red()).unwrap_err().code, ProblemCode::AskExpired);
    assert_eq!(life.apply(&asker(), AskCommand::CANCEL).unwrap_err().code, ProblemCode::AskExpired);
    life.now_ms = 9_000;
    life.apply(&Actor::Desk, AskCommand::Tick).unwrap();
    assert_eq!(life.ask.outcome(), Some(&Outcome::Expired { at: at(1_000) }));

    let mut punctual = AskHistory::begin(false, Some(1_000));
    punctual.now_ms = 999;
    assert_eq!(punctual.apply(&Actor::Desk, AskCommand::Tick).unwrap(), []);
    punctual.apply(&person(), submit_red()).unwrap();
}

#[test]
fn unacknowledged_outcome_is_parked() {
    let mut life = AskHistory::begin(false, None);
    assert_eq!(life.apply(&asker(), AskCommand::Offer).unwrap_err().code, ProblemCode::AskOpen);
    assert_eq!(life.apply(&asker(), AskCommand::Ack).unwrap_err().code, ProblemCode::AskOpen);
    life.apply(&asker(), AskCommand::CANCEL).unwrap();
    for tries in 1..=limits::OFFER_ATTEMPTS {
        life.apply(&asker(), AskCommand::Offer).unwrap();
        assert!(matches!(life.ask.state.delivery, DeliveryState::Offered { tries: t, .. } if t == tries));
    }
    life.apply(&asker(), AskCommand::Offer).unwrap();
    assert_eq!(life.ask.state.delivery, DeliveryState::Parked { tries: limits::OFFER_ATTEMPTS });
    assert_eq!(life.apply(&asker(), AskCommand::Offer).unwrap(), []);
    assert!(!life.ask.is_delivered());
    life.apply(&asker(), AskCommand::Ack).unwrap();
    assert!(life.ask.is_delivered());
}

#[test]
fn live_ask_is_found_until_delivered() {
    let mut answered = AskHistory::begin(false, None);
    assert!(answered.ask.is_live());
    answered.apply(&person(), submit_red()).unwrap();
    assert!(answered.ask.is_live());
    answered.apply(&asker(), AskCommand::Ack).unwrap();
    assert!(!answered.ask.is_live());

    let mut cancelled = AskHistory::begin(false, None);
    cancelled.apply(&asker(), AskCommand::CANCEL).unwrap();
    assert!(!cancelled.ask.is_live());
}

#[test]
fn invalid_requests_open_no_ask() {
    let twice = vec![Question::new("a", "?", DateQuestion); 2];
    let twice = Arc::new(Questionnaire { questions: twice, ..Questionnaire::default() });
    let problem = open_ask(id(), NewAsk { questionnaire: twice, ..new_ask(false, None) }, at(0)).unwrap_err();
    assert_eq!((problem.code, problem.causes.len()), (ProblemCode::InvalidRequest, 1));
    for limit in [0, -1, i64::MIN, i64::MAX, limits::TIME_LIMIT_SECONDS * 1_000 + 1] {
        assert_eq!(
            open_ask(id(), new_ask(false, Some(limit)), at(0)).unwrap_err().code,
            ProblemCode::InvalidValue
        );
    }
    assert!(open_ask(id(), new_ask(false, Some(limits::TIME_LIMIT_SECONDS * 1_000)), at(0)).is_ok());
}

#[test]
fn log_without_opening_is_rejected() {
    assert_eq!(replay([]), None);
    assert_eq!(replay([(at(0), [AskEvent::Seen].as_slice())]), None);
}
