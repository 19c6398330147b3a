//! Wire types of a request as it is written.

use crate::questionnaire::constraints::QuestionnaireConstraintDocument;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The spec's `QuestionnaireParams`.
#[derive(Serialize)]
pub(super) struct QuestionnaireParamsDocument<'q> {
    pub(super) questions: Vec<QuestionnaireItemDocument<'q>>,
}

/// The spec's `Question` of any type.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuestionnaireItemDocument<'q> {
    pub(super) id: Cow<'q, str>,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) label: Cow<'q, str>,
    pub(super) prompt: &'q str,
    #[serde(flatten)]
    pub(super) details: QuestionnaireDetailsDocument<'q>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) constraints: Vec<QuestionnaireConstraintDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) show_if: Option<QuestionnaireShowIfDocument>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<QuestionnaireItemDocument<'q>>,
}

/// The spec's `showIf`.
#[derive(Serialize)]
pub(super) struct QuestionnaireShowIfDocument {
    pub(super) value: String,
}

/// Members that only some types of question have.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum QuestionnaireDetailsDocument<'q> {
    Choice {
        max_select: u32,
        options: Vec<QuestionnaireOptionDocument<'q>>,
    },
    Text {
        #[serde(skip_serializing_if = "Option::is_none")]
        placeholder: Option<&'q str>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        multiline: bool,
    },
    Confirm {
        #[serde(skip_serializing_if = "Option::is_none")]
        yes_label: Option<&'q str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        no_label: Option<&'q str>,
    },
    Rating {
        range: QuestionnaireRangeDocument,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        show_emoji: bool,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        annotations: &'q BTreeMap<i32, String>,
    },
}

/// The spec's `range` of a rating.
#[derive(Serialize)]
pub(super) struct QuestionnaireRangeDocument {
    pub(super) min: i32,
    pub(super) max: i32,
}

/// The spec's `Option`.
#[derive(Serialize)]
pub(super) struct QuestionnaireOptionDocument<'q> {
    pub(super) value: &'q str,
    pub(super) label: &'q str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<&'q str>,
}
