//! Tool `answer_form`, for the page of an ask in a conversation: reads the ask, keeps its draft, and answers it.
//!
//! **Invariant:** it needs a proof that only the page is given, never the model. What comes so is recorded as
//! `embedded`: the host could fill in the page by itself.

use crate::diagnostics::{log_failure, record_ask};
use crate::mcp::McpConfig;
use crate::mcp::descriptions;
use crate::mcp::desk_client::DeskClient;
use crate::mcp::elicitation::response::HUMAN_REPLY_MIN;
use crate::mcp::elicitation::seal::{FormRound, StateSeal};
use crate::mcp::error::CallError;
use crate::mcp::resources::apps::{ANSWER_FORM, meta_object};
use crate::mcp::result::{self, JsonMap, add_changes, set, structured_result};
use crate::mcp::server::McpServer;
use crate::notify::change_notifier::ChangeNotifier;
use rmcp::model::{CallToolResponse, CallToolResult, Tool, ToolAnnotations};
use sayso_core::i18n::own;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::outcome::{SeenLines, ShownView};
use sayso_core::{
    Actor, Ask, AskAccess, AskCommand, Audience, ConsentQuestions, Digest, Lang, Message, Person, Problem,
    ProblemCode, Replies, wire,
};
use sayso_desk::{Draft, DraftRev};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Member of a result's metadata that only the page reads.
const FORM: &str = "sayso/form";
/// Number of the round in a proof. Those of a host's own forms begin at 1.
const PROOF: u64 = 0;

/// Arguments. If they have neither replies nor a draft nor a refusal, the ask is only read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilledForm {
    proof: String,
    lang: Option<String>,
    /// Digest of what the person was shown.
    shown: Option<Digest>,
    /// Revision of the draft that the person was shown.
    draft_rev: Option<u64>,
    /// Lines that were drawn of what is approved.
    seen: Option<SeenLines>,
    replies: Option<Replies>,
    /// Replies that were changed and are not to be sent yet.
    draft: Option<Replies>,
    decline: Option<Refusal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    reason: Option<String>,
}

/// Returns the tool's entry in the list.
pub(crate) fn tool_entry(hints: ToolAnnotations) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "proof": { "type": "string" },
            "lang": { "type": "string" },
            "shown": { "type": "string" },
            "draft_rev": { "type": "integer" },
            "seen": { "type": "object" },
            "replies": { "type": "object" },
            "draft": { "type": "object" },
            "decline": { "type": "object" }
        },
        "required": ["proof"]
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(ANSWER_FORM, descriptions::ANSWER_FORM, Arc::new(schema))
        .with_title("Answer form")
        .with_annotations(hints)
}

/// Returns the result of `ask` for a host that shows the page.
///
/// # Errors
/// Fails if the runtime is shutting down.
pub(crate) async fn show_in_page(
    server: &McpServer,
    ask: Ask,
    changes: &[String],
) -> Result<CallToolResponse, CallError> {
    let desk_call = server
        .desk_client
        .run(move |client| Ok::<_, CallError>((client.describe(&ask), PageDesk::new(client).proof(&ask))));
    let (mut description, proof) = desk_call.await?;
    add_changes(&mut description, changes);
    let mut result = CallToolResult::structured(Value::Object(description));
    if let Some(proof) = proof {
        result.meta = Some(meta_object(FORM, json!({ "proof": proof })));
    }
    Ok(result.into())
}

/// Reads or answers an ask for its page.
///
/// # Errors
/// Fails if the proof is not valid, or the desk fails.
pub(crate) async fn answer_form(
    server: &McpServer,
    arguments: JsonMap,
) -> Result<CallToolResponse, CallError> {
    let Ok(form) = serde_json::from_value::<FilledForm>(Value::Object(arguments)) else {
        return Err(CallError::NotFound(descriptions::FORM_UNREADABLE, Vec::new()));
    };
    let desk_call = server.desk_client.run(move |client| PageDesk::new(client).take_form(form));
    Ok(structured_result(desk_call.await?))
}

fn stale_form() -> CallError {
    CallError::NotFound(descriptions::FORM_STALE, Vec::new())
}

/// Returns whether some of these replies are to questions that take consent.
fn gives_consent(ask: &Ask, replies: &Replies) -> bool {
    let questionnaire = &ask.request.questionnaire;
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    questionnaire.questions.iter().any(|it| consent.includes(it) && replies.contains_key(&it.id))
}

/// Desk, as the page of an ask in a conversation reaches it.
struct PageDesk<'c> {
    setup: &'c McpConfig,
    /// Seal of proofs, if one can be created.
    seal: Option<&'c StateSeal>,
    notifier: &'c ChangeNotifier,
}

