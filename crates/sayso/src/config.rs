//! Settings and the origin of each: defaults, the project's file, the user's file, the environment, flags.
//!
//! **Invariant:** a project's file comes from the author of the project, perhaps the agent. It sets the dialect of
//! asks and its limits: never the desk, who may answer, or what a person's screen shows.

mod address;
pub(crate) mod agent;
mod auq;
pub(crate) mod environment;
mod faults;
mod files;
mod host_hooks;
pub(crate) mod ignored_settings;
mod language;
mod log;
mod mcp;
mod server;
mod sources;
pub(crate) mod table;
mod ui_settings;

pub(crate) use address::{DeskAddress, PasswordFiles, parse_address};
use environment::ProcessEnv;
use faults::FaultCollector;
pub(crate) use faults::SettingFault;
use files::{TokenFiles, UserFile};
use host_hooks::HookSettings;
pub(crate) use language::resolve_leniently;
pub(crate) use log::log_filter;
use mcp::McpSettings;
use sayso_core::{Lang, Problem};
use sayso_desk::RetentionPolicy;
use sayso_dialects::{AuqLimits, Dialect};
use server::ServerSettings;
use sources::SettingSources;
use std::fmt;
use std::path::PathBuf;
pub(crate) use ui_settings::SubmitPlace;
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
    /// Files with the password of a database.
    pub(crate) password_files: PasswordFiles,
    pub(crate) language: Setting<Lang>,
    pub(crate) dialect: Setting<Option<Dialect>>,
    /// Generation of AUQ, with the limits on a call.
    pub(crate) auq: Setting<AuqLimits>,
    pub(crate) from: Setting<Option<String>>,
    pub(crate) scripted_answers: Setting<bool>,
    pub(crate) settled_days: Setting<u32>,
    pub(crate) draft_days: Setting<u32>,
    pub(crate) server: ServerSettings,
    /// Settings of the asks of hosts' hooks.
    pub(crate) hooks: HookSettings,
    /// Settings of the tools of MCP.
    pub(crate) mcp: McpSettings,
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

impl GlobalFlags {
    /// Returns the value of a flag.
    fn get(&self, name: &str) -> Option<String> {
        match name {
            "--desk" => self.desk.clone(),
            "--lang" => self.lang.clone(),
            _ => None,
        }
    }
}

/// Function that describes a problem of a value.
type DescribeProblem<'a> = &'a dyn Fn(&Problem) -> String;

impl Settings {
    /// Returns how long settled asks and drafts are kept.
    pub(crate) fn retention(&self) -> RetentionPolicy {
        RetentionPolicy {
            settled_days: self.settled_days.value,
            draft_days: self.draft_days.value,
            hook_days: self.hooks.kept_days.value,
        }
    }

    /// Reads every source. An invalid file or value sets nothing, and is returned as a fault.
    ///
    /// # Errors
    /// Fails if there is no folder for settings.
    pub(crate) fn read(
        environment: &ProcessEnv,
        flags: &GlobalFlags,
    ) -> Result<(Self, Vec<SettingFault>), Problem> {
        let (config, data) = files::user_folders()?;
        let user_file = config.join(files::USER_FILE);
        let say: DescribeProblem<'_> =
            &|problem| problem.message.render(resolve_leniently(environment, flags));
        let mut faults = FaultCollector::default();
        let user: UserFile = faults.value_or_default(SettingFault::FILE, files::read_toml(&user_file));
        let project_file = files::find_project_file();
        let project = project_file.as_deref().map(files::read_project_file).unwrap_or_default();
        let sources =
            SettingSources { flags, environment, user_file: &user_file, project_file: project_file.as_ref() };
        let first = |spec, user, project| sources.values(spec, user, project).next();
        let desk = first(&table::DESK, user.desk, None);
        let language = first(&table::LANGUAGE, user.language, None);
        let format = first(&table::FORMAT, user.format, project.format);
        let from = first(&table::FROM, user.from, None);
        let auq = [(user.auq, Some(&user_file)), (project.auq, project_file.as_ref())];
        let auq = auq::choose_limits(&auq, say);
        let default_desk = || DeskAddress::Sqlite(data.join("desk.db")).into();
        let from_locale = || language::from_locale(environment);
        let named_format = |name: &str| Dialect::from_name(name).map(Some);
        let usual = RetentionPolicy::default();
        let settings = Self {
            desk: faults.parsed_or(&table::DESK, desk, parse_address, default_desk, say),
            language: faults.parsed_or(
                &table::LANGUAGE,
                language,
                language::parse_language,
                from_locale,
                say,
            ),
            dialect: faults.parsed_or(&table::FORMAT, format, named_format, || None.into(), say),
            auq: faults.value_or(table::AUQ.name, auq, || AuqLimits::default().into()),
            token_files: token_files(&sources, user.token_file),
            password_files: PasswordFiles {
                own: environment.get("SAYSO_DESK_PASSWORD_FILE").map(PathBuf::from),
                pgpass: environment.get("PGPASSFILE").map(PathBuf::from),
            },
            from: from.map_or_else(|| None.into(), |(name, origin)| Setting { value: Some(name), origin }),
            scripted_answers: sources.user_or(user.scripted_answers, false),
            settled_days: sources.user_or(user.retention.settled_days, usual.settled_days),
            draft_days: sources.user_or(user.retention.draft_days, usual.draft_days),
            server: ServerSettings::read(&sources, &user.server),
            hooks: HookSettings::read(&sources, user.hooks),
            mcp: McpSettings::read(&sources, &user.mcp),
            ui: UiSettings::read(&sources, user.screen),
            data_folder: data,
            user_file,
            project_file,
        };
        Ok((settings, faults.into_vec()))
    }
}

/// Returns the token files from the environment, separated as in `PATH`, or else those of the user's file.
fn token_files(sources: &SettingSources<'_>, user: TokenFiles) -> Setting<Vec<PathBuf>> {
    if let Some((files, origin)) = sources.variable(&table::TOKEN_FILE) {
        let value = std::env::split_paths(&files).filter(|file| !file.as_os_str().is_empty()).collect();
        return Setting { value, origin };
    }
    let files = user.paths_from(sources.user_file);
    sources.user_or((!files.is_empty()).then_some(files), Vec::new())
}
