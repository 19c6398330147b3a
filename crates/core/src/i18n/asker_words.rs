//! Names of askers, next to other text and within sentences of ours.

use super::{Lang, Message, foreign, own};
use crate::display;
use crate::model::actor::{Asker, ShownAsker};
use crate::model::outcome::CancelReason;
use std::borrow::Cow;

impl Asker {
    /// Returns a name as people read it, localized if it is a placeholder. The result is not escaped for display.
    pub fn display_name(name: &str, lang: Lang) -> &str {
        match name.trim() {
            "" | Self::UNNAMED_AGENT => Message::SomeAsker.plain(lang),
            Self::UNNAMED => Message::SomeProgram.plain(lang),
            _ => name,
        }
    }
}

impl ShownAsker<'_> {
    /// Returns its name next to other text: quoted, unless it is proven or plain. `short` shortens a name that an asker
    /// or a program claims.
    pub fn name(&self, short: impl FnOnce(&str) -> String, lang: Lang) -> String {
        match (self.account, self.own_name(), self.program) {
            (Some(account), Some(name), _) if name != account => Message::ClaimsToBe
                .render_with(lang, [own(display::escape_line(account)), foreign(short(name))]),
            (Some(account), ..) => display::escape_line(account).into_owned(),
            (None, Some(name), _) if is_plain_name(name) => short(name),
            (None, Some(name), _) => Message::Quoted.render_with(lang, [foreign(short(name))]),
            (None, None, Some(program)) => {
                Message::GuessedProgram.render_with(lang, [foreign(short(program))])
            }
            (None, None, None) => Asker::display_name(self.name, lang).to_owned(),
        }
    }

    /// Returns its name within a sentence of ours: a plain one is quoted, any other is left out.
    pub fn name_in_sentence(&self, lang: Lang) -> String {
        let program = self.program.filter(|program| display::is_plain_name(program));
        match (self.account, self.own_name(), program) {
            (Some(account), Some(name), _) if name != account && is_plain_name(name) => {
                Message::ClaimsToBe.render_with(lang, [own(display::escape_line(account)), foreign(name)])
            }
            (Some(account), ..) => display::escape_line(account).into_owned(),
            (None, Some(name), _) if is_plain_name(name) => {
                Message::Quoted.render_with(lang, [foreign(name)])
            }
            (None, None, Some(program)) => Message::GuessedProgram.render_with(lang, [foreign(program)]),
            (None, Some(_), _) => Message::SomeAsker.plain(lang).to_owned(),
            (None, None, None) => Asker::display_name(self.name, lang).to_owned(),
        }
    }

    /// Returns what sentences of ours leave out, each with a heading: the name and the folder that are not plain.
    pub fn out_of_sentence(&self) -> impl Iterator<Item = (Message, &str)> {
        let name = self.own_name().filter(|name| !is_plain_name(name) && Some(*name) != self.account);
        let folder = self.folder.filter(|folder| !folder.is_empty() && !display::is_plain_name(folder));
        let name = name.map(|name| (Message::AskerCallsItself, name));
        name.into_iter().chain(folder.map(|folder| (Message::AskerSaysFolder, folder)))
    }

    fn own_name(&self) -> Option<&str> {
        Some(self.name).filter(|name| !matches!(name.trim(), "" | Asker::UNNAMED | Asker::UNNAMED_AGENT))
    }

    /// Returns its folder next to other text: quoted verbatim if only its account is proven, or if it is not plain;
    /// `short` abbreviates a folder of this machine.
    pub fn folder<'f>(&'f self, short: impl FnOnce(&'f str) -> Cow<'f, str>, lang: Lang) -> Option<String> {
        let folder = self.folder.filter(|folder| !folder.is_empty())?;
        Some(match self.account {
            Some(_) => Message::Quoted.render_with(lang, [foreign(folder)]),
            None if display::is_plain_name(folder) => short(folder).into_owned(),
            None => Message::Quoted.render_with(lang, [foreign(short(folder))]),
        })
    }

    /// Returns its folder within a sentence of ours, to be quoted. One that is not plain is left out.
    pub fn folder_in_sentence<'f>(
        &'f self,
        short: impl FnOnce(&'f str) -> Cow<'f, str>,
    ) -> Option<Cow<'f, str>> {
        let folder = self.folder.filter(|folder| display::is_plain_name(folder))?;
        Some(if self.account.is_some() { Cow::Borrowed(folder) } else { short(folder) })
    }
}

/// Returns true if a sentence of ours can quote an asker's name: a plain one, or a well-known one with a space.
fn is_plain_name(name: &str) -> bool {
    display::is_plain_name(name) || ["Claude Code", "Copilot CLI", "Gemini CLI", "VS Code"].contains(&name)
}

impl CancelReason {
    /// Returns the sentence about it, which names the host as the asker calls itself.
    pub fn sentence(self, asker: &ShownAsker<'_>, lang: Lang) -> String {
        let message = match self {
            Self::AnsweredInHost => Message::AnsweredInHost,
            Self::SessionEnded => Message::HostSessionEnded,
            Self::HostEnded => Message::HostEnded,
            Self::GivenBack => Message::GivenBackToHost,
        };
        let host = ShownAsker { account: None, ..*asker };
        message.render_with(lang, [own(host.name_in_sentence(lang))])
    }
}
