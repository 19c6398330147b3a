//! Actors: askers ask, people answer, the desk keeps time. The roles never mix.

use crate::display;
use crate::i18n::{Lang, Message};
use crate::i18n::{foreign, own};
use crate::model::audience::AskAccess;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A process. Its start time distinguishes it from a later process with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Process")]
pub struct ProcessId {
    /// The process id.
    pub pid: u32,
    /// Start time in the system's own unit; 0 if unknown.
    pub started: u64,
}

/// The agent or program that asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Asker {
    /// Name that it gives itself.
    pub name: String,
    /// The folder it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its session, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Account of the token it asked with, at a desk on the network. Unlike the asker's own data, this is verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
}

impl Asker {
    /// The name of an asker without a name, in comparisons.
    pub const UNNAMED: &str = "a program";

    /// The name of an asker that asked through a host without a name.
    pub const UNNAMED_AGENT: &str = "an agent";

    /// Returns a name as people read it, localized if it is a placeholder. The result is not escaped for display.
    pub fn display_name(name: &str, lang: Lang) -> &str {
        match name.trim() {
            "" | Self::UNNAMED_AGENT => Message::SomeAsker.plain(lang),
            Self::UNNAMED => Message::SomeProgram.plain(lang),
            _ => name,
        }
    }

    /// Returns the asker as people see it.
    pub fn displayed<'a>(&'a self, program: Option<&'a str>) -> ShownAsker<'a> {
        let Self { name, folder, account, .. } = self;
        ShownAsker { name, folder: folder.as_deref(), account: account.as_deref(), program }
    }

    /// Returns the key that identifies an asker: account, name, folder and session. Idempotency keys and repeated
    /// questions are looked up within it.
    pub fn identity_key(&self) -> String {
        let folder = self.folder.as_deref().unwrap_or_default();
        let session = self.session.as_deref().unwrap_or_default();
        let claimed = format!("{}\u{1f}{folder}\u{1f}{session}", self.name);
        match &self.account {
            Some(account) => format!("{claimed}\u{1f}{account}"),
            None => claimed,
        }
    }
}

/// An asker as people see it: its proven account first, then its own name as a quotation; an asker without a name by
/// the program that asked, as a guess. It never decides the identity of an asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownAsker<'a> {
    /// Its own name, as claimed.
    pub name: &'a str,
    /// The folder that it claims to work in.
    pub folder: Option<&'a str>,
    /// The account of the token it asked with.
    pub account: Option<&'a str>,
    /// The program that asked, as far as this machine shows.
    pub program: Option<&'a str>,
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

/// Place where a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// The line prompter.
    Prompter,
    /// The full screen: the inbox.
    Inbox,
    /// A command that takes answers as an argument.
    Command,
    /// Lines on a piped standard input.
    Pipe,
    /// A dialog of the program that the asker runs in.
    Dialog,
    /// A program that calls the desk over HTTP.
    Http,
    /// The desk's own page, in a browser.
    Page,
    /// The questionnaire element in a page that is not the desk's own.
    Element,
}

/// Assurance of the desk that a person was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Assurance")]
pub enum AssuranceLevel {
    /// A program gave the answer.
    Scripted,
    /// A page that is not the desk's own states, through its element, that a person answered.
    Embedded,
    /// The program that the asker runs in states that a person answered.
    Relayed,
    /// A session that a service opened for its user; the service identifies the user.
    ServiceSession,
    /// A person's token was used; where the person answered is the program's own statement.
    Token,
    /// A browser that a person signed in by typing a code once.
    BrowserSession,
    /// The answer was typed at a terminal.
    Terminal,
}

/// A person who answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The name of the user on this machine or at the desk.
    pub name: String,
    /// The surface on which the person answers.
    pub surface: Surface,
    /// The desk's certainty that a person was present.
    pub assurance: AssuranceLevel,
    /// Way in which the person reached the ask, if that was not by being in its audience.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<AskAccess>,
}

/// An actor on an ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The asker.
    Asker(Asker),
    /// A person who answers.
    Person(Person),
    /// The desk itself, which expires asks.
    Desk,
}
