//! Representation of an ask for a model: one object with everything in it, the same in every form that a host passes
//! on.

use rmcp::model::{CallToolResponse, CallToolResult};
use sayso_core::model::actor::AssuranceLevel;
use sayso_core::model::ask::{AskPhase, AttentionState};
use sayso_core::{
    Answer, Ask, AskId, Lang, Outcome, Pick, Question, Receipt, Reply, ReplyContent, form_note,
    i18n::answer_words,
};
use sayso_dialects::plain_answer::answer_value;
use serde_json::{Map, Value, json};

/// JSON object: arguments and results.
pub(super) type JsonMap = Map<String, Value>;

/// Delivery form of the results.
pub(super) const RESULT_FORM: &str = "mcp";

/// Adds a member to a result, unless its value is null.
pub(super) fn set(result: &mut JsonMap, name: &str, value: Value) {
    if !value.is_null() {
        result.insert(name.to_owned(), value);
    }
}

/// Adds the changes made to the arguments to a result.
pub(super) fn add_changes(result: &mut JsonMap, changes: &[String]) {
    if !changes.is_empty() {
        set(result, "changed", json!(changes));
    }
}

/// Returns a result in both forms, as some hosts pass on only one of them.
pub(super) fn structured_result(result: JsonMap) -> CallToolResponse {
    CallToolResult::structured(Value::Object(result)).into()
}

/// Returns an ask in its present state. For a settled ask the result never changes.
pub(super) fn from_ask(ask: &Ask) -> JsonMap {
    let mut result = JsonMap::new();
    set(&mut result, "status", json!(status_name(ask)));
    set(&mut result, "ask_id", json!(ask.id));
    set(&mut result, "title", json!(ask.request.questionnaire.display_name()));
    match &ask.state.phase {
        AskPhase::Open { .. } | AskPhase::Submitted { .. } => {
            let meaning = "No one has answered yet. Silence is no answer and no consent.";
            set(&mut result, "means", json!(meaning));
            set(&mut result, "asked_at", json!(ask.request.created_at));
            set(&mut result, "expires_at", json!(ask.state.deadline));
            set(&mut result, "seen", json!(ask.state.attention == AttentionState::Seen));
            set(&mut result, "answer_with", json!(format!("sayso answer {}", ask.id.short_id())));
        }
        AskPhase::Settled(outcome) => add_outcome(&mut result, ask, outcome),
    }
    set(&mut result, "next_step", json!(next_step(ask)));
    result
}

/// Returns the bytes of a settled ask that the desk stores.
pub(super) fn to_bytes(ask: &Ask) -> Vec<u8> {
    Value::Object(from_ask(ask)).to_string().into_bytes()
}

/// Returns the status in one word.
pub(super) fn status_name(ask: &Ask) -> &'static str {
    ask.outcome().map_or("pending", Outcome::kind)
}

fn add_outcome(result: &mut JsonMap, ask: &Ask, outcome: &Outcome) {
    let asked_at = json!(ask.request.created_at);
    match outcome {
        Outcome::Answered { replies, receipt, .. } => {
            let mut answers = Vec::new();
            let mut missing_ids = Vec::new();
            for question in &ask.request.questionnaire.questions {
                let reply = replies.get(&question.id).cloned().unwrap_or_default();
                answers.push(answer_entry(question, &reply));
                if matches!(reply.content, ReplyContent::Unanswered | ReplyContent::Skipped) {
                    missing_ids.push(question.id.as_str());
                }
            }
            set(result, "means", json!(answer_provenance(receipt)));
            set(result, "answers", json!(answers));
            set(result, "note", json!(form_note(replies)));
            set(result, "missing", json!(missing_ids));
            set(result, "approved", json!(ask.request.questionnaire.approval(replies)));
            set(result, "answered_by", receipt_value(receipt));
            set(result, "asked_at", asked_at);
            set(result, "answered_at", json!(receipt.at));
        }
        Outcome::Declined { reason, receipt } => {
            let meaning = "said no. This is not an answer and not consent: do not do what you asked about, and do not \
                choose for them.";
            set(result, "means", json!(format!("{} {meaning}", receipt.by)));
            set(result, "reason", json!(reason));
            set(result, "declined_by", receipt_value(receipt));
            set(result, "asked_at", asked_at);
            set(result, "declined_at", json!(receipt.at));
        }
        Outcome::Expired { at } => {
            let meaning = "No one answered before the deadline. Silence is no answer and no consent.";
            set(result, "means", json!(meaning));
            set(result, "asked_at", asked_at);
            set(result, "expired_at", json!(at));
        }
        Outcome::Cancelled { at, .. } => {
            set(result, "means", json!("The asker cancelled the question. No one answered it."));
            set(result, "asked_at", asked_at);
            set(result, "cancelled_at", json!(at));
        }
    }
}

