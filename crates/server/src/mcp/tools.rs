//! The tools there are.

use super::{schema, words};
use rmcp::model::{JsonObject, MetaObject, Tool as Entry, ToolAnnotations};
use serde_json::json;
use std::sync::Arc;

/// Which tools are offered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// Asking with questionnaires of every kind, and what belongs to it.
    #[default]
    Ask,
}

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Ask,
    Wait,
    List,
    Cancel,
}

impl ToolSet {
    /// Its tools, in the order listed.
    pub(super) const fn tools(self) -> &'static [Tool] {
        match self {
            Self::Ask => &[Tool::Ask, Tool::Wait, Tool::List, Tool::Cancel],
        }
    }

    /// The tool of this name.
    pub(super) fn named(self, name: &str) -> Option<Tool> {
        self.tools().iter().copied().find(|tool| tool.name() == name)
    }
}

impl Tool {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Wait => "wait_for_answer",
            Self::List => "list_asks",
            Self::Cancel => "cancel_ask",
        }
    }

    /// How it is listed.
    pub(super) fn entry(self) -> Entry {
        let (title, description, input, output) = match self {
            Self::Ask => ("Ask a person", words::ASK, schema::ask(), schema::result()),
            Self::Wait => ("Wait for a person's answer", words::WAIT, schema::wait(), schema::result()),
            Self::List => ("List your questions", words::LIST, schema::list(), schema::listed()),
            Self::Cancel => ("Take a question back", words::CANCEL, schema::cancel(), schema::result()),
        };
        let hints = ToolAnnotations::new()
            .read_only(self == Self::List)
            .destructive(self == Self::Cancel)
            .idempotent(true)
            // The desk and its person are all there is. Some hosts let nothing ask that reaches out into the world.
            .open_world(false);
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
        for tool in [Tool::Ask, Tool::Wait, Tool::List] {
            let hints = tool.entry().annotations.unwrap();
            assert_eq!([hints.open_world_hint, hints.destructive_hint], [Some(false); 2], "{tool:?}");
        }
    }

    #[test]
    fn no_host_cuts_what_a_model_reads() {
        assert!(words::INSTRUCTIONS.chars().count() <= 2_000);
        for tool in ToolSet::Ask.tools() {
            let entry = tool.entry();
            let length = entry.description.as_deref().unwrap_or_default().chars().count();
            assert!((1..=2_000).contains(&length), "{}: {length}", entry.name);
        }
    }
}
