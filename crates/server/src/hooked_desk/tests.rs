use super::HookedDesk;
use jiff::Timestamp;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::ask::AskPhase;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, Ask, AskCommand, AskId, Asker, Outcome, Person};
use sayso_desk::{AskQuery, Desk, StoreDesk};
use sayso_dialects::interaction::{
    FieldErrors, HookOutcome, InteractionHooks, InteractionSubmission, QuestionsAsk, UserAction,
    UserResponse, reprompt,
};
use serde_json::{Value, json};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

#[expect(clippy::disallowed_methods, reason = "a test is a program, and those tell the time")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// Hooks that accept only the name Ada and record each event.
struct PickyHooks {
    tool: QuestionsAsk,
    /// Number of further forms to ask of Ada.
    pages: usize,
    calls: UnboundedSender<String>,
}

impl InteractionHooks for PickyHooks {
    async fn on_response(&mut self, response: &UserResponse) -> HookOutcome {
        let input = response.input.clone().unwrap_or_default();
        let name = input.get("name").and_then(Value::as_str).unwrap_or("nobody").to_owned();
        let _ = self.calls.send(format!("{:?} {name}", response.action));
        if name == "Ada" && self.pages > 0 {
            self.pages -= 1;
            let mut next = self.tool.request().clone();
            next.input_schema.title = Some("One more".to_owned());
            next.input_schema.initial_values = json!({ "name": "Ada?" }).as_object().cloned();
            return HookOutcome::Reprompt(Box::new(next));
        }
        if name == "Ada" || response.action == UserAction::Cancel {
            return HookOutcome::Complete(json!({ "hello": name }));
        }
        let field_errors = FieldErrors(vec![("name".to_owned(), "Only Ada.".to_owned())]);
        HookOutcome::Reprompt(Box::new(reprompt(self.tool.request(), input, field_errors)))
    }

    async fn on_timeout(&mut self) -> HookOutcome {
        HookOutcome::Complete(json!("too late"))
    }

    async fn on_cancel(&mut self) {
        let _ = self.calls.send("cancelled".to_owned());
    }
}

struct HookFixture {
    _folder: TempDir,
    desk: Arc<StoreDesk>,
    calls: UnboundedReceiver<String>,
    begin: Box<dyn Fn(usize) -> tokio::task::JoinHandle<Value>>,
}

fn start_fixture(more: &Value) -> HookFixture {
    let folder = tempfile::tempdir().unwrap();
    let desk = Arc::new(StoreDesk::open(&folder.path().join("desk.db")).unwrap());
    let mut arguments = json!({ "schema": { "fields": [
        { "id": "name", "type": "text", "label": "Name", "required": true },
    ] } });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let tool = QuestionsAsk::new(&arguments).unwrap();
    let asker = Asker { name: "ci".to_owned(), ..Asker::default() };
    let questions = HookedDesk::new(desk.clone(), asker, now);
    let (tell, received) = unbounded_channel();
    let begin = move |pages| {
        let (questions, tool) = (questions.clone(), tool.clone());
        let mut hooks = PickyHooks { tool: tool.clone(), pages, calls: tell.clone() };
        tokio::spawn(async move {
            match questions.ask(&tool, &mut hooks).await.unwrap() {
                Ok(result) => result,
                Err(error) => json!(error.code),
            }
        })
    };
    HookFixture { _folder: folder, desk, calls: received, begin: Box::new(begin) }
}

impl HookFixture {
    /// Waits until the ask has this phase.
    async fn wait_for_phase(&self, fits: fn(&AskPhase) -> bool) -> Ask {
        self.wait_for_ask(move |ask| fits(&ask.state.phase)).await
    }

    /// Waits for an ask with another id.
    async fn wait_for_other(&self, id: AskId) -> Ask {
        self.wait_for_ask(move |ask| ask.id != id).await
    }

    async fn wait_for_ask(&self, fits: impl Fn(&Ask) -> bool + Send + 'static) -> Ask {
        let desk = self.desk.clone();
        tokio::task::spawn_blocking(move || {
            let mut watch = desk.watch(sayso_desk::Interest::All, None).unwrap();
            let query = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
            loop {
                let rows = desk.list(&query).unwrap().rows;
                let mut asks = rows.iter().map(|row| desk.get(row.id).unwrap());
                if let Some(ask) = asks.find(&fits) {
                    return ask;
                }
                watch.wait(std::time::Duration::from_secs(1)).unwrap();
            }
        })
        .await
        .unwrap()
    }

