//! Description of an action, from its data and not from the agent's text. The exact data is not escaped for display.

use crate::display;
use crate::i18n::{Lang, Message};
use crate::model::action::{ActSummary, ActionKind};
use std::borrow::Cow;

/// Part of an action's description.
#[derive(Debug, PartialEq, Eq)]
pub enum ActionPart<'a> {
    /// Sentence of our own.
    Sentence(Message),
    /// Exact data with all spaces, not escaped yet.
    ExactData(Cow<'a, str>),
}

/// Returns the parts of an action's description, in display order.
pub fn action_parts(act: &ActionKind) -> Vec<ActionPart<'_>> {
    let ours = ActionPart::Sentence;
    let exactly = |text| ActionPart::ExactData(Cow::Borrowed(text));
    let (mut parts, folder) = match act {
        ActionKind::Run { argv, folder } => {
            // One line each, so that no space can hide the end of an argument.
            let argv = argv.iter().map(|argument| {
                let quoted = format!("{argument:?}");
                ActionPart::ExactData(Cow::Owned(display::shorten_escaped_breaks(&quoted).into_owned()))
            });
            ([ours(Message::ActionRun)].into_iter().chain(argv).collect(), folder.as_deref())
        }
        ActionKind::Shell { command, folder } => {
            (vec![ours(Message::ActionShell), exactly(command)], folder.as_deref())
        }
        ActionKind::Write { path, content } => {
            let parts = vec![
                ours(Message::ActionWrite),
                exactly(path),
                ours(Message::ActionContent),
                exactly(content),
            ];
            (parts, None)
        }
        ActionKind::Edit { path, diff } => {
            (vec![ours(Message::ActionEdit), exactly(path), ours(Message::ActionDiff), exactly(diff)], None)
        }
        ActionKind::Open { url } => (vec![ours(Message::ActionOpen), exactly(url)], None),
        ActionKind::Call { arguments } => (
            vec![
                ours(Message::ActionUnknown),
                ActionPart::ExactData(display::shorten_escaped_breaks(arguments)),
            ],
            None,
        ),
    };
    if let Some(folder) = folder {
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
