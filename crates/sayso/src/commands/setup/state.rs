//! State of a host: whether setup's files are there, and what keeps it from asking at the desk.

use super::host::obstacles::Obstacle;
use super::host::{HostFolders, SetupHost};
use super::plan::SetupPlan;
use crate::cli_session::CliSession;
use sayso_core::i18n::own;
use sayso_core::{Lang, LocalizedText, Message, Problem};

/// State of a host.
pub(in crate::commands) struct HostState {
    /// Its name on the command line.
    pub(in crate::commands) name: &'static str,
    /// True if all files are as setup writes them.
    pub(in crate::commands) is_connected: bool,
    /// What is missing or outdated; otherwise that the host is connected.
    files: Vec<LocalizedText>,
    /// What keeps a connected host from asking at the desk.
    obstacles: Vec<Obstacle>,
}

impl HostState {
    /// Reads the state of each host on this machine.
    pub(in crate::commands) fn read_all(session: &CliSession) -> Vec<Self> {
        let Ok(folders) = HostFolders::from_environment(&session.environment) else { return Vec::new() };
        let mut states = Vec::new();
        for host in folders.installed_hosts() {
            states.push(match Self::read(host, &folders) {
                Ok(state) => state,
                Err(problem) => Self::disconnected(host, vec![problem.message]),
            });
        }
        states
    }

    fn disconnected(host: SetupHost, files: Vec<LocalizedText>) -> Self {
        Self { name: host.name(), is_connected: false, files, obstacles: Vec::new() }
    }

    /// Reads the state of a host.
    ///
    /// # Errors
    /// Fails if one of its files can't be read or parsed.
    pub(super) fn read(host: SetupHost, folders: &HostFolders) -> Result<Self, Problem> {
        let plan = SetupPlan::install(host, folders)?;
        let mut faults = Vec::new();
        for file in plan.files() {
            let message = if file.before.is_none() { Message::SetupMissing } else { Message::SetupOutdated };
            faults.push(message.with([own(host.display_name()), own(file.path.display())]));
        }
        if !faults.is_empty() {
            return Ok(Self::disconnected(host, faults));
        }
        let files = vec![Message::SetupUpToDate.with([own(host.display_name())])];
        Ok(Self { name: host.name(), is_connected: true, files, obstacles: host.obstacles(folders) })
    }

    /// Returns true if the host asks at the desk, at least some of what it can.
    pub(in crate::commands) fn is_working(&self) -> bool {
        self.is_connected && !self.obstacles.iter().any(|obstacle| obstacle.is_fatal)
    }

    /// Returns the sentences that describe it.
    pub(in crate::commands) fn sentences(&self, lang: Lang) -> Vec<String> {
        let obstacles = self.obstacles.iter().map(|obstacle| format!("! {}", obstacle.message.render(lang)));
        self.files.iter().map(|file| file.render(lang)).chain(obstacles).collect()
    }
}
