//! Description of an action, from its data and not from the agent's text. The exact data is not escaped for display.

use crate::display;
use crate::i18n::{Lang, LocalizedText, Message, exact_lines, foreign};
use crate::model::action::{ActSummary, ActVerb, ActionKind, ProposedAction};
use std::borrow::Cow;

/// Part of an action's description.
#[derive(Debug, PartialEq, Eq)]
pub enum ActionPart<'a> {
    /// Sentence of our own.
    Sentence(LocalizedText),
    /// Exact data with all spaces, not escaped yet.
    ExactData(Cow<'a, str>),
}

impl ActVerb {
    /// Returns the word for it.
    pub const fn message(self) -> Message {
        match self {
            Self::Run => Message::ActRun,
            Self::Write => Message::ActWrite,
            Self::Edit => Message::ActEdit,
            Self::Open => Message::ActOpen,
            Self::Call => Message::ActCall,
        }
    }
}

/// Returns the parts of an action's description, in display order. The first is a sentence about the tool.
pub fn action_parts(action: &ProposedAction) -> Vec<ActionPart<'_>> {
    let ours = |message: Message| ActionPart::Sentence(message.into());
    let exactly = |text| ActionPart::ExactData(Cow::Borrowed(text));
    let mut parts = if display::is_plain_name(&action.tool) {
        vec![ActionPart::Sentence(Message::ActionHead.with([foreign(&action.tool)]))]
    } else {
        vec![ours(Message::ActionHeadUnnamed), exactly(&action.tool)]
    };
    let mut in_folder = None;
    match &action.act {
        ActionKind::Run { argv, folder } => {
            parts.push(ours(Message::ActionRun));
            // One line each, so that no space can hide the end of an argument.
            for argument in argv {
                parts.push(ActionPart::ExactData(Cow::Owned(display::quote_argument(argument))));
            }
            in_folder = folder.as_deref();
        }
        ActionKind::Shell { command, folder } => {
            parts.extend([ours(Message::ActionShell), exactly(command)]);
            in_folder = folder.as_deref();
        }
        ActionKind::Write { path, content, overwrites, outside } => {
            let message = if *overwrites { Message::ActionOverwrite } else { Message::ActionWrite };
            parts.extend([ours(message), exactly(path)]);
            parts.extend(outside_of(outside.as_deref()));
            parts.extend([ours(Message::ActionContent), exactly(content)]);
        }
        ActionKind::Edit { path, diff, outside } => {
            parts.extend([ours(Message::ActionEdit), exactly(path)]);
            parts.extend(outside_of(outside.as_deref()));
            parts.extend([ours(Message::ActionDiff), exactly(diff)]);
        }
        ActionKind::Open { url } => parts.extend([ours(Message::ActionOpen), exactly(url)]),
        ActionKind::Call { arguments } => {
            let laid_out = display::indent_json(arguments);
            parts.extend([ours(Message::ActionUnknown), ActionPart::ExactData(laid_out)]);
        }
    }
    if let Some(folder) = in_folder {
        parts.extend([ours(Message::ActionFolder), exactly(folder)]);
    }
    parts
}

/// Returns the parts that mark a file outside of the agent's folder.
fn outside_of(folder: Option<&str>) -> impl Iterator<Item = ActionPart<'_>> {
    let parts = |folder| {
        [ActionPart::Sentence(Message::ActionOutside.into()), ActionPart::ExactData(Cow::Borrowed(folder))]
    };
    folder.map(parts).into_iter().flatten()
}

/// Returns the phrase that names an act in a list, on one line: our verb, then the beginning of the exact
/// data. It is made when it is drawn, in the reader's language.
pub fn act_phrase(act: &ActSummary, lang: Lang) -> String {
    let (verb, object) = act_verb_and_object(act, lang);
    format!("{verb} {object}")
}

/// Returns the parts of [`act_phrase`]: our verb, and the data.
pub fn act_verb_and_object(act: &ActSummary, lang: Lang) -> (&'static str, String) {
    (act.verb.message().plain(lang), exact_lines(&act.object, lang).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::action::ActVerb;

    /// Returns the shown lines of an act, without the first sentence.
    fn shown(act: serde_json::Value) -> Vec<String> {
        let action = ProposedAction { tool: "T".to_owned(), act: serde_json::from_value(act).unwrap() };
        let parts = action_parts(&action).into_iter().skip(1);
        parts
            .map(|part| match part {
                ActionPart::Sentence(sentence) => sentence.render(Lang::En),
                ActionPart::ExactData(data) => data.into_owned(),
            })
            .collect()
    }

    #[test]
    fn files_are_marked() {
        let write = |more: serde_json::Value| {
            let mut write = serde_json::json!({ "path": "/a", "content": "x" });
            write.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            shown(serde_json::json!({ "write": write }))
        };
        let content = ["With this content:", "x"];
        let new = [["It writes this file:", "/a"], content].concat();
        assert_eq!(write(serde_json::json!({})), new);
        let outside = ["It is outside of the folder in which the agent works:", "/srv"];
        let marked = [["It overwrites this file:", "/a"], outside, content].concat();
        assert_eq!(write(serde_json::json!({ "overwrites": true, "outside": "/srv" })), marked);
        let edit = serde_json::json!({ "edit": { "path": "/a", "diff": "-x", "outside": "/srv" } });
        assert_eq!(shown(edit)[2..4], outside);
    }

    #[test]
    fn arguments_have_a_row_each() {
        let call =
            |arguments: &str| shown(serde_json::json!({ "call": { "arguments": arguments } }))[1].clone();
        let cases = [
            (
                r#"{"a":1e400,"a":[true,{"b":"{,\"]"}],"c":{},"d":[ ]}"#,
                "{\n  \"a\": 1e400,\n  \"a\": [\n    true,\n    {\n      \"b\": \"{,\\\"]\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}",
            ),
            ("{\n\"a\" : 1}", "{\n  \"a\": 1\n}"),
            // Text that is no JSON is shown as it is.
            ("{a}", "{a}"),
            ("{\"a\": 1", "{\"a\": 1"),
        ];
        for (arguments, laid_out) in cases {
            assert_eq!(call(arguments), laid_out);
        }
    }

    #[test]
    fn act_phrase_begins_with_our_verb() {
        let act = |object: &str| ActSummary {
            verb: ActVerb::Run,
            object: object.to_owned(),
            plan: false,
            session: None,
        };
        assert_eq!(act_phrase(&act("terraform apply"), Lang::En), "Run terraform apply");
        assert_eq!(act_phrase(&act("terraform apply"), Lang::Zh), "运行 terraform apply");
        assert_eq!(act_phrase(&act("ls\u{1b}[2J"), Lang::En), "Run ls⟦U+001B⟧[2J");
        assert_eq!(act_phrase(&act("git\u{a0}status"), Lang::En), "Run git⟦U+00A0⟧status");
        assert_eq!(act_phrase(&act("cat /etc/p\u{430}sswd"), Lang::En), "Run cat /etc/p⟦U+0430⟧sswd");
    }
}
