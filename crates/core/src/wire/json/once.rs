//! Objects in which no member stands twice.

use super::clipped;
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// What the error of a reader says after the name: readers have text alone for what goes wrong in them.
const TWICE: &str = " stands twice";

/// Reads an object in which each member stands once: whoever says two things may mean either.
///
/// # Errors
/// When a member stands twice, or one cannot be read.
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

/// The problem of a member that stands twice, with its place in the object.
pub(super) fn member_twice(error: &serde_json::Error) -> Option<Problem> {
    let text = error.to_string();
    // Whoever reads without keeping track has the place in the text behind it.
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
    fn who_says_two_things_is_told_where_in_their_own_language() {
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
