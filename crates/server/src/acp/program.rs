//! Configuration of the agents whose programs this server runs.

use std::path::PathBuf;
use std::time::Duration;

/// Agents that this server runs, and the sandboxes around them.
#[derive(Debug, Clone, Default)]
pub struct LocalAgentsConfig {
    /// Agents by name.
    pub agents: Vec<AgentProgram>,
    /// Program of ours that starts them: it builds the sandbox, and becomes the agent.
    pub launcher: PathBuf,
    /// Folder with a folder for each thread.
    pub folder: PathBuf,
    /// Variables that they get besides `HOME` and `TMPDIR`.
    pub environment: Vec<(String, String)>,
    /// Home folder of an agent without a sandbox; one in a sandbox has its own.
    pub home: Option<PathBuf>,
    /// Sandbox around each program.
    pub sandbox: AgentSandbox,
    /// Mode in which their sessions are.
    pub mode: AgentMode,
    /// User that they run as, if it is another one.
    pub user: Option<AgentUser>,
    /// Files and folders that they may read besides the system's and their program's.
    pub readable: Vec<PathBuf>,
    /// Limits of each program.
    pub limits: AgentLimits,
}

/// Agent that this server runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentProgram {
    /// Name, which is its account.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
}

/// Sandbox around an agent's program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AgentSandbox {
    /// Landlock: the kernel shows it its thread's folder, its program and the system's alone.
    Landlock,
    /// None.
    #[default]
    Open,
}

/// Mode in which the sessions of agents are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AgentMode {
    /// The one in which an agent asks a person before it acts, if it has one.
    #[default]
    Asking,
    /// The one that the agent's own settings choose.
    Own,
}

/// User of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentUser {
    /// Number of the user.
    pub uid: u32,
    /// Number of the user's group.
    pub gid: u32,
}

/// Limits of one agent's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentLimits {
    /// Processes and threads that it may start.
    pub processes: u32,
    /// Memory of each of its processes, in bytes.
    pub memory_bytes: u64,
    /// Time without a turn after which it is stopped.
    pub idle: Duration,
    /// Programs that run at once.
    pub programs: usize,
}

impl Default for AgentLimits {
    fn default() -> Self {
        Self { processes: 512, memory_bytes: 4 << 30, idle: Duration::from_secs(10 * 60), programs: 200 }
    }
}
