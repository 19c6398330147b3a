//! Agents' programs that setup connects: where their files are, and what belongs into them.

mod claude_code;
mod codex;
mod copilot;
mod mcp_only;
pub(super) mod obstacles;
mod opencode;

use super::change::HostFile;
use crate::config::environment::ProcessEnv;
use sayso_core::{Message, Problem, ProblemCode};
use std::path::PathBuf;

/// Program that setup connects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetupHost {
    ClaudeCode,
    Codex,
    Copilot,
    OpenCode,
    Gemini,
    Cursor,
    VsCode,
    Pi,
}

/// Folders of the hosts for this user.
#[derive(Debug)]
pub(super) struct HostFolders {
    home: PathBuf,
    config: PathBuf,
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
    pi: Option<PathBuf>,
    /// Folders in which programs are found.
    programs: Vec<PathBuf>,
    /// Name or path with which a host starts us.
    program: String,
}

impl SetupHost {
    /// Every host.
    pub(crate) const ALL: [Self; 8] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Copilot,
        Self::OpenCode,
        Self::Gemini,
        Self::Cursor,
        Self::VsCode,
        Self::Pi,
    ];

    /// Returns its name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Pi => "pi",
        }
    }

    /// Returns the host with this name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns the name that people know it by.
    pub(super) const fn display_name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Copilot => "Copilot CLI",
            Self::OpenCode => "OpenCode",
            Self::Gemini => "Gemini CLI",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::Pi => "pi",
        }
    }

    /// Returns the name of its program, by which it is found.
    const fn program_name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::VsCode => "code",
            Self::Pi => "pi",
        }
    }

    /// Returns what the person has to do in the host afterwards.
    pub(super) const fn next_step(self) -> Option<Message> {
        match self {
            Self::Codex => Some(Message::SetupTrustHooks),
            _ => None,
        }
    }

    /// Returns its files with our entries.
    pub(super) fn files(self, folders: &HostFolders) -> Vec<HostFile> {
        match self {
            Self::ClaudeCode => claude_code::files(folders),
            Self::Codex => codex::files(folders),
            Self::Copilot => copilot::files(folders),
            Self::OpenCode => opencode::files(folders),
            Self::Gemini => mcp_only::gemini(folders),
            Self::Cursor => mcp_only::cursor(folders),
            Self::VsCode => mcp_only::vscode(folders),
            Self::Pi => mcp_only::pi(folders),
        }
    }
}

impl HostFolders {
    /// Finds the folders.
    ///
    /// # Errors
    /// Fails if there is no home folder.
    pub(super) fn from_environment(environment: &ProcessEnv) -> Result<Self, Problem> {
        let folder = |name: &str| environment.get(name).map(PathBuf::from);
        let Some(home) = folder("HOME") else {
            let message = Message::InvalidSetting.with(["HOME", "$HOME", "-"]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message));
        };
        let config = match folder("XDG_CONFIG_HOME") {
            Some(config) => config,
            None => home.join(".config"),
        };
        let programs: Vec<_> = match environment.get("PATH") {
            Some(path) => std::env::split_paths(path).collect(),
            None => Vec::new(),
        };
        Ok(Self {
            config,
            claude: folder("CLAUDE_CONFIG_DIR"),
            codex: folder("CODEX_HOME"),
            pi: folder("PI_CODING_AGENT_DIR"),
            program: own_program(&programs),
            home,
            programs,
        })
    }

    /// Returns the hosts on this machine: those whose program or whose files are found.
    pub(super) fn installed_hosts(&self) -> Vec<SetupHost> {
        let mut hosts = Vec::new();
        for host in SetupHost::ALL {
            if self.has_program(host) || host.files(self).iter().any(|file| file.path.exists()) {
                hosts.push(host);
            }
        }
        hosts
    }

    fn has_program(&self, host: SetupHost) -> bool {
        self.programs.iter().any(|folder| folder.join(host.program_name()).is_file())
    }

    /// Returns a command line of ours, as a host's shell reads it.
    fn command(&self, arguments: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
        if self.program.chars().all(is_plain) {
            format!("{} {arguments}", self.program)
        } else {
            format!("'{}' {arguments}", self.program.replace('\'', r"'\''"))
        }
    }
}

/// Returns the name with which a host starts us: our path, unless the name alone leads to it.
fn own_program(programs: &[PathBuf]) -> String {
    const NAME: &str = "sayso";
    let Ok(own_path) = std::env::current_exe().and_then(|path| path.canonicalize()) else {
        return NAME.to_owned();
    };
    let first_file = programs.iter().map(|folder| folder.join(NAME)).find(|file| file.is_file());
    if let Some(file) = first_file
        && file.canonicalize().is_ok_and(|path| path == own_path)
    {
        return NAME.to_owned();
    }
    own_path.to_string_lossy().into_owned()
}