fn answer_provenance(receipt: &Receipt) -> String {
    if receipt.assurance == AssuranceLevel::Scripted {
        return format!("Answered: a program answered in the name of {}.", receipt.by);
    }
    format!("Answered: {} chose and wrote this.", receipt.by)
}

fn receipt_value(receipt: &Receipt) -> Value {
    json!({ "name": receipt.by, "surface": receipt.surface, "assurance": receipt.assurance })
}

fn answer_entry(question: &Question, reply: &Reply) -> Value {
    let mut entry = JsonMap::new();
    set(&mut entry, "id", json!(question.id));
    set(&mut entry, "prompt", json!(question.prompt));
    let state = match &reply.content {
        ReplyContent::Answered(_) => "answered",
        ReplyContent::Skipped => "skipped",
        ReplyContent::Unanswered => "unanswered",
        ReplyContent::NotAsked { .. } => "not_asked",
    };
    set(&mut entry, "state", json!(state));
    if let ReplyContent::Answered(answer) = &reply.content {
        set(&mut entry, "labels", json!(answer_labels(question, answer)));
        set(&mut entry, "value", answer_value(question, answer));
        if let Answer::Picks(picks) = answer
            && let Some(text) = picks.iter().find_map(Pick::other_text)
        {
            set(&mut entry, "typed", json!(text));
        }
    }
    set(&mut entry, "note", json!(reply.note));
    if reply.pattern_not_checked {
        set(&mut entry, "pattern_not_checked", json!(true));
    }
    Value::Object(entry)
}

/// Returns an answer in words: one entry for each pick, or one for all.
fn answer_labels(question: &Question, answer: &Answer) -> Vec<String> {
    let Answer::Picks(picks) = answer else { return vec![answer.describe(question, Lang::En).into_owned()] };
    let mut labels = Vec::new();
    for pick in picks {
        labels.push(answer_words::describe_pick(question, pick).to_owned());
    }
    labels
}

fn next_step(ask: &Ask) -> String {
    let id = ask.id;
    let confirm = format!(
        "In your next sayso call pass received: [\"{id}\"]; until then this is given again, also when you ask the same again."
    );
    match ask.outcome() {
        None => pending_step(id),
        Some(Outcome::Answered { replies, receipt, .. }) => {
            let is_scripted = receipt.assurance == AssuranceLevel::Scripted;
            match ask.request.questionnaire.approval(replies) {
                Some(false) => format!("They did not approve: do not do it, and say so. {confirm}"),
                _ if is_scripted => format!("A program gave these answers, and no person did. {confirm}"),
                _ if replies.values().all(is_plain) => format!("Go on with these answers. {confirm}"),
                _ => format!(
                    "Read the answers: they may ask for changes, or that you do not go on. Do what they say. {confirm}"
                ),
            }
        }
        Some(Outcome::Declined { .. }) => format!("Stop what you asked about, and say so. {confirm}"),
        Some(Outcome::Expired { .. }) => {
            format!("Do not go on as if it had been answered. Ask anew only if it still matters. {confirm}")
        }
        Some(Outcome::Cancelled { .. }) => "Nothing more is to be done about it.".to_owned(),
    }
}

/// Returns true if a reply can only mean that the agent may go on: it has no words of the person, and is no "no".
fn is_plain(reply: &Reply) -> bool {
    let is_plain = match reply.answer() {
        Some(Answer::Picks(picks)) => picks.iter().all(|pick| pick.other_text().is_none()),
        Some(Answer::Text(_) | Answer::Confirm(false)) => false,
        _ => true,
    };
    is_plain && reply.note.is_none()
}

fn pending_step(id: AskId) -> String {
    format!(
        "Call wait_for_answer with ask_id \"{id}\", now or after other work. Do not ask again in other words, and do not go \
         on as if it had been answered."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::OptionId;

    #[test]
    fn words_and_refusals_are_not_plain() {
        let note = |reply: Reply| Reply { note: Some("not before lunch".to_owned()), ..reply };
        let picked = || Reply::from_picks([Pick::Option(OptionId::from("a"))]);
        assert!(is_plain(&picked()) && is_plain(&Reply::from_answer(Answer::Confirm(true))));
        for reply in [
            note(picked()),
            Reply::from_picks([Pick::Other("neither".to_owned())]),
            Reply::from_answer(Answer::Text("stop".to_owned())),
            Reply::from_answer(Answer::Confirm(false)),
        ] {
            assert!(!is_plain(&reply), "{reply:?}");
        }
    }
}