impl<'c> PageDesk<'c> {
    fn new(client: &'c DeskClient) -> Self {
        Self { setup: &client.setup, seal: client.seal(), notifier: &client.notifier }
    }

    /// Returns a proof that the page of an ask is shown now; `None` if the server has no seal.
    fn proof(&self, ask: &Ask) -> Option<String> {
        let round = FormRound { ask: ask.id, requested_at_ms: self.setup.now_ms(), number: PROOF };
        Some(self.seal?.seal(round))
    }

    /// Returns the round that a proof names, unless it is of a form of a host.
    fn open_proof(&self, proof: &str) -> Option<FormRound> {
        let round = self.seal?.open(proof)?;
        if round.number == PROOF { Some(round) } else { None }
    }

    /// Applies a filled form, and returns what the page shows then.
    ///
    /// # Errors
    /// Fails if the proof is not valid, or the desk can't be read.
    fn take_form(&self, form: FilledForm) -> Result<JsonMap, CallError> {
        let Some(round) = self.open_proof(&form.proof) else { return Err(stale_form()) };
        let ask = self.setup.desk.get(round.ask)?;
        if let Some(account) = &self.setup.account
            && ask.request.asker.account.as_ref() != Some(&account.name)
        {
            return Err(stale_form());
        }
        record_ask(ask.id);
        let lang = form.lang.as_deref().and_then(Lang::from_code).unwrap_or_default();
        let digest = form.shown.unwrap_or(ask.request.digest);
        let elapsed = round.elapsed(self.setup.now_ms());
        let command = match (form.replies, form.decline, form.draft) {
            (Some(replies), _, _) => {
                let shown = ShownView { digest, draft_rev: form.draft_rev, seen: form.seen };
                AskCommand::Submit { replies, as_sent: None, shown }
            }
            (None, Some(Refusal { reason }), _) => AskCommand::Decline { reason, shown: digest },
            (None, None, Some(draft)) => {
                let problem = self.save_embedded(&ask, draft, elapsed).err();
                return Ok(self.view(&ask, problem.as_slice(), lang));
            }
            (None, None, None) => {
                self.see(&ask);
                return Ok(self.view(&ask, &[], lang));
            }
        };
        let is_awaited = self.notifier.is_awaited(ask.id);
        match self.answer_embedded(&ask, command, elapsed) {
            Ok(ask) => {
                let mut view = self.view(&ask, &[], lang);
                // A call that waits brings the answer by itself.
                if !is_awaited {
                    set(&mut view, "tell", json!(descriptions::form_answered(&ask)));
                }
                Ok(view)
            }
            Err(problem) => {
                let current = self.setup.desk.get(ask.id)?;
                if current.outcome().is_some() {
                    return Ok(self.view(&current, &[], lang));
                }
                let problems = if problem.causes.is_empty() { vec![problem] } else { problem.causes };
                Ok(self.view(&current, &problems, lang))
            }
        }
    }

    /// Records that a person has the ask in view, as far as the page is believed.
    fn see(&self, ask: &Ask) {
        let is_believed = self.setup.account.is_none() || self.may_answer_in_page(ask);
        if is_believed && ask.outcome().is_none() {
            let who = Actor::Person(self.embedded_person(AssuranceLevel::Embedded));
            log_failure("see", self.setup.desk.act(&who, ask.id, None, AskCommand::MarkSeen));
        }
    }

    /// Answers or declines as the person in front of the page.
    ///
    /// # Errors
    /// Fails if it is not to be answered there, no person can have been so quick, or the desk refuses it.
    fn answer_embedded(&self, ask: &Ask, command: AskCommand, elapsed: Duration) -> Result<Ask, Problem> {
        let who = Actor::Person(self.person_after(ask, elapsed, self.may_answer_in_page(ask))?);
        self.setup.desk.act(&who, ask.id, None, command)
    }

    /// Saves what the person in front of the page has changed.
    ///
    /// # Errors
    /// Fails if it is not to be answered there, no person can have been so quick, or the desk refuses it.
    fn save_embedded(&self, ask: &Ask, changed: Replies, elapsed: Duration) -> Result<(), Problem> {
        let is_draft = self.may_draft_in_page(ask) && !gives_consent(ask, &changed);
        let who = self.person_after(ask, elapsed, is_draft || self.may_answer_in_page(ask))?;
        let any_base = DraftRev(u64::MAX);
        self.setup.desk.save(&who, ask.id, any_base, changed.into_iter().collect()).map(drop)
    }

