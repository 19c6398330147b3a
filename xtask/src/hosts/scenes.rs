//! Scenes that are played with each host, in front of a desk of its own.

mod dialogs;
mod mcp;
mod permissions;
mod several;

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process_group};

use super::fronts::Place;
use super::model::Model;
use super::programs::Host;
use super::speech::{Say, Turn};
use super::stage::{Stage, until};

/// A scene.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// Time after which the host is told to end a call.
    pub(super) limit: Option<Duration>,
    /// Returns true for the hosts with which it can be played.
    fits: fn(&Host) -> bool,
    /// Says what the model does in a turn, and keeps the results of tools that it was told.
    script: fn(&Turn, &Mutex<Vec<String>>) -> Say,
    play: fn(&Performance<'_>) -> anyhow::Result<()>,
}

/// Returns the scenes of a host, in the order in which they are played.
pub(super) fn of(host: &Host) -> impl Iterator<Item = &'static Scene> {
    let without_front = mcp::SCENES.iter().chain(permissions::SCENES);
    without_front.chain(dialogs::SCENES).chain(several::SCENES).filter(|scene| (scene.fits)(host))
}

/// A scene with one host.
struct Performance<'a> {
    stage: &'a Stage,
    host: &'a Host,
    packages: &'a Path,
    /// The host's program.
    program: PathBuf,
    model: Model,
    /// Results of tools, as the model last heard them.
    heard: Arc<Mutex<Vec<String>>>,
}

/// Plays a scene.
pub(super) fn play(scene: &Scene, host: &Host, packages: &Path, stage: &Stage) -> anyhow::Result<()> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (told, script) = (Arc::clone(&heard), scene.script);
    let model = Model::start(Box::new(move |turn: &Turn| script(turn, &told)), &stage.path("model.log"))?;
    (scene.play)(&Performance { stage, host, packages, program: packages.join(host.program), model, heard })
}

impl Performance<'_> {
    /// Starts the host with a prompt, and nobody in front of it.
    fn start(&self) -> anyhow::Result<Running> {
        let prompt = "Find out what the person saw.";
        let mut command = self.host.command(self.packages, self.stage, &self.model.url, prompt)?;
        let log = File::options().create(true).append(true).open(self.stage.path("host.log"))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot run {:?}", command.get_program()))?;
        Ok(Running { child })
    }

    fn place(&self) -> Place<'_> {
        Place { stage: self.stage, program: &self.program, model: &self.model.url }
    }

    fn last_heard(&self) -> Option<String> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).last().cloned()
    }
}

/// A host that runs, with whatever it has started itself. All of it ends with this value.
struct Running {
    child: Child,
}

impl Running {
    fn ends_well(self) -> anyhow::Result<()> {
        let status = self.ends()?;
        if !status.success() {
            bail!("the host ended with {status}");
        }
        Ok(())
    }

    /// Waits for the end of the host, whatever it says of it.
    fn ends(mut self) -> anyhow::Result<ExitStatus> {
        until("end of the host", || Ok(self.child.try_wait()?))
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

impl Drop for Running {
    fn drop(&mut self) {
        // The group is the one that was made for it, so nothing else is in it. Once the host has ended by itself its number
        // may be somebody else's.
        if matches!(self.child.try_wait(), Ok(None))
            && let Some(group) = Pid::from_raw(self.child.id().cast_signed())
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}
