//! Scenes: tests with a host, a simulated model and a person at a desk.

mod changes;
mod commands;
mod dialogs;
mod forms;
mod mcp;
mod own_tools;
mod permissions;
mod plans;
mod several;
mod switches;

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process_group};

use super::host::Host;
use super::interfaces::LaunchContext;
use super::model::Model;
use super::protocol::{ModelReply, ModelRequest};
use super::sandbox::{Sandbox, poll_until};

/// Test with a host.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// Time limit of a call that the host is configured with.
    pub(super) limit: Option<Duration>,
    /// Returns true for the hosts with which it can be run.
    fits: fn(&Host) -> bool,
    /// Decides the model's reply to a request, and stores the results of tools that the request contains.
    script: fn(&ModelRequest, &Mutex<Vec<String>>) -> ModelReply,
    /// Starts the host, acts as the person, and checks the result.
    run: fn(&SceneRun<'_>) -> anyhow::Result<()>,
}

/// Returns the scenes of a host, in the order in which they are run.
pub(super) fn of_host(host: &Host) -> impl Iterator<Item = &'static Scene> {
    let without_dialogs = mcp::SCENES.iter().chain(permissions::SCENES);
    without_dialogs
        .filter(|_| !host.has_second_interface())
        .chain(dialogs::SCENES)
        .chain(several::SCENES)
        .chain(own_tools::SCENES)
        .chain(forms::SCENES)
        .chain(plans::SCENES)
        .chain(changes::SCENES)
        .chain(switches::SCENES)
        .filter(|scene| (scene.fits)(host))
}

/// Run of a scene with one host.
struct SceneRun<'a> {
    sandbox: &'a Sandbox,
    host: &'a Host,
    packages: &'a Path,
    /// The host's program.
    program: PathBuf,
    model: Model,
    /// Results of tools in the host's last request to the model.
    tool_results: Arc<Mutex<Vec<String>>>,
}

/// Runs a scene.
///
/// # Errors
/// Fails if the scene does.
pub(super) fn run(scene: &Scene, host: &Host, packages: &Path, sandbox: &Sandbox) -> anyhow::Result<()> {
    let tool_results = Arc::new(Mutex::new(Vec::new()));
    let (results, script) = (Arc::clone(&tool_results), scene.script);
    let reply = move |request: &ModelRequest| script(request, &results);
    let model = Model::start(Box::new(reply), &sandbox.path("model.log"))?;
    (scene.run)(&SceneRun {
        sandbox,
        host,
        packages,
        program: packages.join(host.package.program),
        model,
        tool_results,
    })
}

impl SceneRun<'_> {
    /// Starts the host with a prompt and without a terminal.
    fn start(&self) -> anyhow::Result<HostProcess> {
        self.start_with(|_| Ok(()))
    }

    /// Starts the host like that, with more arguments.
    fn start_with(
        &self,
        configure: impl FnOnce(&mut Command) -> anyhow::Result<()>,
    ) -> anyhow::Result<HostProcess> {
        let prompt = "Find out what the person saw.";
        let mut command = self.host.command(self.packages, self.sandbox, &self.model.url, prompt)?;
        configure(&mut command)?;
        let log = File::options().create(true).append(true).open(self.sandbox.path("host.log"))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot run {:?}", command.get_program()))?;
        Ok(HostProcess { child })
    }

    fn launch_context(&self) -> LaunchContext<'_> {
        LaunchContext {
            sandbox: self.sandbox,
            program: &self.program,
            model: &self.model.url,
            is_planning: false,
        }
    }

    /// Forgets the results of tools that the model has received.
    fn forget_results(&self) {
        self.tool_results.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the last result of a tool that the model has received.
    fn last_tool_result(&self) -> Option<String> {
        self.tool_results.lock().unwrap_or_else(PoisonError::into_inner).last().cloned()
    }
}

/// Running host without a terminal. It is killed with all that it has started when this value is dropped.
struct HostProcess {
    child: Child,
}

impl HostProcess {
    /// Waits for the end of the host, which must be a success.
    fn ends_well(self) -> anyhow::Result<()> {
        let status = self.ends()?;
        if !status.success() {
            bail!("the host ended with {status}");
        }
        Ok(())
    }

    /// Waits for the end of the host, and returns its status.
    fn ends(mut self) -> anyhow::Result<ExitStatus> {
        poll_until("end of the host", || Ok(self.child.try_wait()?))
    }

    /// Kills the host alone, as the system does when memory is short.
    fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        let status = self.child.wait()?;
        if status.code().is_some() {
            bail!("the host was not killed, it had ended with {status}");
        }
        Ok(())
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        // Only the host and what it has started are in its process group. After the host's end the number of the group may
        // belong to another one.
        if matches!(self.child.try_wait(), Ok(None))
            && let Some(group) = Pid::from_raw(self.child.id().cast_signed())
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}
