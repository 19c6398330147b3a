//! Representation of an ask for a model: one object with everything in it, the same in every form that a host passes
//! on.

use sayso_core::ask::{Attention, Phase};
use sayso_core::who::Assurance;
use sayso_core::{
    Answer, Ask, AskId, Choice, Kind, Lang, OptionId, Outcome, Pick, Question, Receipt, Reply, Said, words,
};
use serde_json::{Map, Value, json};

/// Delivery form of the results.
pub(super) const FORM: &str = "mcp";

/// Returns an ask in its present state. For a settled ask the result never changes.
pub(super) fn of(ask: &Ask) -> Map<String, Value> {
    let mut result = Map::new();
    let mut say = |name: &str, value: Value| {
        if !value.is_null() {
            result.insert(name.to_owned(), value);
        }
    };
    say("status", json!(status(ask)));
    say("ask_id", json!(ask.id));
    say("title", json!(ask.request.questionnaire.name()));
    match &ask.state.phase {
        Phase::Open { .. } | Phase::Submitted { .. } => {
            say("means", json!("Nobody has answered yet. Silence is no answer and no consent."));
            say("asked_at", json!(ask.request.created_at));
            say("expires_at", json!(ask.state.deadline));
            say("seen", json!(ask.state.attention == Attention::Seen));
            say("answer_with", json!(format!("sayso answer {}", ask.id.handle())));
        }
        Phase::Settled(outcome) => settled(ask, outcome, &mut say),
    }
    say("next_step", json!(next_step(ask)));
    result
}

/// Returns the bytes of a settled ask that the desk stores.
pub(super) fn bytes(ask: &Ask) -> Vec<u8> {
    Value::Object(of(ask)).to_string().into_bytes()
}

/// Returns the status in one word.
pub(super) fn status(ask: &Ask) -> &'static str {
    ask.outcome().map_or("pending", Outcome::kind)
}

fn settled(ask: &Ask, outcome: &Outcome, say: &mut impl FnMut(&str, Value)) {
    match outcome {
        Outcome::Answered { replies, receipt, .. } => {
            say("means", json!(who_answered(receipt)));
            let questions = &ask.request.questionnaire.questions;
            let stands = |question: &Question| replies.get(&question.id).cloned().unwrap_or_default();
            let answers: Vec<_> = questions.iter().map(|it| entry(it, &stands(it))).collect();
            let is_missing =
                |question: &&Question| matches!(stands(question).said, Said::Nothing | Said::Skipped);
            let missing: Vec<_> = questions.iter().filter(is_missing).map(|it| it.id.as_str()).collect();
            say("answers", json!(answers));
            say("missing", json!(missing));
            say("answered_by", by(receipt));
            say("asked_at", json!(ask.request.created_at));
            say("answered_at", json!(receipt.at));
        }
        Outcome::Declined { reason, receipt } => {
            let means = "said no. This is not an answer and not consent: do not do what you asked about, and do not \
                choose for them.";
            say("means", json!(format!("{} {means}", receipt.by)));
            say("reason", json!(reason));
            say("declined_by", by(receipt));
            say("asked_at", json!(ask.request.created_at));
            say("declined_at", json!(receipt.at));
        }
        Outcome::Expired { at } => {
            say("means", json!("Nobody answered before the deadline. Silence is no answer and no consent."));
            say("asked_at", json!(ask.request.created_at));
            say("expired_at", json!(at));
        }
        Outcome::Cancelled { at } => {
            say("means", json!("The asker took the question back. Nobody answered it."));
            say("asked_at", json!(ask.request.created_at));
            say("cancelled_at", json!(at));
        }
    }
}

fn who_answered(receipt: &Receipt) -> String {
    if receipt.assurance == Assurance::Scripted {
        return format!("Answered: a program answered in the name of {}.", receipt.by);
    }
    format!("Answered: {} chose and wrote this.", receipt.by)
}

fn by(receipt: &Receipt) -> Value {
    json!({ "name": receipt.by, "surface": receipt.surface, "assurance": receipt.assurance })
}

fn entry(question: &Question, reply: &Reply) -> Value {
    let mut entry = Map::new();
    entry.insert("id".to_owned(), json!(question.id));
    entry.insert("prompt".to_owned(), json!(question.prompt));
    let state = match &reply.said {
        Said::Answer(_) => "answered",
        Said::Skipped => "skipped",
        Said::Nothing => "unanswered",
        Said::NotAsked { .. } => "not_asked",
    };
    entry.insert("state".to_owned(), json!(state));
    if let Said::Answer(answer) = &reply.said {
        let labels: Vec<_> = match answer {
            Answer::Picks(picks) => picks.iter().map(|pick| words::pick(question, pick).to_owned()).collect(),
            _ => vec![words::answer(question, answer, Lang::En).into_owned()],
        };
        entry.insert("labels".to_owned(), json!(labels));
        entry.insert("value".to_owned(), value(question, answer));
        if let Answer::Picks(picks) = answer
            && let Some(typed) = picks.iter().find_map(Pick::own)
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

/// Returns the answer as data: one value for a single choice, a list for a multiple choice.
fn value(question: &Question, answer: &Answer) -> Value {
    match (answer, &question.kind) {
        (Answer::Picks(picks), Kind::Choice(choice)) => {
            let sent = |pick: &Pick| match pick {
                Pick::Other(text) => json!(text),
                Pick::Option(id) => json!(sent_for(choice, id)),
            };
            let mut sent: Vec<_> = picks.iter().map(sent).collect();
            if choice.multi || sent.len() != 1 { json!(sent) } else { sent.pop().unwrap_or_default() }
        }
        (Answer::Picks(picks), _) => json!(picks),
        (Answer::Text(text), _) => json!(text),
        (Answer::Confirm(confirmed), _) => json!(confirmed),
        (Answer::Rating(step), _) => json!(step),
        (Answer::Number(number), _) => json!(number),
        (Answer::Date(date), _) => json!(date),
        (Answer::Time(time), _) => json!(time),
        (Answer::Datetime(moment), _) => json!(moment),
    }
}

/// Returns the value of an option: the one that the asker gave it, or else its label.
fn sent_for<'c>(choice: &'c Choice, id: &'c OptionId) -> &'c str {
    let Some(at) = choice.options.iter().position(|option| option.id == *id) else { return id.as_str() };
    let Some(option) = choice.options.get(at) else { return id.as_str() };
    let is_numbered = id.as_str() == format!("o{}", at + 1);
    if is_numbered && option.value.is_none() { &option.label } else { option.sent() }
}

fn next_step(ask: &Ask) -> String {
    let id = ask.id;
    let confirm = format!(
        "In your next sayso call pass received: [\"{id}\"]; until then this is given again, also when you ask the same again."
    );
    match ask.outcome() {
        None => pending(id),
        Some(Outcome::Answered { .. }) => format!("Go on with these answers. {confirm}"),
        Some(Outcome::Declined { .. }) => format!("Stop what you asked about, and say so. {confirm}"),
        Some(Outcome::Expired { .. }) => {
            format!("Do not go on as if it had been answered. Ask anew only if it still matters. {confirm}")
        }
        Some(Outcome::Cancelled { .. }) => "Nothing more is to be done about it.".to_owned(),
    }
}

fn pending(id: AskId) -> String {
    format!(
        "Call wait_for_answer with ask_id \"{id}\", now or after other work. Do not ask again in other words, and do not go \
         on as if it had been answered."
    )
}
