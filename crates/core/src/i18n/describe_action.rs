//! Description of an action, from its data and not from the agent's text. The exact data is not escaped for display.

use crate::display;
use crate::i18n::{Lang, LocalizedText, Message};
use crate::model::action::{ActSummary, ActionKind, ProposedAction};
use std::borrow::Cow;

/// Part of an action's description.
#[derive(Debug, PartialEq, Eq)]
pub enum ActionPart<'a> {
    /// Sentence of our own.
    Sentence(LocalizedText),
    /// Exact data with all spaces, not escaped yet.
    ExactData(Cow<'a, str>),
}

/// Returns the parts of an action's description, in display order. The first is a sentence about the tool.
pub fn action_parts(action: &ProposedAction) -> Vec<ActionPart<'_>> {
    let ours = |message: Message| ActionPart::Sentence(message.into());
    let exactly = |text| ActionPart::ExactData(Cow::Borrowed(text));
    let mut parts = if display::is_plain_name(&action.tool) {
        vec![ActionPart::Sentence(Message::ActionHead.with([&action.tool]))]
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
        ActionKind::Write { path, content } => {
            parts.extend([ours(Message::ActionWrite), exactly(path)]);
            parts.extend([ours(Message::ActionContent), exactly(content)]);
        }
        ActionKind::Edit { path, diff } => {
            parts.extend([
                ours(Message::ActionEdit),
                exactly(path),
                ours(Message::ActionDiff),
                exactly(diff),
            ]);
        }
        ActionKind::Open { url } => parts.extend([ours(Message::ActionOpen), exactly(url)]),
        ActionKind::Call { arguments } => parts.extend([ours(Message::ActionUnknown), exactly(arguments)]),
    }
    if let Some(folder) = in_folder {
        parts.extend([ours(Message::ActionFolder), exactly(folder)]);
    }
    parts
}

/// Returns the phrase that names an act in a list, escaped for one line: our verb, then the beginning of the exact
/// data. It is made when it is drawn, in the reader's language.
pub fn act_phrase(act: &ActSummary, lang: Lang) -> String {
    format!("{} {}", act.verb.message().plain(lang), display::escape_line(&act.object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::action::ActVerb;

    #[test]
    fn act_phrase_begins_with_our_verb() {
        let act = |object: &str| ActSummary { verb: ActVerb::Run, object: object.to_owned() };
        assert_eq!(act_phrase(&act("terraform apply"), Lang::En), "Run terraform apply");
        assert_eq!(act_phrase(&act("terraform apply"), Lang::Zh), "运行 terraform apply");
        assert_eq!(act_phrase(&act("ls\u{1b}[2J"), Lang::En), "Run ls⟦U+001B⟧[2J");
    }
}
