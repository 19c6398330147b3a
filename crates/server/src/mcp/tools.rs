//! List of the tools.

use super::auq::entry as auq_entry;
use super::{ask_user, schema, words};
use rmcp::model::{JsonObject, MetaObject, Tool as ToolEntry, ToolAnnotations};
use sayso_dialects::auq::{self, AuqLimits, Compat};
use sayso_dialects::interrupt::ASK_USER;
use serde_json::json;
use std::sync::Arc;

/// Set of tools to offer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// `ask`, for questionnaires of every kind, and the tools that belong to it.
    #[default]
    Ask,
    /// AUQ's tools, for agents that know them by name.
    Auq,
    /// `ask_user` of the interrupt format, for agents that know it by name.
    AskUser,
    /// All tools.
    All,
}

/// Tool of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Ask,
    Wait,
    List,
    Cancel,
    AskUserQuestions,
    GetAnsweredQuestions,
    AskUser,
}

const OURS: [Tool; 4] = [Tool::Ask, Tool::Wait, Tool::List, Tool::Cancel];

impl ToolSet {
    /// Returns whether the set has `ask` and the tools that belong to it.
    pub(super) const fn has_ours(self) -> bool {
        matches!(self, Self::Ask | Self::All)
    }

    /// Returns the tools in the order of the list. Only AUQ's later generation has a tool that fetches answers.
    pub(super) fn tools(self, compat: Compat) -> Vec<Tool> {
        let ours: &[Tool] = if self.has_ours() { &OURS } else { &[] };
        let auq: &[Tool] = match (self, compat) {
            (Self::Ask | Self::AskUser, _) => &[],
            (_, Compat::Spec) => &[Tool::AskUserQuestions],
            (_, Compat::V3_4) => &[Tool::AskUserQuestions, Tool::GetAnsweredQuestions],
        };
        let ask_user: &[Tool] =
            if matches!(self, Self::AskUser | Self::All) { &[Tool::AskUser] } else { &[] };
        [ours, auq, ask_user].concat()
    }

    /// Returns the tool with this name.
    pub(super) fn named(self, name: &str, compat: Compat) -> Option<Tool> {
        self.tools(compat).into_iter().find(|tool| tool.name() == name)
    }
}

impl Tool {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Wait => "wait_for_answer",
            Self::List => "list_asks",
            Self::Cancel => "cancel_ask",
            Self::AskUserQuestions => auq::TOOL,
            Self::GetAnsweredQuestions => auq::FETCH_TOOL,
            Self::AskUser => ASK_USER,
        }
    }

    /// Returns the tool's entry in the list.
    pub(super) fn entry(self, limits: &AuqLimits) -> ToolEntry {
        let hints = ToolAnnotations::new()
            .read_only(self == Self::List)
            .destructive(self == Self::Cancel)
            .idempotent(true)
            // The tools only reach the desk and its person. Some hosts forbid asking with tools that are open to the
            // world.
            .open_world(false);
        let (title, description, input, output) = match self {
            Self::Ask => ("Ask a person", words::ASK, schema::ask().as_ref().clone(), schema::result()),
            Self::Wait => ("Wait for a person's answer", words::WAIT, schema::wait(), schema::result()),
            Self::List => ("List your questions", words::LIST, schema::list(), schema::listed()),
            Self::Cancel => ("Take a question back", words::CANCEL, schema::cancel(), schema::result()),
            Self::AskUserQuestions => return auq_entry(&auq::tool(limits)),
            Self::GetAnsweredQuestions => return auq_entry(&auq::fetch_tool()),
            Self::AskUser => return ask_user::entry(hints),
        };
        let entry = ToolEntry::new(self.name(), description, Arc::new(input))
            .with_title(title)
            .with_raw_output_schema(Arc::new(output))
            .with_annotations(hints);
        // Hosts that search for tools on demand must always load these two: the second one recovers lost answers.
        if matches!(self, Self::Ask | Self::Wait) { entry.with_meta(at_hand()) } else { entry }
    }
}

fn at_hand() -> MetaObject {
    let mut meta = JsonObject::new();
    meta.insert("anthropic/alwaysLoad".to_owned(), json!(true));
    MetaObject(meta)
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    #[test]
    fn no_tool_asks_for_approval() {
        for tool in [Tool::Ask, Tool::Wait, Tool::List, Tool::AskUser] {
            let hints = tool.entry(&AuqLimits::default()).annotations.unwrap();
            assert_eq!([hints.open_world_hint, hints.destructive_hint], [Some(false); 2], "{tool:?}");
        }
    }

    #[test]
    fn descriptions_promise_no_retention_time() {
        for tool in OURS {
            let entry = tool.entry(&AuqLimits::default());
            assert!(!entry.description.as_deref().unwrap_or_default().contains(" days"), "{}", entry.name);
        }
    }

    #[test]
    fn instructions_fit_host_limit() {
        for compat in Compat::ALL {
            for set in [ToolSet::Ask, ToolSet::Auq, ToolSet::AskUser, ToolSet::All] {
                let length = words::instructions(set, compat).chars().count();
                assert!((1..=2_000).contains(&length), "{set:?} {compat:?}: {length}");
            }
            for tool in ToolSet::All.tools(compat) {
                let entry = tool.entry(&AuqLimits::of(compat));
                let length = entry.description.as_deref().unwrap_or_default().chars().count();
                assert!((1..=2_000).contains(&length), "{}: {length}", entry.name);
            }
        }
    }
}
