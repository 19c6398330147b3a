//! Access to the desk that the settings name: on this machine or remote, opened on first use.

use super::desk_opener::{DeskOpener, OpenedDesk};
use super::lazy_desk::LazyDesk;
use super::person_presence::{self, PresenceMark};
use crate::config::environment::ProcessEnv;
use crate::config::{DeskAddress, SettingOrigin, Settings};
use jiff::{SignedDuration, Timestamp};
use sayso_core::i18n::own;
use sayso_core::{AskReader, Audience, Message, Problem, ProblemCode, ServiceUser, display};
use sayso_desk::group::{check_audience_names, service_user_account};
use sayso_desk::own_file::sibling_path;
use sayso_desk::person_mark::PersonMark;
use sayso_desk::store_desk::CallerCount;
use sayso_desk::token::TokenRole;
use sayso_desk::{RetentionPolicy, StoreDesk};
use sayso_server::http::PublicUrl;
use sayso_terminal::short_form;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::time::Duration;

/// Time for maintenance at the end of a program. The next one continues there.
pub(crate) const MAINTENANCE_TIME: Duration = Duration::from_millis(20);

/// Desk of one run, which may not be opened yet.
pub(crate) struct DeskAccess {
    opener: DeskOpener,
    /// Origin of the address.
    origin: SettingOrigin,
    /// Home folder, for names in messages.
    home: String,
    /// Folder of the user's data.
    data_folder: PathBuf,
    opened: OnceCell<OpenedDesk>,
}

impl DeskAccess {
    pub(super) fn new(settings: &Settings, environment: &ProcessEnv) -> Self {
        Self {
            opener: DeskOpener::from_settings(settings),
            origin: settings.desk.origin.clone(),
            home: environment.get("HOME").unwrap_or_default().to_owned(),
            data_folder: settings.data_folder.clone(),
            opened: OnceCell::new(),
        }
    }

    /// Returns the desk with its kind, for calls that only one kind supports.
    ///
    /// # Errors
    /// Fails if it can't be opened.
    pub(crate) fn opened(&self) -> Result<&OpenedDesk, Problem> {
        if let Some(desk) = self.opened.get() {
            return Ok(desk);
        }
        let desk = self.opener.open(CallerCount::One)?;
        Ok(self.opened.get_or_init(|| desk))
    }

    /// Returns the desk if it is on this machine.
    ///
    /// # Errors
    /// Fails if it can't be opened, or is remote.
    pub(crate) fn local(&self) -> Result<&StoreDesk, Problem> {
        match self.opened()? {
            OpenedDesk::Local(desk) => Ok(desk),
            OpenedDesk::Remote(_) => Err(self.remote_problem()),
        }
    }

    /// Opens the desk on this machine for a program that serves it.
    ///
    /// # Errors
    /// Fails if it can't be opened, or is remote.
    pub(crate) fn open_to_serve(&self) -> Result<StoreDesk, Problem> {
        match self.opener.open(CallerCount::Many)? {
            OpenedDesk::Local(desk) => Ok(desk),
            OpenedDesk::Remote(_) => Err(self.remote_problem()),
        }
    }

    /// Returns the address of the desk's pages, without a slash at its end: the one that the settings name, that of a
    /// desk on the network, or the one at which a running program serves the desk.
    ///
    /// # Errors
    /// Fails if the desk can't be opened, or no program serves it.
    pub(crate) fn page_address(&self, settings: &Settings) -> Result<String, Problem> {
        if let Some(url) = &settings.server.public_url.value {
            return Ok(PublicUrl::parse(url)?.to_string());
        }
        let url = match self.opened()? {
            OpenedDesk::Local(desk) => desk.announced_address()?,
            OpenedDesk::Remote(_) => Some(self.opener.address().to_string()),
        };
        match url {
            Some(url) => Ok(url.trim_end_matches('/').to_owned()),
            None => {
                let problem = Problem::new(ProblemCode::DeskUnreachable, Message::NotServed);
                Err(problem.with_hint(Message::NotServedHint))
            }
        }
    }

    /// Returns the audience of these accounts and groups; `None` if there is no name. A remote desk knows its groups
    /// itself.
    ///
    /// # Errors
    /// Fails if a name is none of an account, there are too many, or the desk can't be read.
    pub(crate) fn audience_named(&self, names: Vec<String>) -> Result<Option<Audience>, Problem> {
        if names.is_empty() {
            return Ok(None);
        }
        check_audience_names(&names)?;
        match self.opened()? {
            OpenedDesk::Local(desk) => {
                let mut accounts = Vec::with_capacity(names.len());
                for name in names {
                    accounts.push(match ServiceUser::service_of(&name) {
                        Some(service) if desk.is_service(service)? => service_user_account(&name)?,
                        _ => name,
                    });
                }
                desk.audience_named(&accounts).map(Some)
            }
            OpenedDesk::Remote(_) => {
                Ok(Some(Audience { accounts: names.into_iter().collect(), ..Audience::default() }))
            }
        }
    }

