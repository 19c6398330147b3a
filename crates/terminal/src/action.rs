//! Description of an action, from its data and not from the agent's text; shared by all surfaces.

use crate::recap;
use crate::wrap::GUTTER;
use sayso_core::{Act, Action, Lang, Message, display};
use std::borrow::Cow;

/// Returns the lines that describe an action: our own sentences, and exact data behind the gutter.
pub fn action_text(action: &Action, lang: Lang) -> String {
    let mut lines = vec![Message::ActionHead.say(lang, [recap::brief(&action.tool)])];
    for part in parts(&action.act) {
        match part {
            Part::Ours(message) => lines.push(message.plain(lang).to_owned()),
            Part::Exactly(text) => {
                lines
                    .extend(display::lines(&text).map(|line| format!("{GUTTER}{}", display::undrawn(&line))));
            }
        }
    }
    lines.join("\n")
}

/// Part of an action's description.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// Sentence of our own.
    Ours(Message),
    /// Exact data with all spaces, not escaped yet.
    Exactly(Cow<'a, str>),
}

/// Returns the parts of an action's description, in display order.
pub(crate) fn parts(act: &Act) -> Vec<Part<'_>> {
    let ours = Part::Ours;
    let exactly = |text| Part::Exactly(Cow::Borrowed(text));
    let (mut parts, folder) = match act {
        Act::Run { argv, folder } => {
            // One line each, so that no space can hide the end of an argument.
            let argv = argv.iter().map(|argument| {
                let quoted = format!("{argument:?}");
                Part::Exactly(Cow::Owned(display::escaped(&quoted).into_owned()))
            });
            ([ours(Message::ActionRun)].into_iter().chain(argv).collect(), folder.as_deref())
        }
        Act::Shell { command, folder } => {
            (vec![ours(Message::ActionShell), exactly(command)], folder.as_deref())
        }
        Act::Write { path, content } => {
            let parts = vec![
                ours(Message::ActionWrite),
                exactly(path),
                ours(Message::ActionContent),
                exactly(content),
            ];
            (parts, None)
        }
        Act::Edit { path, diff } => {
            (vec![ours(Message::ActionEdit), exactly(path), ours(Message::ActionDiff), exactly(diff)], None)
        }
        Act::Open { url } => (vec![ours(Message::ActionOpen), exactly(url)], None),
        Act::Call { arguments } => {
            (vec![ours(Message::ActionUnknown), Part::Exactly(display::escaped(arguments))], None)
        }
    };
    if let Some(folder) = folder {
        parts.extend([ours(Message::ActionFolder), exactly(folder)]);
    }
    parts
}
