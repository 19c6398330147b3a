//! The request that every row asks: three questions of usual size.

use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{
    Actor, Ask, AskCommand, Asker, NewAsk, Person, Pick, QuestionId, Questionnaire, Reply, wire,
};
use std::sync::{Arc, OnceLock};

/// The request as text, in the `sayso` dialect.
pub(crate) const TEXT: &str = r#"{"sayso":1,"title":"Deploy plan for api-gateway","context":"The rollout needs a target and an approver before it can continue. Nothing has been changed yet.","questions":[{"id":"env","label":"Environment","prompt":"Which environment should I target first?","options":[{"id":"staging","label":"Staging","description":"No customers; on-call not needed"},{"id":"canary","label":"Canary","description":"Five percent of the traffic for 25 minutes"},{"id":"prod","label":"Production","description":"Everyone at once, after the freeze"}],"other":true},{"id":"window","label":"Window","prompt":"When should the rollout start?","options":[{"id":"now","label":"Now"},{"id":"tonight","label":"Tonight 22:00 UTC","description":"low traffic, on-call awake"},{"id":"tomorrow","label":"Tomorrow 09:00 UTC"}],"multi":true},{"id":"notes","label":"Notes","prompt":"Anything the release notes must mention?","long":true,"required":false}]}"#;

/// A new ask; the number makes its content its own.
pub(crate) fn new_ask(number: usize) -> anyhow::Result<NewAsk> {
    // Read once: what is measured begins with the questionnaire at hand.
    static READ: OnceLock<Arc<Questionnaire>> = OnceLock::new();
    if READ.get().is_none() {
        let _ = READ.set(Arc::new(wire::json::read(TEXT)?));
    }
    let questionnaire = READ.get().cloned().unwrap_or_default();
    let asker = Asker {
        name: format!("bench-{number}"),
        folder: Some("/srv/api".to_owned()),
        session: None,
        account: None,
    };
    Ok(NewAsk::new(questionnaire, "sayso", asker))
}

/// A person.
pub(crate) fn person() -> Actor {
    Actor::Person(Person {
        name: "ana".to_owned(),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    })
}

/// The answer to it.
pub(crate) fn submit(ask: &Ask) -> AskCommand {
    let pick = |id: &str| Reply::from_picks([Pick::Option(sayso_core::OptionId::new(id))]);
    let replies =
        [("env", pick("canary")), ("window", pick("tonight")), ("notes", Reply::from_text("drop v1"))];
    let replies = replies.into_iter().map(|(id, reply)| (QuestionId::new(id), reply)).collect();
    AskCommand::Submit { replies, as_sent: None, shown: ask.request.digest.into() }
}
