//! Resources that the suite reads.

use crate::contents::{image_resource, text_resource};
use rmcp::ErrorData;
use serde_json::{Value, json};

pub(crate) fn list() -> Value {
    let entry = |uri: &str, name: &str, media: &str| json!({ "uri": uri, "name": name, "description": name, "mimeType": media });
    json!({ "resources": [
        entry("test://static-text", "A text", "text/plain"),
        entry("test://static-binary", "A picture", "image/png"),
        entry("test://watched-resource", "A text to subscribe to", "text/plain"),
    ] })
}

pub(crate) fn list_templates() -> Value {
    json!({ "resourceTemplates": [{
        "uriTemplate": "test://template/{id}/data", "name": "A text about an id", "description": "A text about an id",
        "mimeType": "application/json",
    }] })
}

/// Reads a resource.
///
/// # Errors
/// Fails if there is none with this address.
pub(crate) fn read(uri: &str) -> Result<Value, ErrorData> {
    let content = match uri {
        "test://static-text" => {
            text_resource(uri, "text/plain", "This is the content of the static text resource.")
        }
        "test://watched-resource" => text_resource(uri, "text/plain", "This text never changes."),
        "test://static-binary" => image_resource(uri),
        uri => {
            let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
            let missing = || ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })));
            let id = id.ok_or_else(missing)?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            text_resource(uri, "application/json", &data.to_string())
        }
    };
    Ok(json!({ "contents": [content] }))
}