    fn submit(&self, ask: &Ask, input: &Value) {
        let response =
            UserResponse { action: UserAction::Submit, input: input.as_object().cloned(), reason: None };
        let InteractionSubmission { replies, as_sent } =
            InteractionSubmission::from_response(&ask.request.questionnaire, &response).unwrap();
        let command = AskCommand::Submit { replies, as_sent, shown: ask.request.digest.into() };
        self.desk.act(&person(), ask.id, None, command).unwrap();
    }
}

fn person() -> Actor {
    let (surface, assurance) = (Surface::Http, AssuranceLevel::Token);
    Actor::Person(Person { name: "ada".to_owned(), surface, assurance, access: None })
}

fn is_open(phase: &AskPhase) -> bool {
    matches!(phase, AskPhase::Open { .. })
}

#[tokio::test]
async fn hooks_judge_each_round() {
    let mut fixture = start_fixture(&json!({}));
    let returned = (fixture.begin)(0);
    let ask = fixture.wait_for_phase(is_open).await;
    fixture.submit(&ask, &json!({}));
    assert_eq!(fixture.calls.recv().await.unwrap(), "Submit nobody");
    let again = fixture.wait_for_phase(|phase| matches!(phase, AskPhase::Open { round: 2, .. })).await;
    let AskPhase::Open { feedback: Some(feedback), .. } = &again.state.phase else { panic!("{again:?}") };
    assert_eq!(feedback.errors[0].1, "Only Ada.");
    fixture.submit(&again, &json!({ "name": "Ada", "more": 1 }));
    assert_eq!(returned.await.unwrap(), json!({ "hello": "Ada" }));
    let ask = fixture.desk.get(ask.id).unwrap();
    assert!(matches!(ask.outcome(), Some(Outcome::Answered { as_sent: Some(_), .. })) && ask.is_delivered());
}

#[tokio::test]
async fn restarted_program_judges_pending_responses() {
    let mut fixture = start_fixture(&json!({}));
    let lost = (fixture.begin)(0);
    let ask = fixture.wait_for_phase(is_open).await;
    lost.abort();
    assert!(lost.await.unwrap_err().is_cancelled());
    fixture.submit(&ask, &json!({ "name": "Ada" }));
    let returned = (fixture.begin)(0);
    assert_eq!(returned.await.unwrap(), json!({ "hello": "Ada" }));
    assert_eq!(fixture.calls.recv().await.unwrap(), "Submit Ada");
    assert!(fixture.desk.get(ask.id).unwrap().outcome().is_some());
}

#[tokio::test]
async fn hooks_receive_decline_timeout_and_cancel() {
    let mut no = start_fixture(&json!({}));
    let returned = (no.begin)(0);
    let ask = no.wait_for_phase(is_open).await;
    let decline = AskCommand::Decline { reason: None, shown: ask.request.digest };
    no.desk.act(&person(), ask.id, None, decline).unwrap();
    assert_eq!(returned.await.unwrap(), json!({ "hello": "nobody" }));
    assert_eq!(no.calls.recv().await.unwrap(), "Cancel nobody");

    let late = start_fixture(&json!({ "timeoutMs": 20 }));
    assert_eq!((late.begin)(0).await.unwrap(), json!("too late"));

    let mut taken_back = start_fixture(&json!({}));
    let returned = (taken_back.begin)(0);
    let ask = taken_back.wait_for_phase(is_open).await;
    let asker = Actor::Asker(ask.request.asker.clone());
    taken_back.desk.act(&asker, ask.id, None, AskCommand::CANCEL).unwrap();
    assert_eq!(returned.await.unwrap(), json!("tool_aborted"));
    assert_eq!(taken_back.calls.recv().await.unwrap(), "cancelled");
}

#[tokio::test]
async fn another_form_survives_restart() {
    let mut fixture = start_fixture(&json!({}));
    let lost = (fixture.begin)(1);
    let first = fixture.wait_for_phase(is_open).await;
    fixture.submit(&first, &json!({ "name": "Ada" }));
    assert_eq!(fixture.calls.recv().await.unwrap(), "Submit Ada");
    let second = fixture.wait_for_other(first.id).await;
    assert_eq!(second.request.questionnaire.title.as_deref(), Some("One more"));
    assert!(second.request.questionnaire.questions[0].prefill.is_some());
    // The submitted round is at the desk, so the same program continues from there.
    lost.abort();
    assert!(lost.await.unwrap_err().is_cancelled());
    let returned = (fixture.begin)(1);
    assert_eq!(fixture.calls.recv().await.unwrap(), "Submit Ada");
    fixture.submit(&second, &json!({ "name": "Ada" }));
    assert_eq!(returned.await.unwrap(), json!({ "hello": "Ada" }));
    for id in [first.id, second.id] {
        let ask = fixture.desk.get(id).unwrap();
        assert!(matches!(ask.outcome(), Some(Outcome::Answered { .. })) && ask.is_delivered());
    }
}
