//! Objects without duplicate members.

use super::{truncated, without_position};
use crate::i18n::{Message, foreign};
use crate::model::document_path::DocumentPath;
use crate::problem::{Problem, ProblemCode};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Suffix of a reader's error after the name: serde errors carry only text.
const DUPLICATE_SUFFIX: &str = " is duplicate";

/// Reads an object and rejects duplicate members, which would be ambiguous.
///
/// # Errors
/// Returns an error if a member is duplicate or unreadable.
pub fn each_once<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord + fmt::Display,
    V: Deserialize<'de>,
{
    struct UniqueMembersVisitor<K, V>(PhantomData<(K, V)>);

    impl<'de, K, V> Visitor<'de> for UniqueMembersVisitor<K, V>
    where
        K: Deserialize<'de> + Ord + fmt::Display,
        V: Deserialize<'de>,
    {
        type Value = BTreeMap<K, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = BTreeMap::new();
            while let Some(name) = map.next_key::<K>()? {
                if members.contains_key(&name) {
                    return Err(A::Error::custom(format_args!("{name}{DUPLICATE_SUFFIX}")));
                }
                members.insert(name, map.next_value()?);
            }
            Ok(members)
        }
    }

    deserializer.deserialize_map(UniqueMembersVisitor(PhantomData))
}

/// Returns the problem of a duplicate member, with its place in the object.
pub(super) fn duplicate_member(error: &serde_json::Error) -> Option<Problem> {
    let text = error.to_string();
    let name = without_position(&text).strip_suffix(DUPLICATE_SUFFIX)?;
    let message = Message::DuplicateId.with([foreign(truncated(name))]);
    Some(Problem::new(ProblemCode::DuplicateId, message).at(DocumentPath::root().join(name)))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::i18n::Lang;

    #[derive(Debug, serde::Deserialize)]
    struct DuplicatesDraft {
        #[serde(deserialize_with = "each_once")]
        replies: BTreeMap<String, bool>,
    }

    #[test]
    fn duplicate_member_is_refused() {
        let draft = read::<DuplicatesDraft>(r#"{"replies":{"a":true,"b":true}}"#).unwrap();
        assert_eq!(draft.replies.len(), 2);
        let place = |name: &str| DocumentPath::root().join("replies").join(name);
        for name in ["a", "b at line 2", "c is duplicate", ""] {
            let problem =
                read::<DuplicatesDraft>(&format!(r#"{{"replies":{{"{name}":true,"{name}":true}}}}"#))
                    .unwrap_err();
            assert_eq!((problem.code, &problem.path), (ProblemCode::DuplicateId, &place(name)));
            assert_eq!(
                problem.message.render(Lang::Zh),
                Message::DuplicateId.with([foreign(name)]).render(Lang::Zh)
            );
        }
    }
}
