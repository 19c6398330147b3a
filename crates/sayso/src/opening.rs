//! Opening the desk that the settings name, of whichever kind it is.

use crate::console;
use crate::settings::{Address, Settings};
use sayso_core::{Lang, Problem};
use sayso_desk::local::Callers;
use sayso_desk::remote::Tokens;
use sayso_desk::{Desk, LocalDesk, RemoteDesk};
use std::path::PathBuf;

/// A desk that was opened.
pub(crate) enum Opened {
    /// In a file on this machine.
    Local(LocalDesk),
    /// On the network.
    Remote(RemoteDesk),
}

impl Opened {
    /// What every desk can do.
    pub(crate) fn desk(&self) -> &dyn Desk {
        match self {
            Self::Local(desk) => desk,
            Self::Remote(desk) => desk,
        }
    }
}

/// Where a desk is, and what it takes to speak to it.
pub(crate) struct Opening {
    address: Address,
    token_files: Vec<PathBuf>,
    lang: Lang,
}

impl Opening {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            address: settings.desk.value.clone(),
            token_files: settings.token_files.value.clone(),
            lang: settings.language.value,
        }
    }

    /// The language to speak.
    pub(crate) const fn lang(&self) -> Lang {
        self.lang
    }

    /// Opens it. Nothing is said yet to one on the network.
    ///
    /// # Errors
    /// When it cannot be opened, or a token cannot be read.
    pub(crate) fn open(&self, callers: Callers) -> Result<Opened, Problem> {
        Ok(match &self.address {
            Address::Sqlite(path) => {
                let desk = LocalDesk::open_for(path, callers)?;
                if let Some(notice) = desk.notice() {
                    console::say(&notice.render(self.lang));
                }
                Opened::Local(desk)
            }
            Address::Http(address) => {
                let tokens = Tokens::read(&self.token_files)?;
                Opened::Remote(RemoteDesk::new(address.clone(), tokens, self.lang))
            }
        })
    }
}
