//! The whole format of `ask` as a resource: the list of tools has its commonest members only.

use rmcp::model::{ReadResourceResult, Resource, ResourceContents};

/// Address of the resource.
pub(crate) const FORMAT_URI: &str = "sayso://format";
/// Guide to questionnaires.
const PAGE: &str = include_str!("../../../../../docs/questionnaires.md");
const MARKDOWN: &str = "text/markdown";

/// Returns the entry in the list of resources.
pub(crate) fn list_entry() -> Resource {
    Resource::new(FORMAT_URI, "format")
        .with_description(
            "Everything that ask accepts: kinds, constraints, conditions, follow-ups, sections, prefill.",
        )
        .with_mime_type(MARKDOWN)
}

/// Returns the guide to what `ask` accepts, as Markdown.
pub(crate) fn read() -> ReadResourceResult {
    ReadResourceResult::new(vec![ResourceContents::text(PAGE, FORMAT_URI).with_mime_type(MARKDOWN)])
}
