//! A reply as JSON: `{"state":"answered","answer":{"text":"…"},"note":"…"}`.

use crate::model::answer::{Answer, Reply, ReplyContent};
use crate::model::id::QuestionId;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ReplyState")]
#[serde(rename_all = "snake_case")]
enum ReplyStateTag {
    /// No one answered it.
    Unanswered,
    /// The person skipped it deliberately.
    Skipped,
    /// It was not asked because of the answer to another question.
    NotAsked,
    /// It has an answer.
    Answered,
}

/// Reply to one question.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Reply")]
#[serde(expecting = "a reply")]
struct ReplyDocument<'r> {
    /// Answer that was given.
    state: ReplyStateTag,
    /// The answer, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<Cow<'r, Answer>>,
    /// For a question that was not asked: the question whose answer decided that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    because: Option<Cow<'r, QuestionId>>,
    /// A note of the person on the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'r, str>>,
    /// In a draft: a typed own answer that is not picked. It is never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aside: Option<Cow<'r, str>>,
    /// True if checking the answer against its pattern took too many steps: check it yourself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pattern_not_checked: bool,
}

impl JsonSchema for Reply {
    fn schema_name() -> Cow<'static, str> {
        ReplyDocument::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ReplyDocument::json_schema(generator)
    }
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (state, answer, because) = match &self.content {
            ReplyContent::Unanswered => (ReplyStateTag::Unanswered, None, None),
            ReplyContent::Skipped => (ReplyStateTag::Skipped, None, None),
            ReplyContent::NotAsked { decided_by: because } => {
                (ReplyStateTag::NotAsked, None, because.as_ref())
            }
            ReplyContent::Answered(answer) => (ReplyStateTag::Answered, Some(answer), None),
        };
        ReplyDocument {
            state,
            answer: answer.map(Cow::Borrowed),
            because: because.map(Cow::Borrowed),
            note: self.note.as_deref().map(Cow::Borrowed),
            aside: self.unused_other.as_deref().map(Cow::Borrowed),
            pattern_not_checked: self.pattern_not_checked,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Reply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = ReplyDocument::deserialize(deserializer)?;
        let content = match (document.state, document.answer) {
            (ReplyStateTag::Unanswered, None) => ReplyContent::Unanswered,
            (ReplyStateTag::Skipped, None) => ReplyContent::Skipped,
            (ReplyStateTag::NotAsked, None) => {
                ReplyContent::NotAsked { decided_by: document.because.map(Cow::into_owned) }
            }
            (ReplyStateTag::Answered, Some(answer)) => ReplyContent::Answered(answer.into_owned()),
            (ReplyStateTag::Answered, None) => return Err(D::Error::missing_field("answer")),
            (_, Some(_)) => {
                return Err(D::Error::custom("there is an answer, and a state that says there is none"));
            }
        };
        let note = document.note.map(Cow::into_owned);
        let aside = document.aside.map(Cow::into_owned);
        Ok(Self { content, note, unused_other: aside, pattern_not_checked: document.pattern_not_checked })
    }
}
