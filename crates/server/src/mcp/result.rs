//! Representation of an ask for a model: one object with everything in it, the same in every form that a host passes
//! on.

use sayso_core::model::actor::AssuranceLevel;
use sayso_core::model::ask::{AskPhase, AttentionState};
use sayso_core::{
    Answer, Ask, AskId, Lang, Outcome, Pick, Question, Receipt, Reply, ReplyContent, i18n::answer_words,
};
use sayso_dialects::plain_answer::answer_value;
use serde_json::{Map, Value, json};

/// Delivery form of the results.
pub(super) const RESULT_FORM: &str = "mcp";

/// Returns an ask in its present state. For a settled ask the result never changes.
pub(super) fn from_ask(ask: &Ask) -> Map<String, Value> {
    let mut result = Map::new();
    let mut say = |name: &str, value: Value| {
        if !value.is_null() {
            result.insert(name.to_owned(), value);
        }
    };
    say("status", json!(status_name(ask)));
    say("ask_id", json!(ask.id));
    say("title", json!(ask.request.questionnaire.display_name()));
    match &ask.state.phase {
        AskPhase::Open { .. } | AskPhase::Submitted { .. } => {
            say("means", json!("No one has answered yet. Silence is no answer and no consent."));
            say("asked_at", json!(ask.request.created_at));
            say("expires_at", json!(ask.state.deadline));
            say("seen", json!(ask.state.attention == AttentionState::Seen));
            say("answer_with", json!(format!("sayso answer {}", ask.id.short_id())));
        }
        AskPhase::Settled(outcome) => add_outcome(ask, outcome, &mut say),
    }
    say("next_step", json!(next_step(ask)));
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

fn add_outcome(ask: &Ask, outcome: &Outcome, say: &mut impl FnMut(&str, Value)) {
    match outcome {
        Outcome::Answered { replies, receipt, .. } => {
            say("means", json!(answer_provenance(receipt)));
            let questions = &ask.request.questionnaire.questions;
            let reply_to = |question: &Question| replies.get(&question.id).cloned().unwrap_or_default();
            let answers: Vec<_> = questions.iter().map(|it| answer_entry(it, &reply_to(it))).collect();
            let is_missing = |question: &&Question| {
                matches!(reply_to(question).content, ReplyContent::Unanswered | ReplyContent::Skipped)
            };
            let missing: Vec<_> = questions.iter().filter(is_missing).map(|it| it.id.as_str()).collect();
            say("answers", json!(answers));
            say("missing", json!(missing));
            say("approved", json!(ask.request.questionnaire.approval(replies)));
            say("answered_by", receipt_value(receipt));
            say("asked_at", json!(ask.request.created_at));
            say("answered_at", json!(receipt.at));
        }
        Outcome::Declined { reason, receipt } => {
            let means = "said no. This is not an answer and not consent: do not do what you asked about, and do not \
                choose for them.";
            say("means", json!(format!("{} {means}", receipt.by)));
            say("reason", json!(reason));
            say("declined_by", receipt_value(receipt));
            say("asked_at", json!(ask.request.created_at));
            say("declined_at", json!(receipt.at));
        }
        Outcome::Expired { at } => {
            say("means", json!("No one answered before the deadline. Silence is no answer and no consent."));
            say("asked_at", json!(ask.request.created_at));
            say("expired_at", json!(at));
        }
        Outcome::Cancelled { at, .. } => {
            say("means", json!("The asker cancelled the question. No one answered it."));
            say("asked_at", json!(ask.request.created_at));
            say("cancelled_at", json!(at));
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
    let mut entry = Map::new();
    entry.insert("id".to_owned(), json!(question.id));
    entry.insert("prompt".to_owned(), json!(question.prompt));
    let state = match &reply.content {
        ReplyContent::Answered(_) => "answered",
        ReplyContent::Skipped => "skipped",
        ReplyContent::Unanswered => "unanswered",
        ReplyContent::NotAsked { .. } => "not_asked",
    };
    entry.insert("state".to_owned(), json!(state));
    if let ReplyContent::Answered(answer) = &reply.content {
        let labels: Vec<_> = match answer {
            Answer::Picks(picks) => {
                picks.iter().map(|pick| answer_words::describe_pick(question, pick).to_owned()).collect()
            }
            _ => vec![answer.describe(question, Lang::En).into_owned()],
        };
        entry.insert("labels".to_owned(), json!(labels));
        entry.insert("value".to_owned(), answer_value(question, answer));
        if let Answer::Picks(picks) = answer
            && let Some(typed) = picks.iter().find_map(Pick::other_text)
        {
            entry.insert("typed".to_owned(), json!(typed));
        }
    }
    if let Some(note) = &reply.note {
        entry.insert("note".to_owned(), json!(note));
    }
    if reply.pattern_not_checked {
        entry.insert("pattern_not_checked".to_owned(), json!(true));
    }
    Value::Object(entry)
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
