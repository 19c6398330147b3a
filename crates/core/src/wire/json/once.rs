//! Objects without duplicate members.

use super::clipped;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Suffix of a reader's error after the name: serde errors carry only text.
const TWICE: &str = " stands twice";

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
    struct Members<K, V>(PhantomData<(K, V)>);

    impl<'de, K, V> Visitor<'de> for Members<K, V>
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
                    return Err(A::Error::custom(format_args!("{name}{TWICE}")));
                }
                members.insert(name, map.next_value()?);
            }
            Ok(members)
        }
    }

    deserializer.deserialize_map(Members(PhantomData))
}

/// Returns the problem of a duplicate member, with its place in the object.
pub(super) fn member_twice(error: &serde_json::Error) -> Option<Problem> {
    let text = error.to_string();
    // An untracked read appends the position in the text.
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    let name = what.strip_suffix(TWICE)?;
    let said = Message::DuplicateId.with([clipped(name)]);
    Some(Problem::new(Code::DuplicateId, said).at(Path::root().then(name)))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::message::Lang;

    #[derive(Debug, serde::Deserialize)]
    struct Draft {
        #[serde(deserialize_with = "each_once")]
        replies: BTreeMap<String, bool>,
    }

    #[test]
    fn duplicate_member_is_refused() {
        let draft = read::<Draft>(r#"{"replies":{"a":true,"b":true}}"#).unwrap();
        assert_eq!(draft.replies.len(), 2);
        let place = |name: &str| Path::root().then("replies").then(name);
        for name in ["a", "b at line 2", "c stands twice", ""] {
            let problem =
                read::<Draft>(&format!(r#"{{"replies":{{"{name}":true,"{name}":true}}}}"#)).unwrap_err();
            assert_eq!((problem.code, &problem.path), (Code::DuplicateId, &place(name)));
            assert_eq!(problem.message.render(Lang::Zh), Message::DuplicateId.say(Lang::Zh, [name]));
        }
    }
}
