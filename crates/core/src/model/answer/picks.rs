//! The picks of a choice.

use crate::model::answer::Pick;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// The picks of a choice, in the order picked. A single pick, the usual answer, needs no allocation.
#[derive(Debug, Clone)]
pub struct Picks(PickStorage);

#[derive(Debug, Clone)]
enum PickStorage {
    One(Pick),
    Many(Vec<Pick>),
}

impl Picks {
    /// Returns the picks.
    pub fn as_slice(&self) -> &[Pick] {
        match &self.0 {
            PickStorage::One(pick) => std::slice::from_ref(pick),
            PickStorage::Many(picks) => picks,
        }
    }
}

impl Deref for Picks {
    type Target = [Pick];

    fn deref(&self) -> &[Pick] {
        self.as_slice()
    }
}

impl DerefMut for Picks {
    fn deref_mut(&mut self) -> &mut [Pick] {
        match &mut self.0 {
            PickStorage::One(pick) => std::slice::from_mut(pick),
            PickStorage::Many(picks) => picks,
        }
    }
}

impl From<Pick> for Picks {
    fn from(pick: Pick) -> Self {
        Self(PickStorage::One(pick))
    }
}

impl From<Vec<Pick>> for Picks {
    fn from(mut picks: Vec<Pick>) -> Self {
        match (picks.pop(), picks.is_empty()) {
            (Some(only), true) => only.into(),
            (last, _) => {
                picks.extend(last);
                Self(PickStorage::Many(picks))
            }
        }
    }
}

impl From<Picks> for Vec<Pick> {
    fn from(picks: Picks) -> Self {
        match picks.0 {
            PickStorage::One(pick) => vec![pick],
            PickStorage::Many(picks) => picks,
        }
    }
}

impl FromIterator<Pick> for Picks {
    fn from_iter<I: IntoIterator<Item = Pick>>(picks: I) -> Self {
        let mut picks = picks.into_iter();
        let (first, second) = (picks.next(), picks.next());
        match (first, second) {
            (Some(only), None) => only.into(),
            (first, second) => {
                Self(PickStorage::Many(first.into_iter().chain(second).chain(picks).collect()))
            }
        }
    }
}

impl<'p> IntoIterator for &'p Picks {
    type Item = &'p Pick;
    type IntoIter = std::slice::Iter<'p, Pick>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Picks {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Picks {}

impl Serialize for Picks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Picks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_equal_however_built() {
        let pick = |text: &str| Pick::Other(text.to_owned());
        for all in
            [vec![], vec![pick("a")], vec![pick("a"), pick("b")], vec![pick("a"), pick("b"), pick("c")]]
        {
            let picks = Picks::from(all.clone());
            assert_eq!(picks.as_slice(), all);
            assert_eq!(picks, all.iter().cloned().collect());
            assert_eq!(Vec::from(picks.clone()), all);
            let text = serde_json::to_string(&picks).unwrap();
            assert_eq!(text, serde_json::to_string(&all).unwrap());
            assert_eq!(serde_json::from_str::<Picks>(&text).unwrap(), picks);
        }
        assert_eq!(Picks::from(pick("a")).as_slice(), [pick("a")]);
    }
}
