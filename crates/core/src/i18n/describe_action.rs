//! Description of an action, from its data and not from the agent's text. The exact data is not escaped for display.

use crate::display;
use crate::i18n::Message;
use crate::model::action::ActionKind;
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
                ActionPart::ExactData(Cow::Owned(display::quote_argument(argument)))
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
        ActionKind::Call { arguments } => (vec![ours(Message::ActionUnknown), exactly(arguments)], None),
    };
    if let Some(folder) = folder {
        parts.extend([ours(Message::ActionFolder), exactly(folder)]);
    }
    parts
}