    /// Returns the reader that a person at the desk's file is: an admin in the groups of the account with its name. A desk
    /// on the network filters itself.
    ///
    /// # Errors
    /// Fails if the desk can't be opened or read.
    pub(super) fn reader_of(&self, user: String) -> Result<AskReader, Problem> {
        let OpenedDesk::Local(desk) = self.opened()? else { return Ok(AskReader::Desk) };
        let mut groups = desk.groups_of(&user)?;
        groups.insert(Audience::MEMBERS.to_owned());
        let departures = desk.departures(&desk.groups()?)?;
        Ok(AskReader::admin(user, groups, &Audience::members(), departures.into()))
    }

    /// Returns a desk that is opened on first use, for programs that share it among threads.
    pub(crate) fn lazy(&self) -> LazyDesk {
        LazyDesk::new(self.opener.clone())
    }

    /// Returns the problem of a command that needs the desk's own machine.
    pub(crate) fn remote_problem(&self) -> Problem {
        let message = Message::OnlyWhereItLies.with([own(self.opener.address())]);
        Problem::new(ProblemCode::DeskUnsupported, message).with_hint(Message::OnlyWhereItLiesHint)
    }

    /// Returns whether the desk file doesn't exist yet.
    pub(crate) fn is_missing(&self) -> bool {
        let DeskAddress::Sqlite(path) = self.opener.address() else { return false };
        matches!(path.try_exists(), Ok(false))
    }

    /// Checks that a desk named by a flag or a variable exists, for commands that only read. Asking creates it.
    ///
    /// # Errors
    /// Fails if it doesn't exist.
    pub(crate) fn check_exists(&self) -> Result<(), Problem> {
        match (self.opener.address(), &self.origin) {
            (DeskAddress::Sqlite(path), SettingOrigin::Flag(_) | SettingOrigin::Variable(_))
                if self.is_missing() =>
            {
                let message = Message::NoDeskThere.with([own(path.display())]);
                Err(Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::NoDeskThereHint))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a person may answer from here: a remote desk requires a token.
    ///
    /// # Errors
    /// Fails if the desk can't be opened, or there is no token.
    pub(crate) fn check_may_answer(&self) -> Result<(), Problem> {
        match self.opened()? {
            OpenedDesk::Local(_) => Ok(()),
            OpenedDesk::Remote(desk) => desk.check_may_answer(),
        }
    }

    /// Returns the name of the desk for messages: its file with `~` for the home folder, or its address, which has no
    /// secret.
    pub(crate) fn name(&self) -> String {
        let name = match self.opener.address() {
            DeskAddress::Sqlite(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                short_form::short_folder(&path.to_string_lossy(), &self.home).into_owned()
            }
            DeskAddress::Postgres(address) => address.to_string(),
            DeskAddress::Http(address) => address.to_string(),
        };
        display::escape_line(&name).into_owned()
    }

    /// Returns the path of the file next to the desk with this extension; for a remote desk, in the user's data
    /// folder.
    pub(crate) fn sibling_path(&self, ending: &str) -> PathBuf {
        match self.opener.address() {
            DeskAddress::Sqlite(path) => sibling_path(path, ending),
            DeskAddress::Postgres(_) | DeskAddress::Http(_) => {
                sibling_path(&self.data_folder.join("remote"), ending)
            }
        }
    }

    /// Returns true if a person used the desk within this time: on this machine, on a page, or for a desk on the
    /// network wherever its server says so.
    pub(crate) fn is_person_present(&self, within: SignedDuration) -> bool {
        let is_recent = |last_use: Option<Timestamp>| {
            last_use.is_some_and(|last_use| person_presence::is_recent(last_use, within))
        };
        if is_recent(PersonMark::new(self.presence_file()).last_use()) {
            return true;
        }
        // A server that can't be reached knows no person.
        match self.opener.address() {
            DeskAddress::Http(_) => is_recent(self.remote_use()),
            DeskAddress::Sqlite(_) | DeskAddress::Postgres(_) => false,
        }
    }

    /// Returns the time at which a person last used the desk on the network; `None` if its server doesn't tell.
    fn remote_use(&self) -> Option<Timestamp> {
        let OpenedDesk::Remote(desk) = self.opened().ok()? else { return None };
        desk.account_info(TokenRole::Asker).ok()?.person_seen_at
    }

    /// Records that a person uses the desk, until the mark is dropped.
    pub(crate) fn mark_person(&self) -> PresenceMark {
        PresenceMark::new(self.presence_file())
    }

    /// Returns the file of the mark of a person.
    pub(crate) fn presence_file(&self) -> PathBuf {
        self.sibling_path(".person")
    }

    /// Runs a little of the maintenance of a desk in a file that was opened. A failure fails no command. In a database the
    /// nodes do it: a command would wait there for a standby that is gone.
    pub(super) fn run_maintenance(&self, retention: RetentionPolicy) {
        if let (DeskAddress::Sqlite(_), Some(OpenedDesk::Local(desk))) =
            (self.opener.address(), self.opened.get())
        {
            desk.run_maintenance(retention, MAINTENANCE_TIME);
        }
    }
}
