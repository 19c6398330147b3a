//! State of one run of the program.

pub(crate) mod desk_opener;
pub(crate) mod disk_failure;
pub(crate) mod file_size_limit;
mod lazy_desk;
pub(crate) mod writability;

use crate::config::agent;
use crate::config::environment::ProcessEnv;
use crate::config::{DeskAddress, GlobalFlags, Setting, SettingFault, SettingOrigin, Settings};
use crate::session::desk_opener::{DeskOpener, OpenedDesk};
use crate::session::lazy_desk::LazyDesk;
use jiff::{Timestamp, Zoned};
use sayso_core::actor::{AssuranceLevel, Surface};
use sayso_core::{Asker, Lang, Message, Person, Problem, ProblemCode, display};
use sayso_desk::local::CallerCount;
use sayso_desk::{Desk, LocalDesk};
use sayso_terminal::short_form;
use std::cell::OnceCell;
use std::path::PathBuf;

/// Settings, environment and the desk, which is opened on first use.
pub(crate) struct CliSession {
    pub(crate) environment: ProcessEnv,
    pub(crate) settings: Settings,
    /// Invalid settings, for a command that runs despite them.
    pub(crate) faults: Vec<SettingFault>,
    /// Agent whose shell this is.
    pub(crate) agent: Option<String>,
    desk: OnceCell<OpenedDesk>,
}

impl CliSession {
    /// Creates a session with valid settings.
    ///
    /// # Errors
    /// Fails if a setting is invalid.
    pub(crate) fn new(environment: ProcessEnv, flags: &GlobalFlags) -> Result<Self, Problem> {
        let mut session = Self::new_despite_faults(environment, flags)?;
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
    pub(crate) fn new_despite_faults(environment: ProcessEnv, flags: &GlobalFlags) -> Result<Self, Problem> {
        let (settings, faults) = Settings::read(&environment, flags)?;
        let agent = agent::detect(&environment);
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
        self.opened_desk().map(OpenedDesk::desk)
    }

    /// Checks that a desk named by a flag or a variable exists, for commands that only read. Asking creates it.
    ///
    /// # Errors
    /// Fails if it doesn't exist.
    pub(crate) fn require_desk(&self) -> Result<(), Problem> {
        let Setting { value, origin } = &self.settings.desk;
        match (value, origin) {
            (DeskAddress::Sqlite(path), SettingOrigin::Flag(_) | SettingOrigin::Variable(_))
                if self.is_desk_missing() =>
            {
                let message = Message::NoDeskThere.with([path.display()]);
                Err(Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::NoDeskThereHint))
            }
            _ => Ok(()),
        }
    }

    /// Returns the name of the desk for messages: its file with `~` for the home folder, or its address, which has no
    /// secret.
    pub(crate) fn desk_name(&self) -> String {
        let name = match &self.settings.desk.value {
            DeskAddress::Sqlite(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let home = self.environment.get("HOME").unwrap_or_default();
                short_form::short_folder(&path.to_string_lossy(), home).into_owned()
            }
            DeskAddress::Http(address) => address.to_string(),
        };
        display::escape_line(&name).into_owned()
    }

    /// Returns whether the desk file doesn't exist yet.
    pub(crate) fn is_desk_missing(&self) -> bool {
        let DeskAddress::Sqlite(path) = &self.settings.desk.value else { return false };
        matches!(path.try_exists(), Ok(false))
    }

    /// Returns the desk with its kind, for calls that only one kind supports.
    ///
    /// # Errors
    /// Fails if it can't be opened.
    pub(crate) fn opened_desk(&self) -> Result<&OpenedDesk, Problem> {
        if let Some(desk) = self.desk.get() {
            return Ok(desk);
        }
        let desk = DeskOpener::from_settings(&self.settings).open(CallerCount::One)?;
        Ok(self.desk.get_or_init(|| desk))
    }

    /// Returns the desk if it is on this machine.
    ///
    /// # Errors
    /// Fails if it can't be opened, or is remote.
    pub(crate) fn local_desk(&self) -> Result<&LocalDesk, Problem> {
        match self.opened_desk()? {
            OpenedDesk::Local(desk) => Ok(desk),
            OpenedDesk::Remote(_) => Err(self.remote_desk_problem()),
        }
    }

    /// Opens the desk on this machine for a program that serves it.
    ///
    /// # Errors
    /// Fails if it can't be opened, or is remote.
    pub(crate) fn open_local_desk(&self) -> Result<LocalDesk, Problem> {
        match DeskOpener::from_settings(&self.settings).open(CallerCount::Many)? {
            OpenedDesk::Local(desk) => Ok(desk),
            OpenedDesk::Remote(_) => Err(self.remote_desk_problem()),
        }
    }

    pub(crate) fn remote_desk_problem(&self) -> Problem {
        let message = Message::OnlyWhereItLies.with([&self.settings.desk.value]);
        Problem::new(ProblemCode::DeskUnsupported, message).with_hint(Message::OnlyWhereItLiesHint)
    }

    /// Returns a desk that is opened on first use, for programs that share it among threads.
    pub(crate) fn lazy_desk(&self) -> LazyDesk {
        LazyDesk::new(DeskOpener::from_settings(&self.settings))
    }

    /// Checks that a person may answer from here: a remote desk requires a token.
    ///
    /// # Errors
    /// Fails if the desk can't be opened, or there is no token.
    pub(crate) fn check_may_answer(&self) -> Result<(), Problem> {
        match self.opened_desk()? {
            OpenedDesk::Local(_) => Ok(()),
            OpenedDesk::Remote(desk) => desk.check_may_answer(),
        }
    }

    /// Returns the path of the file next to the desk with this extension; for a remote desk, in the user's data
    /// folder.
    pub(crate) fn path_next_to_desk(&self, ending: &str) -> PathBuf {
        match &self.settings.desk.value {
            DeskAddress::Sqlite(path) => sayso_desk::own_file::sibling_path(path, ending),
            DeskAddress::Http(_) => {
                sayso_desk::own_file::sibling_path(&self.settings.data_folder.join("remote"), ending)
            }
        }
    }

    /// Runs the maintenance of the desk. It comes last, when no one waits, and can't fail a finished command.
    pub(crate) fn finish(&self) {
        if let Some(OpenedDesk::Local(desk)) = self.desk.get() {
            let _ = desk.run_maintenance(self.settings.retention());
        }
    }

    /// Returns the asker: the given name or the agent whose shell this is, in the working folder.
    pub(crate) fn asker(&self, from: Option<&str>) -> Asker {
        let named = from.map(str::to_owned).or_else(|| self.settings.from.value.clone());
        Asker {
            name: named.or_else(|| self.agent.clone()).unwrap_or_else(|| Asker::UNNAMED.to_owned()),
            folder: ProcessEnv::working_folder().map(|folder| folder.to_string_lossy().into_owned()),
            session: None,
            account: None,
        }
    }

    /// Returns the person at this machine.
    pub(crate) fn person(&self, surface: Surface, assurance: AssuranceLevel) -> Person {
        Person { name: self.environment.user_name(), surface, assurance }
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
