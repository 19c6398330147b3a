//! Scenes that are played with each host: the model asks a person, and in its last turn it must have the answer.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;

use super::model::Model;
use super::programs::Host;
use super::speech::{Say, Turn};
use super::stage::{SAID, Stage, until};

/// A scene.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// After how long the host is told to end a call.
    pub(super) limit: Option<Duration>,
    play: fn(&Play<'_>) -> anyhow::Result<()>,
}

/// All scenes, in the order in which they are played.
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "answered at once", limit: None, play: answered_at_once },
    Scene {
        name: "answered after the host's limit has ended the call",
        limit: Some(Duration::from_secs(4)),
        play: answered_after_the_limit,
    },
    Scene { name: "host killed while it waits and started again", limit: None, play: killed },
];

/// Number of times that the model waits again before it gives up.
const TRIES: usize = 6;

/// A scene with one host.
struct Play<'a> {
    stage: &'a Stage,
    host: &'a Host,
    packages: &'a Path,
    model: Model,
    /// Results of tools, as the model last received them.
    heard: Arc<Mutex<Vec<String>>>,
}

/// Plays a scene.
pub(super) fn play(scene: &Scene, host: &Host, packages: &Path, stage: &Stage) -> anyhow::Result<()> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let script = Box::new(move |turn: &Turn| say(turn, &told));
    let model = Model::start(script, &stage.path("model.log"))?;
    let play = Play { stage, host, packages, model, heard };
    (scene.play)(&play)?;
    let asks = stage.asks()?;
    if asks.len() != 1 {
        bail!("there are {} asks", asks.len());
    }
    if !play.last_heard().is_some_and(|last| last.contains(SAID)) {
        bail!("the model did not get the answer: {:?}", play.last_heard());
    }
    Ok(())
}

/// Behaviour of the model: it asks, waits as long as it has no answer, and then repeats the answer.
fn say(turn: &Turn, heard: &Mutex<Vec<String>>) -> Say {
    let Some((ask, group)) = tool(turn, "ask") else { return Say::Words("ok".to_owned()) };
    heard.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&turn.results);
    let question = json!({ "id": "what", "prompt": "What did you see, and when?" });
    match (turn.results.last(), tool(turn, "wait_for_answer")) {
        (None, _) => Say::Call { tool: ask, group, arguments: json!({ "questions": [question] }) },
        (Some(said), _) if said.contains(SAID) => Say::Words(format!("A person said: {SAID}")),
        (Some(_), Some((tool, group))) if turn.results.len() < TRIES => {
            Say::Call { tool, group, arguments: json!({}) }
        }
        _ => Say::Words("nobody has answered".to_owned()),
    }
}

/// The name by which the host offers a tool of ours.
fn tool(turn: &Turn, name: &str) -> Option<(String, Option<String>)> {
    let is_ours = |(tool, group): &&(String, Option<String>)| {
        tool.ends_with(name) && format!("{} {tool}", group.as_deref().unwrap_or_default()).contains("sayso")
    };
    turn.tools.iter().find(is_ours).cloned()
}

fn answered_at_once(play: &Play<'_>) -> anyhow::Result<()> {
    let mut host = play.start()?;
    play.stage.answer(&play.stage.asked(&mut host.child)?)?;
    host.ends_well()
}

fn answered_after_the_limit(play: &Play<'_>) -> anyhow::Result<()> {
    let mut host = play.start()?;
    let id = play.stage.asked(&mut host.child)?;
    let told = until("word of the host that the call has ended", || Ok(play.last_heard()))?;
    if told.contains("ask_id") {
        bail!("the host did not end the call by itself: {told}");
    }
    play.stage.answer(&id)?;
    host.ends_well()
}

fn killed(play: &Play<'_>) -> anyhow::Result<()> {
    let mut first = play.start()?;
    let id = play.stage.asked(&mut first.child)?;
    first.child.kill()?;
    let status = first.child.wait()?;
    if status.code().is_some() {
        bail!("the host was not killed, it had ended with {status}");
    }
    play.stage.answer(&id)?;
    play.start()?.ends_well()
}

impl Play<'_> {
    /// Starts the host with a prompt, and nobody in front of it.
    fn start(&self) -> anyhow::Result<Running> {
        let prompt = "Find out what the person saw.";
        let mut command = self.host.command(self.packages, self.stage, &self.model.url, prompt)?;
        let log = File::options().create(true).append(true).open(self.stage.path("host.log"))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot run {:?}", command.get_program()))?;
        Ok(Running { child })
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
    fn ends_well(mut self) -> anyhow::Result<()> {
        let status: ExitStatus = until("end of the host", || Ok(self.child.try_wait()?))?;
        if !status.success() {
            bail!("the host ended with {status}");
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The group is the one that was made for it, so nothing else is in it. Once the host has ended by itself its
        // number may be somebody else's.
        if matches!(self.child.try_wait(), Ok(None))
            && let Some(group) = Pid::from_raw(self.child.id().cast_signed())
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}
