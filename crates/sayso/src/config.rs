//! Settings and the origin of each: defaults, the project's file, the user's file, the environment, flags.
//!
//! **Invariant:** a project's file comes from the author of the project, perhaps the agent. It sets the dialect and
//! its limits, and the language, but never the desk or who may answer.

mod address;
pub(crate) mod agent;
pub(crate) mod environment;
mod faults;
pub(crate) mod ignored_settings;
mod language;
mod server;
mod ui_settings;

pub(crate) use address::DeskAddress;
use address::parse_address;
use environment::ProcessEnv;
use etcetera::BaseStrategy as _;
use faults::FaultCollector;
pub(crate) use faults::SettingFault;
pub(crate) use language::resolve_leniently;
use sayso_core::{Lang, Message, Problem, ProblemCode, limits};
use sayso_desk::local::RetentionPolicy;
use sayso_dialects::{AuqCompat, AuqLimits, Dialect};
use serde::Deserialize;
use server::{ServerSettings, ServerTable};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use ui_settings::UiSettings;

/// Origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SettingOrigin {
    Default,
    File(PathBuf),
    Variable(&'static str),
    Flag(&'static str),
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => path.display().fmt(f),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// Value and its origin.
#[derive(Debug, Clone)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) origin: SettingOrigin,
}

impl<T> From<T> for Setting<T> {
    /// Creates a setting with the default value.
    fn from(value: T) -> Self {
        Self { value, origin: SettingOrigin::Default }
    }
}

/// All settings.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) desk: Setting<DeskAddress>,
    /// Files that hold a token each, for a desk on the network.
    pub(crate) token_files: Setting<Vec<PathBuf>>,
    pub(crate) language: Setting<Lang>,
    pub(crate) dialect: Setting<Option<Dialect>>,
    /// Generation of AUQ, with the limits on a call.
    pub(crate) auq: Setting<AuqLimits>,
    pub(crate) from: Setting<Option<String>>,
    pub(crate) scripted_answers: Setting<bool>,
    pub(crate) settled_days: Setting<u32>,
    pub(crate) draft_days: Setting<u32>,
    pub(crate) server: ServerSettings,
    /// Settings of the user interface.
    pub(crate) ui: UiSettings,
    /// Folder of the user's data.
    pub(crate) data_folder: PathBuf,
    /// Path of the user's file, which may not exist.
    pub(crate) user_file: PathBuf,
    /// Path of the project's file, if there is one.
    pub(crate) project_file: Option<PathBuf>,
}

/// Flags of every command.
#[derive(Debug, Clone, Default)]
pub(crate) struct GlobalFlags {
    pub(crate) desk: Option<String>,
    pub(crate) lang: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct UserFile {
    desk: Option<String>,
    #[serde(default)]
    token_file: TokenFiles,
    language: Option<String>,
    dialect: Option<String>,
    from: Option<String>,
    scripted_answers: Option<bool>,
    #[serde(default)]
    screen: ui_settings::ScreenTable,
    #[serde(default)]
    retention: RetentionTable,
    #[serde(default)]
    server: ServerTable,
    #[serde(default)]
    auq: AuqTable,
}

/// One file or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum TokenFiles {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Default for TokenFiles {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
struct AuqTable {
    compat: Option<String>,
    max_questions: Option<usize>,
    max_options: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
struct RetentionTable {
    settled_days: Option<u32>,
    draft_days: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
struct ProjectFile {
    language: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    auq: AuqTable,
}

/// Name of the user's file, in the folder of their settings.
const USER_FILE: &str = "config.toml";

/// Name of a project's file, searched from the working folder upwards.
const PROJECT_FILE: &str = ".sayso.toml";

/// Function that describes a problem of a value.
type DescribeProblem<'a> = &'a dyn Fn(&Problem) -> String;

/// Value as text with its origin; the first that is set wins.
type SettingLayer = Option<(String, SettingOrigin)>;

impl Settings {
    /// Returns how long settled asks and drafts are kept.
    pub(crate) fn retention(&self) -> RetentionPolicy {
        RetentionPolicy { settled_days: self.settled_days.value, draft_days: self.draft_days.value }
    }

