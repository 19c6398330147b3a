//! Objects in which no member stands twice.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

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
                    return Err(A::Error::custom(format_args!("{name} stands twice")));
                }
                members.insert(name, map.next_value()?);
            }
            Ok(members)
        }
    }

    deserializer.deserialize_map(Members(PhantomData))
}
