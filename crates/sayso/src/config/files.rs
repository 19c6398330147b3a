//! Settings files: where they are, and what they contain as written.

use super::auq::AuqTable;
use super::environment::ProcessEnv;
use super::host_hooks::HooksTable;
use super::mcp::McpTable;
use super::server::ServerTable;
use super::ui_settings::ScreenTable;
use etcetera::BaseStrategy as _;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode, limits};
use sayso_dialects::Dialect;
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Name of the user's file, in the folder of their settings.
pub(super) const USER_FILE: &str = "config.toml";

/// Name of a project's file, searched from the working folder upwards.
const PROJECT_FILE: &str = ".sayso.toml";

/// The user's file as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct UserFile {
    pub(super) desk: Option<String>,
    #[serde(default)]
    pub(super) token_file: TokenFiles,
    pub(super) language: Option<String>,
    pub(super) format: Option<String>,
    pub(super) from: Option<String>,
    pub(super) scripted_answers: Option<bool>,
    #[serde(default)]
    pub(super) screen: ScreenTable,
    #[serde(default)]
    pub(super) retention: RetentionTable,
    #[serde(default)]
    pub(super) server: ServerTable,
    #[serde(default)]
    pub(super) hooks: HooksTable,
    #[serde(default)]
    pub(super) mcp: McpTable,
    #[serde(default)]
    pub(super) auq: AuqTable,
}

/// One file or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum TokenFiles {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Default for TokenFiles {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl TokenFiles {
    /// Returns the paths. Relative ones start at the folder of the settings file.
    pub(super) fn paths_from(self, settings_file: &Path) -> Vec<PathBuf> {
        let files = match self {
            Self::One(file) => vec![file],
            Self::Several(files) => files,
        };
        let folder = settings_file.parent().unwrap_or(Path::new(""));
        files.iter().map(|file| folder.join(file)).collect()
    }
}

/// Table `[retention]` as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RetentionTable {
    pub(super) settled_days: Option<u32>,
    pub(super) draft_days: Option<u32>,
}

/// A project's file as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ProjectFile {
    pub(super) format: Option<String>,
    #[serde(default)]
    pub(super) auq: AuqTable,
}

/// Returns the settings of a project's file without the invalid ones: the author of the project must not be able to
/// stop a person's commands.
pub(super) fn read_project_file(file: &Path) -> ProjectFile {
    let mut project: ProjectFile = read_toml(file).unwrap_or_default();
    project.format = project.format.filter(|name| Dialect::from_name(name).is_ok());
    if project.auq.limits().is_err() {
        project.auq = AuqTable::default();
    }
    project
}

/// Returns the user's configuration and data folders.
///
/// # Errors
/// Fails if there is no home folder.
pub(super) fn user_folders() -> Result<(PathBuf, PathBuf), Problem> {
    let base = etcetera::choose_base_strategy().map_err(|error| {
        let message = Message::InvalidSetting.with([own("HOME"), own("$HOME"), own(error)]);
        Problem::new(ProblemCode::InvalidSetting, message)
    })?;
    Ok((base.config_dir().join("sayso"), base.data_dir().join("sayso")))
}

/// Returns the project's file, if the working folder or one above it has one.
pub(super) fn find_project_file() -> Option<PathBuf> {
    let folder = ProcessEnv::working_folder()?;
    folder.ancestors().map(|folder| folder.join(PROJECT_FILE)).find(|path| path.is_file())
}

/// Reads a settings file. One that doesn't exist sets nothing.
///
/// # Errors
/// Fails if it can't be read, or is invalid.
pub(super) fn read_toml<T: Default + for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Problem> {
    let unreadable = |why: String| {
        let message = Message::UnreadableFile.with([own(path.display()), own(why)]);
        Problem::new(ProblemCode::InvalidSetting, message)
    };
    match read_settings_text(path) {
        Ok(text) => toml::from_str(&text).map_err(|error| unreadable(error.to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// Reads the text of a settings file.
///
/// # Errors
/// Fails if it can't be read, or is longer than [`limits::SETTINGS_BYTES`].
fn read_settings_text(path: &Path) -> io::Result<String> {
    // Every command reads it first, and the author of the project chose its length.
    let mut text = Vec::new();
    File::open(path)?.take(limits::SETTINGS_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > limits::SETTINGS_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    String::from_utf8(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
