//! What one run of the program works with.

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

/// Settings, environment and the desk, which is opened when it is first needed.
pub(crate) struct Session {
    pub(crate) environment: Environment,
    pub(crate) settings: Settings,
    /// What is wrong with the settings, for a command that runs all the same.
    pub(crate) faults: Vec<Fault>,
    /// The agent whose shell this is.
    pub(crate) agent: Option<String>,
    desk: OnceCell<Opened>,
}

impl Session {
    /// Reads the settings.
    ///
    /// # Errors
    /// When a setting is wrong.
    pub(crate) fn begin(environment: Environment, flags: &Flags) -> Result<Self, Problem> {
        let mut session = Self::begin_despite_faults(environment, flags)?;
        let fault = session.faults.drain(..).next();
        match fault {
            Some(fault) => Err(fault.problem),
            None => Ok(session),
        }
    }

    /// Reads the settings, with the default in the place of each that is wrong.
    ///
    /// # Errors
    /// When there is no folder for settings.
    pub(crate) fn begin_despite_faults(environment: Environment, flags: &Flags) -> Result<Self, Problem> {
        let (settings, faults) = Settings::read(&environment, flags)?;
        let agent = agent::of(&environment);
        Ok(Self { environment, settings, faults, agent, desk: OnceCell::new() })
    }

    /// The language to speak.
    pub(crate) fn lang(&self) -> Lang {
        self.settings.language.value
    }

    /// The desk.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn desk(&self) -> Result<&dyn Desk, Problem> {
        self.opened().map(Opened::desk)
    }

    /// For those who look for what is there: a desk that somebody named just now is there, or else they named it wrong. Whoever
    /// asks makes it.
    ///
    /// # Errors
    /// When there is none.
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

    /// The name of the desk in messages: its file with `~` for the home folder, or its address, which holds no secret.
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

    /// Whether nobody has made the desk yet.
    pub(crate) fn has_no_desk(&self) -> bool {
        let Address::Sqlite(path) = &self.settings.desk.value else { return false };
        matches!(path.try_exists(), Ok(false))
    }

    /// The desk, for those who ask what only desks of its kind can tell.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn opened(&self) -> Result<&Opened, Problem> {
        if let Some(desk) = self.desk.get() {
            return Ok(desk);
        }
        let desk = Opening::of(&self.settings).open(Callers::One)?;
        Ok(self.desk.get_or_init(|| desk))
    }

    /// The desk, for what is done only where it lies.
    ///
    /// # Errors
    /// When it cannot be opened, or lies elsewhere.
    pub(crate) fn local_desk(&self) -> Result<&LocalDesk, Problem> {
        match self.opened()? {
            Opened::Local(desk) => Ok(desk),
            Opened::Remote(_) => Err(self.lies_elsewhere()),
        }
    }

    /// The desk on this machine, for a program that serves it.
    ///
    /// # Errors
    /// When it cannot be opened, or lies elsewhere.
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

    /// The desk, for those who keep it on threads of their own.
    pub(crate) fn later_desk(&self) -> LaterDesk {
        LaterDesk::new(Opening::of(&self.settings))
    }

    /// Whether a person may answer from here: at a desk on the network that takes a token.
    ///
    /// # Errors
    /// When the desk cannot be opened, or there is no token.
    pub(crate) fn may_answer(&self) -> Result<(), Problem> {
        match self.opened()? {
            Opened::Local(_) => Ok(()),
            Opened::Remote(desk) => desk.may_answer(),
        }
    }

    /// The file that lies beside the desk, with this ending. Beside a desk on the network that is where a user's data lie.
    pub(crate) fn beside_desk(&self, ending: &str) -> PathBuf {
        match &self.settings.desk.value {
            Address::Sqlite(path) => sayso_desk::own_file::beside(path, ending),
            Address::Http(_) => {
                sayso_desk::own_file::beside(&self.settings.data_folder.join("remote"), ending)
            }
        }
    }

    /// Does what the desk needs now and then. Called last, when nobody waits; it cannot fail a command that is done.
    pub(crate) fn end(&self) {
        if let Some(Opened::Local(desk)) = self.desk.get() {
            let _ = desk.tidy_up(self.settings.retention());
        }
    }

    /// Who asks: the name given, or the agent whose shell this is, in the working folder.
    pub(crate) fn asker(&self, from: Option<&str>) -> Asker {
        let named = from.map(str::to_owned).or_else(|| self.settings.from.value.clone());
        Asker {
            name: named.or_else(|| self.agent.clone()).unwrap_or_else(|| Asker::UNNAMED.to_owned()),
            folder: Environment::folder().map(|folder| folder.to_string_lossy().into_owned()),
            session: None,
            account: None,
        }
    }

    /// The person at this machine.
    pub(crate) fn person(&self, surface: Surface, assurance: Assurance) -> Person {
        Person { name: self.environment.user(), surface, assurance }
    }
}

/// The time now, in the time zone of this machine.
#[expect(clippy::disallowed_methods, reason = "the binary's clock")]
pub(crate) fn local_now() -> Zoned {
    Zoned::now()
}

/// The time now, for ages and deadlines on the screen.
#[expect(clippy::disallowed_methods, reason = "the binary's clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}
