//! The tools there are.

use super::auq::entry as listed;
use super::{ask_user, schema, words};
use rmcp::model::{JsonObject, MetaObject, Tool as Entry, ToolAnnotations};
use sayso_dialects::auq::{self, AuqLimits, Compat};
use sayso_dialects::interrupt::ASK_USER;
use serde_json::json;
use std::sync::Arc;

/// Which tools are offered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// Asking with questionnaires of every kind, and what belongs to it.
    #[default]
    Ask,
    /// Those of AUQ, for agents that know them by name.
    Auq,
    /// `ask_user` of the interrupt format, for agents that know it by name.
    AskUser,
    /// All of them.
    All,
}

/// A tool.
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
    /// Whether `ask` and what belongs to it are among its tools.
    pub(super) const fn has_ours(self) -> bool {
        matches!(self, Self::Ask | Self::All)
    }

    /// Its tools, in the order listed. Only AUQ's later generation fetches answers with a tool of its own.
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

    /// The tool of this name.
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

    /// How it is listed.
    pub(super) fn entry(self, limits: &AuqLimits) -> Entry {
        let hints = ToolAnnotations::new()
            .read_only(self == Self::List)
            .destructive(self == Self::Cancel)
            .idempotent(true)
            // The desk and its person are all there is. Some hosts let nothing ask that reaches out into the world.
            .open_world(false);
        let (title, description, input, output) = match self {
            Self::Ask => ("Ask a person", words::ASK, schema::ask().as_ref().clone(), schema::result()),
            Self::Wait => ("Wait for a person's answer", words::WAIT, schema::wait(), schema::result()),
            Self::List => ("List your questions", words::LIST, schema::list(), schema::listed()),
            Self::Cancel => ("Take a question back", words::CANCEL, schema::cancel(), schema::result()),
            Self::AskUserQuestions => return listed(&auq::tool(limits)),
            Self::GetAnsweredQuestions => return listed(&auq::fetch_tool()),
            Self::AskUser => return ask_user::entry(hints),
        };
        let entry = Entry::new(self.name(), description, Arc::new(input))
            .with_title(title)
            .with_raw_output_schema(Arc::new(output))
            .with_annotations(hints);
        // Where tools are looked up when needed, these two must be at hand: the second is how nothing gets lost.
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
    fn no_host_has_a_reason_to_let_a_person_approve_that_they_are_asked() {
        for tool in [Tool::Ask, Tool::Wait, Tool::List, Tool::AskUser] {
            let hints = tool.entry(&AuqLimits::default()).annotations.unwrap();
            assert_eq!([hints.open_world_hint, hints.destructive_hint], [Some(false); 2], "{tool:?}");
        }
    }

    #[test]
    fn no_tool_promises_how_long_answers_are_kept_because_the_desk_decides() {
        for tool in OURS {
            let entry = tool.entry(&AuqLimits::default());
            assert!(!entry.description.as_deref().unwrap_or_default().contains(" days"), "{}", entry.name);
        }
    }

    #[test]
    fn no_host_cuts_what_a_model_reads() {
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
