//! Content that the suite expects, word for word or by its kind.

use rmcp::ErrorData;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A PNG of one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// A WAV without a sample.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Reads a value of the protocol.
///
/// # Errors
/// Fails if it has another shape.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// Reads the result of a request. Versions with sessions are sent no type.
///
/// # Errors
/// Fails if it has another shape.
pub(crate) fn result<T: DeserializeOwned>(mut members: Value) -> Result<T, ErrorData> {
    if let Value::Object(members) = &mut members {
        members.insert("resultType".to_owned(), json!("complete"));
    }
    read(members)
}

pub(crate) fn text(words: &str) -> Value {
    json!({ "type": "text", "text": words })
}

pub(crate) fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

pub(crate) fn audio() -> Value {
    json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" })
}

pub(crate) fn resource(uri: &str, media: &str, words: &str) -> Value {
    json!({ "type": "resource", "resource": text_resource(uri, media, words) })
}

pub(crate) fn text_resource(uri: &str, media: &str, words: &str) -> Value {
    json!({ "uri": uri, "mimeType": media, "text": words })
}

pub(crate) fn image_resource(uri: &str) -> Value {
    json!({ "uri": uri, "mimeType": "image/png", "blob": PNG })
}
