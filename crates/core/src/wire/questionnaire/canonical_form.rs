//! The canonical form of a questionnaire: the JSON of which people are shown the digest.

use crate::model::digest::Digest;
use crate::model::questionnaire::Questionnaire;
use crate::wire::json;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The canonical form of a questionnaire.
#[derive(Debug, Clone)]
pub struct CanonicalForm {
    /// The JSON.
    pub json: Arc<RawValue>,
    /// Its digest.
    pub digest: Digest,
}

impl Questionnaire {
    /// Returns the digest of its canonical form, which is exactly what people are shown.
    pub fn digest(&self) -> Digest {
        self.canonical().digest
    }

    /// Returns its canonical form and the digest of that. Both are costly: cache them if needed more than once.
    pub fn canonical(&self) -> CanonicalForm {
        let json: Arc<RawValue> = json::write_raw(self).into();
        CanonicalForm { digest: Digest::compute(json.get().as_bytes()), json }
    }
}