    /// Reads every layer. An invalid file or value sets nothing, and is returned as a fault.
    ///
    /// # Errors
    /// Fails if there is no folder for settings.
    pub(crate) fn read(
        environment: &ProcessEnv,
        flags: &GlobalFlags,
    ) -> Result<(Self, Vec<SettingFault>), Problem> {
        let (config, data) = user_folders()?;
        let user_file = config.join(USER_FILE);
        let say: DescribeProblem<'_> =
            &|problem| problem.message.render(resolve_leniently(environment, flags));
        let mut faults = FaultCollector::default();
        let user: UserFile = faults.value_or_default(SettingFault::FILE, read_toml(&user_file));
        let project_file = find_project_file();
        let project = project_file.as_deref().map(read_project_file).unwrap_or_default();
        let from_user = |value: &Option<String>| -> SettingLayer {
            value.clone().map(|value| (value, SettingOrigin::File(user_file.clone())))
        };
        let from_project = |value: &Option<String>| -> SettingLayer {
            value.clone().zip(project_file.clone().map(SettingOrigin::File))
        };
        let variable = |name: &'static str| -> SettingLayer {
            environment.get(name).map(|v| (v.to_owned(), SettingOrigin::Variable(name)))
        };
        let flag = |name: &'static str, value: &Option<String>| -> SettingLayer {
            value.clone().map(|value| (value, SettingOrigin::Flag(name)))
        };
        let desk =
            flag("--desk", &flags.desk).or_else(|| variable("SAYSO_DESK")).or_else(|| from_user(&user.desk));
        let language =
            language::layers(flags, environment, from_user(&user.language), from_project(&project.language))
                .into_iter()
                .flatten()
                .next();
        let dialect = variable("SAYSO_DIALECT")
            .or_else(|| from_user(&user.dialect))
            .or_else(|| from_project(&project.dialect));
        let from = variable("SAYSO_FROM").or_else(|| from_user(&user.from));
        let file_or_default = |is_set: bool| {
            if is_set { SettingOrigin::File(user_file.clone()) } else { SettingOrigin::Default }
        };
        let usual = RetentionPolicy::default();
        let default_desk = || DeskAddress::Sqlite(data.join("desk.db"));
        let of_locale = || language::from_locale(environment);
        let auq =
            choose_auq_limits(&[(user.auq, Some(&user_file)), (project.auq, project_file.as_ref())], say);
        let settings = Self {
            desk: faults.first_set_or(SettingFault::DESK, desk, parse_address, || default_desk().into(), say),
            language: faults.first_set_or("language", language, language::parse_language, of_locale, say),
            dialect: faults.first_set_or(
                "dialect",
                dialect,
                |name| Dialect::from_name(name).map(Some),
                || None.into(),
                say,
            ),
            auq: faults.value_or("auq", auq, || AuqLimits::default().into()),
            token_files: choose_token_files(environment, user.token_file, &user_file),
            from: faults.first_set_or("from", from, |name| Ok(Some(name.to_owned())), || None.into(), say),
            scripted_answers: Setting {
                value: user.scripted_answers.unwrap_or(false),
                origin: file_or_default(user.scripted_answers.is_some()),
            },
            settled_days: Setting {
                value: user.retention.settled_days.unwrap_or(usual.settled_days),
                origin: file_or_default(user.retention.settled_days.is_some()),
            },
            draft_days: Setting {
                value: user.retention.draft_days.unwrap_or(usual.draft_days),
                origin: file_or_default(user.retention.draft_days.is_some()),
            },
            server: user.server.settings(&user_file),
            ui: UiSettings::read(environment, user.screen, &user_file),
            data_folder: data,
            user_file,
            project_file,
        };
        Ok((settings, faults.into_vec()))
    }
}

/// Returns the settings of a project's file without the invalid ones: the author of the project must not be able to
/// stop a person's commands.
fn read_project_file(file: &Path) -> ProjectFile {
    let mut project: ProjectFile = read_toml(file).unwrap_or_default();
    project.language = project.language.filter(|name| language::parse_language(name).is_ok());
    project.dialect = project.dialect.filter(|name| Dialect::from_name(name).is_ok());
    if project.auq.limits().is_err() {
        project.auq = AuqTable::default();
    }
    project
}

impl AuqTable {
    /// Returns the limits that the table sets.
    ///
    /// # Errors
    /// Fails for an unknown generation, or a limit above the maximum.
    fn limits(&self) -> Result<AuqLimits, Problem> {
        let invalid =
            || Problem::new(ProblemCode::InvalidSetting, Message::AuqSetting.with([AuqLimits::SETTABLE_MAX]));
        let compat = self
            .compat
            .as_deref()
            .map_or(Ok(AuqCompat::default()), |name| AuqCompat::parse(name).ok_or_else(invalid))?;
        let usual = AuqLimits::from_compat(compat);
        let questions = self.max_questions.unwrap_or(usual.questions());
        usual.with_limits(questions, self.max_options.unwrap_or(usual.options())).ok_or_else(invalid)
    }
}

/// Returns the token files from the environment, separated as in `PATH`, or else those of the user's file. Relative
/// paths there start at its folder.
fn choose_token_files(environment: &ProcessEnv, user: TokenFiles, user_file: &Path) -> Setting<Vec<PathBuf>> {
    const VARIABLE: &str = "SAYSO_TOKEN_FILE";
    if let Some(files) = environment.get(VARIABLE) {
        let value = std::env::split_paths(files).filter(|file| !file.as_os_str().is_empty()).collect();
        return Setting { value, origin: SettingOrigin::Variable(VARIABLE) };
    }
    let files = match user {
        TokenFiles::One(file) => vec![file],
        TokenFiles::Several(files) => files,
    };
    let folder = user_file.parent().unwrap_or(Path::new(""));
    let origin =
        if files.is_empty() { SettingOrigin::Default } else { SettingOrigin::File(user_file.to_owned()) };
    Setting { value: files.iter().map(|file| folder.join(file)).collect(), origin }
}

/// Returns the limits of the first file that sets any.
fn choose_auq_limits(
    tables: &[(AuqTable, Option<&PathBuf>)],
    say: DescribeProblem<'_>,
) -> Result<Setting<AuqLimits>, Problem> {
    let Some((table, Some(file))) = tables.iter().find(|(table, _)| *table != AuqTable::default()) else {
        return Ok(AuqLimits::default().into());
    };
    let origin = SettingOrigin::File((*file).clone());
    let value = table.limits().map_err(|problem| {
        let args = ["auq".to_owned(), origin.to_string(), say(&problem)];
        Problem::new(ProblemCode::InvalidSetting, Message::InvalidSetting.with(args))
    })?;
    Ok(Setting { value, origin })
}

/// Returns the user's configuration and data folders.
fn user_folders() -> Result<(PathBuf, PathBuf), Problem> {
    let base = etcetera::choose_base_strategy().map_err(|error| {
        let message =
            Message::InvalidSetting.with(["HOME".to_owned(), "$HOME".to_owned(), error.to_string()]);
        Problem::new(ProblemCode::InvalidSetting, message)
    })?;
    Ok((base.config_dir().join("sayso"), base.data_dir().join("sayso")))
}

fn find_project_file() -> Option<PathBuf> {
    let folder = ProcessEnv::working_folder()?;
    folder.ancestors().map(|folder| folder.join(PROJECT_FILE)).find(|path| path.is_file())
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

fn read_toml<T: Default + for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Problem> {
    let text = match read_settings_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => {
            let message = Message::UnreadableFile.with([path.display().to_string(), error.to_string()]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message));
        }
    };
    toml::from_str(&text).map_err(|error| {
        let message = Message::UnreadableFile.with([path.display().to_string(), error.to_string()]);
        Problem::new(ProblemCode::InvalidSetting, message)
    })
}
