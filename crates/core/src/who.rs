//! Who acts: askers ask, people answer, the desk keeps time. The roles never mix.

use crate::message::{Lang, Message};
use crate::{display, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A process, told apart from a later one with the same number by when it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    /// The process id.
    pub pid: u32,
    /// When it started, in the system's own unit; 0 where the system does not say.
    pub started: u64,
}

/// The agent or program that wants a person's say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Asker {
    /// What it calls itself.
    pub name: String,
    /// The folder it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its session, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Whose token it asked with, at a desk on the network. What it says of itself is a claim; this is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
}

impl Asker {
    /// What one is called that gave no name, wherever names are compared.
    pub const UNNAMED: &str = "a program";

    /// What one is called that asked through a host without a name.
    pub const UNNAMED_AGENT: &str = "an agent";

    /// A name as people read it: in their language where it is none. It is not made safe to show.
    pub fn called(name: &str, lang: Lang) -> &str {
        match name.trim() {
            "" | Self::UNNAMED_AGENT => Message::SomeAsker.plain(lang),
            Self::UNNAMED => Message::SomeProgram.plain(lang),
            _ => name,
        }
    }

    /// Returns what people are shown of it.
    pub fn shown<'a>(&'a self, program: Option<&'a str>) -> ShownAsker<'a> {
        let Self { name, folder, account, .. } = self;
        ShownAsker { name, folder: folder.as_deref(), account: account.as_deref(), program }
    }

    /// What makes two askers the same one: account, name, folder and session. Keys and repeated questions are found
    /// within it.
    pub fn identity(&self) -> String {
        let folder = self.folder.as_deref().unwrap_or_default();
        let session = self.session.as_deref().unwrap_or_default();
        let claimed = format!("{}\u{1f}{folder}\u{1f}{session}", self.name);
        match &self.account {
            Some(account) => format!("{claimed}\u{1f}{account}"),
            None => claimed,
        }
    }
}

/// What people are shown of an asker: its proven account first, and what it says of itself as a quotation behind that; an
/// asker without a name by the program that asked, as a guess. Nothing of it decides who an asker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownAsker<'a> {
    /// What it calls itself.
    pub name: &'a str,
    /// The folder that it says it works in.
    pub folder: Option<&'a str>,
    /// Whose token it asked with.
    pub account: Option<&'a str>,
    /// The program that asked, as far as this machine shows.
    pub program: Option<&'a str>,
}

impl ShownAsker<'_> {
    /// Returns its name. `short` makes what an asker or a program calls itself short and safe to show.
    pub fn name(&self, short: impl FnOnce(&str) -> String, lang: Lang) -> String {
        let own_name =
            Some(self.name).filter(|name| !matches!(name.trim(), "" | Asker::UNNAMED | Asker::UNNAMED_AGENT));
        match (self.account, own_name, self.program) {
            (Some(account), Some(name), _) if name != account => Message::ClaimsToBe
                .say(lang, [display::line(account).into_owned(), short(&words::quotable(name))]),
            (Some(account), ..) => display::line(account).into_owned(),
            (None, None, Some(program)) => Message::GuessedProgram.say(lang, [short(program)]),
            (None, ..) => short(Asker::called(self.name, lang)),
        }
    }

    /// Returns its folder: as a quotation, to the letter, where its account is all that is proven; `short` names a folder of
    /// this machine. Not made safe to show.
    pub fn folder<'f>(&'f self, short: impl FnOnce(&'f str) -> Cow<'f, str>) -> Option<Cow<'f, str>> {
        let folder = self.folder.filter(|folder| !folder.is_empty())?;
        Some(match self.account {
            Some(_) => Cow::Owned(format!("\"{}\"", words::quotable(folder))),
            None => short(folder),
        })
    }
}

/// Where a person answers.
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
    /// A program that speaks to the desk over HTTP.
    Http,
}

/// How sure the desk is that a person was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Assurance {
    /// A program gave the answer.
    Scripted,
    /// The program that the asker runs in says that a person did.
    Relayed,
    /// A person's token was shown; where they answered is what their program says.
    Token,
    /// A browser that a person let in with a code, which it typed once.
    BrowserSession,
    /// It was typed at a terminal.
    Terminal,
}

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The user's name on this machine or at the desk.
    pub name: String,
    /// Where the answer is given.
    pub surface: Surface,
    /// How sure the desk is that a person was there.
    pub assurance: Assurance,
}

/// Who acts on an ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// The one who asks.
    Asker(Asker),
    /// The one who answers.
    Person(Person),
    /// The desk itself, which lets deadlines pass.
    Desk,
}
