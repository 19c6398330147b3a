//! Reading with the places of the error and of unknown members.

use crate::limits;
use crate::model::document_path::DocumentPath;
use serde::de::{Deserialize, Deserializer};
use serde_path_to_error::Segment;

/// Reads a value, and records the places of the first unknown members, at most [`limits::PROBLEMS`].
pub(super) fn read_with_unknown<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
    unknown: &mut Vec<DocumentPath>,
) -> Result<T, D::Error> {
    serde_ignored::deserialize(reader, |path| {
        if unknown.len() < limits::PROBLEMS {
            unknown.push(unknown_place(&path));
        }
    })
}

/// Reads a value, and returns an error with its place.
pub(super) fn read_with_error_place<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<T, (DocumentPath, D::Error)> {
    serde_path_to_error::deserialize(reader).map_err(|error| (error_place(error.path()), error.into_inner()))
}

/// Returns the place of an unknown member. The names of the variants around it are not in the path.
fn unknown_place(path: &serde_ignored::Path<'_>) -> DocumentPath {
    use serde_ignored::Path;
    match path {
        Path::Root => DocumentPath::root(),
        Path::Seq { parent, index } => unknown_place(parent).join(*index),
        Path::Map { parent, key } => unknown_place(parent).join(key.as_str()),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            unknown_place(parent)
        }
    }
}

/// Returns the place of an error. In JSON a variant is the one member of an object.
fn error_place(path: &serde_path_to_error::Path) -> DocumentPath {
    let mut place = DocumentPath::root();
    for segment in path {
        match segment {
            Segment::Seq { index } => place = place.join(*index),
            Segment::Map { key } | Segment::Enum { variant: key } => place = place.join(key.as_str()),
            // A key that is no string, which JSON does not have.
            Segment::Unknown => {}
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use crate::limits;
    use crate::wire::json::{JsonSource, check_request_limits, read_reporting_unknown};
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct NestedPart {
        value: Value,
        inside: Option<Box<Self>>,
    }

    #[test]
    fn depth_includes_unknown_members() {
        for (open, close, unread) in
            [("{\"value\":[", "]}", 0), ("{\"inside\":{\"value\":[", "]}}", 0), ("{\"other\":[", "]}", 1)]
        {
            for depth in 0..limits::JSON_DEPTH + 5 {
                let text = format!("{open}{}{}{close}", "[".repeat(depth), "]".repeat(depth));
                let too_deep = check_request_limits(&text).err();
                let mut ignored = Vec::new();
                let read = read_reporting_unknown::<NestedPart>(JsonSource::Text(&text), &mut ignored);
                assert_eq!(ignored.len(), if too_deep.is_some() { 0 } else { unread }, "{text}");
                assert_eq!(read.err(), too_deep, "{text}");
            }
        }
    }
}
