//! State of one run of the program.

use crate::agent;
use crate::environment::Environment;
use crate::later::LaterDesk;
use crate::opening::{Opened, Opening};
use crate::settings::{Address, Fault, Flags, Origin, Setting, Settings};
use jiff::{Timestamp, Zoned};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{Asker, Code, Lang, Message, Person, Problem, display};
use sayso_desk::local::Callers;
use sayso_desk::{Desk, LocalDesk};
use sayso_terminal::short;
use std::cell::OnceCell;
use std::path::PathBuf;

/// Settings, environment and the desk, which is opened on first use.
pub(crate) struct Session {
    pub(crate) environment: Environment,
    pub(crate) settings: Settings,
    /// Invalid settings, for a command that runs despite them.
    pub(crate) faults: Vec<Fault>,
    /// Agent whose shell this is.
    pub(crate) agent: Option<String>,
    desk: OnceCell<Opened>,
}

impl Session {
    /// Creates a session with valid settings.
    ///
    /// # Errors
    /// Fails if a setting is invalid.
    pub(crate) fn begin(environment: Environment, flags: &Flags) -> Result<Self, Problem> {
        let mut session = Self::begin_despite_faults(environment, flags)?;
        let fault = session.faults.drain(..).next();
        match fault {
            Some(fault) => Err(fault.problem),
            None => Ok(session),
        }
    }

    /// Creates a session with the default in place of each invalid setting.
    ///
    /// # Errors
    /// Fails if there is no folder for settings.
    pub(crate) fn begin_despite_faults(environment: Environment, flags: &Flags) -> Result<Self, Problem> {
        let (settings, faults) = Settings::read(&environment, flags)?;
        let agent = agent::of(&environment);
        Ok(Self { environment, settings, faults, agent, desk: OnceCell::new() })
    }

    /// Returns the language of messages.
    pub(crate) fn lang(&self) -> Lang {
        self.settings.language.value
    }

    /// Returns the desk, and opens it on first use.
    ///
    /// # Errors
    /// Fails if it can't be opened.
    pub(crate) fn desk(&self) -> Result<&dyn Desk, Problem> {
        self.opened().map(Opened::desk)
    }

    /// Checks that a desk named by a flag or a variable exists, for commands that only read. Asking creates it.
    ///
    /// # Errors
    /// Fails if it doesn't exist.
    pub(crate) fn must_have_desk(&self) -> Result<(), Problem> {
        let Setting { value, origin } = &self.settings.desk;
        match (value, origin) {
            (Address::Sqlite(path), Origin::Flag(_) | Origin::Variable(_)) if self.has_no_desk() => {
                let said = Message::NoDeskThere.with([path.display()]);
                Err(Problem::new(Code::DeskUnreachable, said).hint(Message::NoDeskThereHint))
            }
            _ => Ok(()),
        }
    }

    /// Returns the name of the desk for messages: its file with `~` for the home folder, or its address, which has no
    /// secret.
    pub(crate) fn desk_name(&self) -> String {
        let name = match &self.settings.desk.value {
            Address::Sqlite(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let home = self.environment.get("HOME").unwrap_or_default();
                short::folder(&path.to_string_lossy(), home).into_owned()
            }
            Address::Http(address) => address.to_string(),
        };
        display::line(&name).into_owned()
    }

    /// Returns whether the desk file doesn't exist yet.
    pub(crate) fn has_no_desk(&self) -> bool {
        let Address::Sqlite(path) = &self.settings.desk.value else { return false };
        matches!(path.try_exists(), Ok(false))
    }

    /// Returns the desk with its kind, for calls that only one kind supports.
    ///
    /// # Errors
    /// Fails if it can't be opened.
    pub(crate) fn opened(&self) -> Result<&Opened, Problem> {
        if let Some(desk) = self.desk.get() {
            return Ok(desk);
        }
        let desk = Opening::of(&self.settings).open(Callers::One)?;
        Ok(self.desk.get_or_init(|| desk))
    }

    /// Returns the desk if it is on this machine.
    ///
    /// # Errors
    /// Fails if it can't be opened, or is remote.
    pub(crate) fn local_desk(&self) -> Result<&LocalDesk, Problem> {
        match self.opened()? {
            Opened::Local(desk) => Ok(desk),
            Opened::Remote(_) => Err(self.lies_elsewhere()),
        }
    }

    /// Opens the desk on this machine for a program that serves it.
    ///
    /// # Errors
    /// Fails if it can't be opened, or is remote.
    pub(crate) fn own_desk(&self) -> Result<LocalDesk, Problem> {
        match Opening::of(&self.settings).open(Callers::Many)? {
            Opened::Local(desk) => Ok(desk),
            Opened::Remote(_) => Err(self.lies_elsewhere()),
        }
    }

    pub(crate) fn lies_elsewhere(&self) -> Problem {
        let said = Message::OnlyWhereItLies.with([&self.settings.desk.value]);
        Problem::new(Code::DeskUnsupported, said).hint(Message::OnlyWhereItLiesHint)
    }

    /// Returns a desk that is opened on first use, for programs that share it among threads.
    pub(crate) fn later_desk(&self) -> LaterDesk {
        LaterDesk::new(Opening::of(&self.settings))
    }

    /// Checks that a person may answer from here: a remote desk requires a token.
    ///
    /// # Errors
    /// Fails if the desk can't be opened, or there is no token.
    pub(crate) fn may_answer(&self) -> Result<(), Problem> {
        match self.opened()? {
            Opened::Local(_) => Ok(()),
            Opened::Remote(desk) => desk.may_answer(),
        }
    }

    /// Returns the path of the file next to the desk with this extension; for a remote desk, in the user's data
    /// folder.
    pub(crate) fn beside_desk(&self, ending: &str) -> PathBuf {
        match &self.settings.desk.value {
            Address::Sqlite(path) => sayso_desk::own_file::beside(path, ending),
            Address::Http(_) => {
                sayso_desk::own_file::beside(&self.settings.data_folder.join("remote"), ending)
            }
        }
    }

    /// Runs the maintenance of the desk. It comes last, when no one waits, and can't fail a finished command.
    pub(crate) fn end(&self) {
        if let Some(Opened::Local(desk)) = self.desk.get() {
            let _ = desk.tidy_up(self.settings.retention());
        }
    }

    /// Returns the asker: the given name or the agent whose shell this is, in the working folder.
    pub(crate) fn asker(&self, from: Option<&str>) -> Asker {
        let named = from.map(str::to_owned).or_else(|| self.settings.from.value.clone());
        Asker {
            name: named.or_else(|| self.agent.clone()).unwrap_or_else(|| Asker::UNNAMED.to_owned()),
            folder: Environment::folder().map(|folder| folder.to_string_lossy().into_owned()),
            session: None,
            account: None,
        }
    }

    /// Returns the person at this machine.
    pub(crate) fn person(&self, surface: Surface, assurance: Assurance) -> Person {
        Person { name: self.environment.user(), surface, assurance }
    }
}

/// Returns the time in the time zone of this machine.
#[expect(clippy::disallowed_methods, reason = "the binary's clock")]
pub(crate) fn local_now() -> Zoned {
    Zoned::now()
}

/// Returns the time, for ages and deadlines on the screen.
#[expect(clippy::disallowed_methods, reason = "the binary's clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}
