//! A home and a desk of their own for one storm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use portable_pty::CommandBuilder;
use sayso_desk::StoreDesk;
use sayso_desk::token::TokenRole;
use tempfile::TempDir;

use crate::launch;

/// Place of a storm.
#[derive(Debug)]
pub(super) struct Stage {
    folder: TempDir,
    sayso: PathBuf,
    /// Tokens of the asker and of the person on the network.
    pub(super) asker: String,
    pub(super) person: String,
    /// Host and port of the server while it lives.
    address: Mutex<Option<String>>,
}

impl Stage {
    pub(super) fn new(sayso: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        for name in ["home", "config/sayso", "data/sayso", "work"] {
            fs::create_dir_all(folder.path().join(name))?;
        }
        fs::write(folder.path().join("config/sayso/config.toml"), "scripted_answers = true\n")?;
        let desk = StoreDesk::open(&folder.path().join("data/sayso/desk.db"))?;
        let token = |role, account| -> anyhow::Result<String> {
            Ok(desk.new_token(role, account, None)?.1.reveal().to_owned())
        };
        let (asker, person) = (token(TokenRole::Asker, "ci")?, token(TokenRole::Person, "ada")?);
        Ok(Self { folder, sayso: sayso.to_owned(), asker, person, address: Mutex::default() })
    }

    /// The desk, opened by us.
    pub(super) fn desk(&self) -> anyhow::Result<StoreDesk> {
        Ok(StoreDesk::open(&self.folder.path().join("data/sayso/desk.db"))?)
    }

    /// The program without a terminal.
    pub(super) fn sayso(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.sayso);
        command.args(words).env_clear().envs(launch::environment(self.folder.path())).stdin(Stdio::null());
        command.current_dir(self.folder.path().join("work"));
        command
    }

    /// The program for a terminal of this kind.
    pub(super) fn sayso_on(&self, terminal: &str, words: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(&self.sayso);
        command.args(words);
        command.env_clear();
        launch::environment(self.folder.path()).iter().for_each(|(name, value)| command.env(name, value));
        command.env("TERM", terminal);
        command.cwd(self.folder.path().join("work"));
        command
    }

    /// Address of the server, while it lives.
    pub(super) fn address(&self) -> Option<String> {
        self.address.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_address(&self, address: Option<String>) {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner) = address;
    }

    /// Keeps the folder for whoever looks into what went wrong.
    pub(super) fn keep(self) -> PathBuf {
        self.folder.keep()
    }
}
