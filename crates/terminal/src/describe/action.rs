//! Description of an action, from its data and not from the agent's text; shared by all surfaces.

use crate::describe;
use crate::wrap::GUTTER;
use sayso_core::{ActionKind, Lang, Message, ProposedAction, display};
use std::borrow::Cow;

/// Returns the lines that describe an action: our own sentences, and exact data behind the gutter.
pub fn describe_action(action: &ProposedAction, lang: Lang) -> String {
    let mut lines = vec![Message::ActionHead.render_with(lang, [describe::brief(&action.tool)])];
    for part in action_parts(&action.act) {
        match part {
            ActionPart::Sentence(message) => lines.push(message.plain(lang).to_owned()),
            ActionPart::ExactData(text) => {
                lines.extend(
                    display::escape_lines(&text)
                        .map(|line| format!("{GUTTER}{}", display::replace_drawing_characters(&line))),
                );
            }
        }
    }
    lines.join("\n")
}

/// Part of an action's description.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ActionPart<'a> {
    /// Sentence of our own.
    Sentence(Message),
    /// Exact data with all spaces, not escaped yet.
    ExactData(Cow<'a, str>),
}

/// Returns the parts of an action's description, in display order.
pub(crate) fn action_parts(act: &ActionKind) -> Vec<ActionPart<'_>> {
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