    /// Returns the person who uses the page so long after it was shown.
    ///
    /// # Errors
    /// Fails if they are not allowed to there, or no person can have been so quick.
    fn person_after(&self, ask: &Ask, elapsed: Duration, is_allowed: bool) -> Result<Person, Problem> {
        if !is_allowed {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::EmbeddedConsent)
                .with_hint(Message::EmbeddedConsentHint.with([own(ask.id)])));
        }
        let is_quick = elapsed < HUMAN_REPLY_MIN;
        if is_quick && !self.setup.allows_scripts {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::AnsweredTooSoon));
        }
        let assurance = if is_quick { AssuranceLevel::Scripted } else { AssuranceLevel::Embedded };
        Ok(self.embedded_person(assurance))
    }

    /// Returns the person in front of the page: the user of this machine, or whoever the account on the network says.
    fn embedded_person(&self, assurance: AssuranceLevel) -> Person {
        let (name, access) = match &self.setup.account {
            Some(account) => (account.name.clone(), None),
            None => (self.setup.user.clone(), Some(AskAccess::DeskFile)),
        };
        Person { name, surface: Surface::Element, assurance, access }
    }

    /// Returns whether the page may answer an ask. On this machine it gives no consent; on the network it answers
    /// nothing unless an operator trusts the asker's pages, since its host has no more than the asker's token. That
    /// proves no one to be in an audience that the ask names.
    fn may_answer_in_page(&self, ask: &Ask) -> bool {
        match &self.setup.account {
            Some(account) => {
                let audience = ask.request.audience.as_ref();
                account.has_embedded_consent && audience.is_none_or(Audience::is_members)
            }
            None => !ask.request.questionnaire.asks_consent(),
        }
    }

    /// Returns whether the page of a request for consent may keep the answers to its other questions, for the desk: on
    /// this machine, where its host could read the draft anyway.
    fn may_draft_in_page(&self, ask: &Ask) -> bool {
        let questionnaire = &ask.request.questionnaire;
        let consent = ConsentQuestions::for_questionnaire(questionnaire);
        self.setup.account.is_none() && questionnaire.questions.iter().any(|it| !consent.includes(it))
    }

    /// Returns what the page shows of an ask.
    fn view(&self, ask: &Ask, problems: &[Problem], lang: Lang) -> JsonMap {
        let mut view = JsonMap::new();
        set(&mut view, "ask_id", json!(ask.id));
        set(&mut view, "status", json!(result::status_name(ask)));
        set(&mut view, "questionnaire", json!(*ask.request.questionnaire));
        set(&mut view, "shown", json!(ask.request.digest));
        set(&mut view, "proof", json!(self.proof(ask)));
        let may_answer = self.may_answer_in_page(ask);
        set(&mut view, "may_answer", json!(may_answer));
        set(&mut view, "may_draft", json!(self.may_draft_in_page(ask)));
        if let Some(draft) = self.draft_in_page(ask) {
            set(&mut view, "draft_rev", json!(draft.rev.0));
            // The element takes no consent from it, and keeps a yes that was just pressed there.
            let replies: Replies = if may_answer {
                draft.into_typed_replies().collect()
            } else {
                draft.into_shared_replies(&ask.request.questionnaire)
            };
            set(&mut view, "draft", json!(replies));
        }
        set(&mut view, "page", json!(self.page_address(ask)));
        set(&mut view, "command", json!(format!("sayso answer {}", ask.id.short_id())));
        if let Some(outcome) = ask.outcome() {
            let document = wire::outcome::write(ask.id, &ask.request.questionnaire, outcome);
            set(&mut view, "outcome", serde_json::from_str(&document).unwrap_or_default());
        }
        let problems: Vec<_> = problems.iter().map(|it| wire::problem::members(it, lang)).collect();
        set(&mut view, "problems", json!(problems));
        view
    }

    /// Returns what people have typed so far, if the page may add to it: else its host has no right to read it.
    fn draft_in_page(&self, ask: &Ask) -> Option<Draft> {
        let may_read = self.may_answer_in_page(ask) || self.may_draft_in_page(ask);
        if ask.outcome().is_some() || !may_read {
            return None;
        }
        self.setup.desk.draft(ask.id).ok()
    }

    /// Returns the address of an ask at its desk, if a server shows the desk's pages.
    fn page_address(&self, ask: &Ask) -> Option<String> {
        let url = match &self.setup.account {
            Some(account) => account.public_url.clone(),
            None => (self.setup.page_address)()?,
        };
        Some(format!("{url}/a/{}", ask.id))
    }
}
