//! Opening of the desk that the settings name, local or remote.

use crate::config::{DeskAddress, PasswordFiles, Settings};
use crate::output::console;
use sayso_core::{Lang, Problem};
use sayso_desk::remote::TokenSet;
use sayso_desk::store_desk::CallerCount;
use sayso_desk::{Desk, RemoteDesk, StoreDesk};
use std::path::PathBuf;

/// Desk that was opened.
pub(crate) enum OpenedDesk {
    /// Desk in a file on this machine, or in a database.
    Local(StoreDesk),
    /// Desk on the network.
    Remote(RemoteDesk),
}

impl OpenedDesk {
    /// Returns the interface of every desk.
    pub(crate) fn desk(&self) -> &dyn Desk {
        match self {
            Self::Local(desk) => desk,
            Self::Remote(desk) => desk,
        }
    }
}

/// Address of a desk, with what is needed to open it.
#[derive(Clone)]
pub(crate) struct DeskOpener {
    address: DeskAddress,
    token_files: Vec<PathBuf>,
    password_files: PasswordFiles,
    lang: Lang,
    session_days: u32,
}

impl DeskOpener {
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        Self {
            address: settings.desk.value.clone(),
            token_files: settings.token_files.value.clone(),
            password_files: settings.password_files.clone(),
            lang: settings.language.value,
            session_days: settings.server.session_days.value,
        }
    }

    /// Returns the address.
    pub(super) const fn address(&self) -> &DeskAddress {
        &self.address
    }

    /// Returns the language of messages.
    pub(crate) const fn lang(&self) -> Lang {
        self.lang
    }

    /// Opens the desk. No request is sent to a remote one yet.
    ///
    /// # Errors
    /// Fails if the desk can't be opened, or a token can't be read.
    pub(crate) fn open(&self, callers: CallerCount) -> Result<OpenedDesk, Problem> {
        Ok(match &self.address {
            DeskAddress::Sqlite(path) => self.with_notice(StoreDesk::open_for(path, callers)?),
            DeskAddress::Postgres(address) => {
                self.with_notice(StoreDesk::open_database(&self.password_files.apply(address)?)?)
            }
            DeskAddress::Http(address) => {
                let tokens = TokenSet::read(&self.token_files)?;
                OpenedDesk::Remote(RemoteDesk::new(address.clone(), tokens, self.lang))
            }
        })
    }

    /// Prints the warning of a desk that was just opened.
    fn with_notice(&self, desk: StoreDesk) -> OpenedDesk {
        if let Some(notice) = desk.notice() {
            console::print_message(&notice.render(self.lang));
        }
        OpenedDesk::Local(desk.with_session_days(self.session_days))
    }
}
