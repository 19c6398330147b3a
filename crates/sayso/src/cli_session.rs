//! State of one run of the program.

pub(crate) mod desk_access;
pub(crate) mod desk_loss;
pub(crate) mod desk_opener;
pub(crate) mod file_size_limit;
pub(crate) mod lazy_desk;
pub(crate) mod person_presence;
pub(crate) mod writability;

use crate::config::agent;
use crate::config::environment::ProcessEnv;
use crate::config::{GlobalFlags, SettingFault, Settings};
use desk_access::DeskAccess;
use desk_opener::OpenedDesk;
use jiff::{Timestamp, Zoned};
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{AskAccess, Asker, Lang, Person, Problem};
use sayso_desk::{Desk, ListScope};

/// Settings, environment and the desk, which is opened on first use.
pub(crate) struct CliSession {
    pub(crate) environment: ProcessEnv,
    pub(crate) settings: Settings,
    /// Invalid settings, for a command that runs despite them.
    pub(crate) faults: Vec<SettingFault>,
    /// Agent whose shell this is.
    pub(crate) agent: Option<String>,
    /// Desk that the settings name.
    pub(crate) desk_access: DeskAccess,
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
        let desk_access = DeskAccess::new(&settings, &environment);
        Ok(Self { environment, settings, faults, agent, desk_access })
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
        self.desk_access.opened().map(OpenedDesk::desk)
    }

    /// Returns the asks that lists show: those for the person at this machine, or all.
    ///
    /// # Errors
    /// Fails if the desk can't be opened or read.
    pub(crate) fn list_scope(&self, all: bool) -> Result<ListScope, Problem> {
        Ok(ListScope { person: self.desk_access.reader_of(self.environment.user_name())?, all })
    }

    /// Runs the maintenance of the desk. It comes last, when no one waits, and can't fail a finished command.
    pub(crate) fn finish(&self) {
        self.desk_access.run_maintenance(self.settings.retention());
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
        let access = Some(AskAccess::DeskFile);
        Person { name: self.environment.user_name(), surface, assurance, access }
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
