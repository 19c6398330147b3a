//! Which dialect a request is in, where that is clear.

use crate::Dialect;
use crate::loose::{self, List, Loose, Members};
use serde::de::{IgnoredAny, MapAccess};

#[derive(Default)]
struct Request {
    sayso: bool,
    questions: Loose<List<Item>>,
}

#[derive(Default)]
struct Item {
    ours: bool,
    theirs: bool,
}

impl Members for Request {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "questions" => {
                self.questions = object.next_value()?;
                return Ok(true);
            }
            "sayso" => self.sayso = true,
            _ => {}
        }
        object.next_value::<IgnoredAny>().map(|_| true)
    }
}

impl Members for Item {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "prompt" => self.ours = true,
            "header" | "question" | "multiSelect" => self.theirs = true,
            _ => {}
        }
        object.next_value::<IgnoredAny>().map(|_| true)
    }
}

/// The dialect that the members of a request show.
pub(crate) fn guess(text: &str) -> Option<Dialect> {
    let Ok(Loose::Value(request)) = loose::read::<Request>(text) else { return None };
    let (mut ours, mut theirs) = (request.sayso, false);
    if let Loose::Value(questions) = request.questions {
        for item in questions.items {
            if let Loose::Value(item) = item {
                ours |= item.ours;
                theirs |= item.theirs;
            }
        }
    }
    match (ours, theirs) {
        (true, false) => Some(Dialect::Sayso),
        (false, true) => Some(Dialect::AskUserQuestion),
        (true, true) | (false, false) => None,
    }
}
