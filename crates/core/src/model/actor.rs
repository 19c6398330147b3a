//! Actors: askers ask, people answer, the desk keeps time. The roles never mix.

use crate::model::audience::AskAccess;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
