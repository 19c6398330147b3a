//! Vectors of hosts' hooks: what each version of a host gives its hook, and what it reads back.
//!
//! These are no recordings (`recorded` has those). They are made by hand: the shapes are from notes about these versions, of which not all was
//! tried, and for OpenCode from the events that our plugin passes on. The values (ids, folders, questions) are our own.

mod recorded;

use crate::sample::{answered, declined, ended};
use sayso_core::wire::json;
use sayso_core::{ActionKind, Outcome};
use sayso_dialects::hook::{
    HookContext, HookEvent, HookHost, HookRequest, HookSession, read_permission_prompt,
    write_permission_result,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostVector {
    host: String,
    version: String,
    cases: Vec<HookCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HookCase {
    name: String,
    /// Text on the hook's standard input.
    #[serde(default)]
    input: Value,
    /// Arguments of the permission prompt tool, instead.
    tool: Option<Value>,
    /// Name of the event on the command line, if the input has none.
    named: Option<String>,
    event: String,
    /// Questions that a person sees.
    asks: Option<Vec<String>>,
    /// Act that a person allows.
    action: Option<ActionKind>,
    #[serde(default)]
    outcomes: Vec<OutcomeCase>,
}

#[derive(Deserialize)]
struct OutcomeCase {
    replies: Option<Value>,
    declined: Option<String>,
    ended: Option<String>,
    output: Option<Value>,
}

impl OutcomeCase {
    fn outcome(&self) -> Outcome {
        match (&self.replies, &self.ended) {
            (Some(replies), _) => answered(serde_json::from_value(replies.clone()).unwrap()),
            (None, Some(kind)) => ended(kind),
            (None, None) => declined(self.declined.as_deref()),
        }
    }
}

fn vectors() -> Vec<HostVector> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/hook");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    files.map(|file| serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()).collect()
}

/// Returns the request of the permission prompt tool.
fn prompted(arguments: &Value) -> HookRequest {
    let session = HookSession { id: "s".to_owned(), folder: Some("/srv".to_owned()), agent: None };
    read_permission_prompt(arguments.as_object().unwrap(), session, HookContext::WITHOUT_FILES).unwrap()
}

fn check_request(case: &HookCase, request: &HookRequest, host: HookHost, at: &str) {
    let questionnaire = &request.questionnaire;
    if let Some(asks) = &case.asks {
        let prompts: Vec<_> = questionnaire.questions.iter().map(|question| &question.prompt).collect();
        assert_eq!(prompts, asks.iter().collect::<Vec<_>>(), "{at}");
    }
    let act = questionnaire.action.as_ref().map(|action| &action.act);
    assert_eq!(act, case.action.as_ref(), "{at}");
    for outcome in &case.outcomes {
        let written = match case.tool {
            Some(_) => write_permission_result(request, &outcome.outcome()),
            None => host.write_answer(request, &outcome.outcome()),
        };
        let written: Option<Value> = written.map(|text| json::read(&text).unwrap());
        assert_eq!(written, outcome.output, "{at}");
    }
}

#[test]
fn hooks_of_hosts_are_answered() {
    let mut hosts = BTreeSet::new();
    for HostVector { host, version, cases } in vectors() {
        let known = HookHost::parse(&host).unwrap();
        for case in cases {
            let at = format!("{host} {version}: {}", case.name);
            let event = match &case.tool {
                Some(arguments) => HookEvent::Request(Box::new(prompted(arguments))),
                None => known
                    .read_event(&case.input.to_string(), case.named.as_deref(), HookContext::WITHOUT_FILES)
                    .unwrap(),
            };
            let name = match &event {
                HookEvent::Request(request) => {
                    check_request(&case, request, known, &at);
                    "request"
                }
                HookEvent::CallEnd(..) => "call_end",
                HookEvent::TurnEnd(_) => "turn_end",
                HookEvent::SessionEnd(_) => "session_end",
                HookEvent::Other => "other",
            };
            assert_eq!(name, case.event, "{at}");
        }
        hosts.insert(host);
    }
    assert_eq!(hosts.len(), HookHost::ALL.len(), "a host has no vectors");
}
