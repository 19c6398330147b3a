//! MCP Apps (SEP-1865): the element as a form in the conversation, for hosts that show such pages. The page is one file
//! without any request; it talks to its host alone, which calls our tool `answer_form` for it.

use crate::embedded::{embedded_file, inflate};
use rmcp::model::{ClientCapabilities, JsonObject, MetaObject, ReadResourceResult, ResourceContents, Tool};
use serde_json::{Value, json};

/// Name of the tool that the page calls.
pub(crate) const ANSWER_FORM: &str = "answer_form";
/// Extension by which a host says that it shows pages.
const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// Media type of a page.
const PAGE_TYPE: &str = "text/html;profile=mcp-app";
/// Address of the page.
pub(crate) const FORM_URI: &str = "ui://sayso/ask";
/// The page: the element, its style and its script in one file.
const PAGE: &[u8] = embedded_file!("web/dist/ask.html").gzip;

/// Returns whether a host shows pages.
pub(crate) fn has_pages(capabilities: &ClientCapabilities) -> bool {
    if let Some(extensions) = &capabilities.extensions
        && let Some(extension) = extensions.get(EXTENSION)
        && let Some(Value::Array(media_types)) = extension.get("mimeTypes")
    {
        return media_types.contains(&json!(PAGE_TYPE));
    }
    false
}

/// Returns the entry of a tool for such hosts: the page belongs to `ask`.
pub(crate) fn with_page(mut tool: Tool) -> Tool {
    let ui = match tool.name.as_ref() {
        "ask" => json!({ "resourceUri": FORM_URI }),
        // The page calls it, and no model sees it.
        ANSWER_FORM => json!({ "visibility": ["app"] }),
        _ => return tool,
    };
    tool.meta.get_or_insert_default().0.insert("ui".to_owned(), ui);
    tool
}

/// Returns the page. Its host is to let it make no request at all.
pub(crate) fn read() -> ReadResourceResult {
    let mut page =
        ResourceContents::text(String::from_utf8_lossy(&inflate(PAGE)), FORM_URI).with_mime_type(PAGE_TYPE);
    if let ResourceContents::TextResourceContents { meta, .. } = &mut page {
        *meta = Some(meta_object("ui", json!({ "csp": {}, "prefersBorder": true })));
    }
    ReadResourceResult::new(vec![page])
}

/// Returns metadata with one member.
pub(crate) fn meta_object(name: &str, value: Value) -> MetaObject {
    let mut meta = JsonObject::new();
    meta.insert(name.to_owned(), value);
    MetaObject(meta)
}
