//! Running program of an agent.

use super::folder::AgentFolder;
use super::launch::{LAUNCHER_COMMAND, LaunchPlan};
use super::program::{AgentSandbox, LocalAgentsConfig};
use std::io;
use std::process::{ExitStatus, Stdio};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Running program of an agent. It ends with all of its processes when this is dropped.
#[derive(Debug)]
pub(crate) struct AgentProcess {
    child: Child,
    group: Option<u32>,
}

impl AgentProcess {
    /// Starts the program of an agent in a thread's folder.
    ///
    /// # Errors
    /// Fails if the folder cannot be created, or the system cannot start the launcher.
    pub(crate) fn start(
        config: &LocalAgentsConfig,
        command: &[String],
        folder: &AgentFolder,
    ) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        folder.create(config.user)?;
        let plan = LaunchPlan::new(config, command, folder)?;
        let own_home =
            config.home.clone().filter(|_| config.sandbox == AgentSandbox::Open && config.user.is_none());
        let mut launch = Command::new(&config.launcher);
        launch
            .arg(LAUNCHER_COMMAND)
            .arg(serde_json::to_string(&plan)?)
            .env_clear()
            .envs(config.environment.iter().map(|(name, value)| (name, value)))
            .env("HOME", own_home.unwrap_or_else(|| folder.home()))
            .env("TMPDIR", folder.temporary())
            .current_dir(folder.work())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        {
            launch.process_group(0);
            if let Some(user) = config.user {
                launch.uid(user.uid).gid(user.gid);
            }
        }
        let mut child = launch.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let group = child.id();
        Ok((Self { child, group }, input, output))
    }

    /// Waits for the end of the program, and returns its status.
    pub(crate) async fn wait(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// Ends the program and all of its processes.
    fn kill_group(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take().and_then(|id| i32::try_from(id).ok())
            && let Some(group) = rustix::process::Pid::from_raw(group)
        {
            // The group may have ended.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.start_kill();
    }
}

impl Drop for AgentProcess {
    fn drop(&mut self) {
        self.kill_group();
    }
}
