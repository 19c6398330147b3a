//! Scenes with an agent behind a thread, a simulated model, and a person over HTTP.

mod approvals;
mod failures;
mod questions;

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use serde_json::Value;

use super::agent::{AgentLaunch, LaunchContext, ThreadAgent};
use super::client::{ThreadClient, TurnEvents};
use super::processes::{AgentProcess, Bridge, wait_for_agent};
use crate::hosts::model::Model;
use crate::hosts::protocol::{ModelReply, ModelRequest};
use crate::hosts::sandbox::{DeskServer, NO_NETWORK, Sandbox, id, poll_until};

/// Name of the agent at the desk.
const AGENT: &str = "agent";
/// Message of the person.
const PROMPT: &str = "Find out what the person saw.";
/// Most interrupts of one turn: each question once more for each start of the agent, and permissions to ask.
const MOST_INTERRUPTS: usize = 8;

/// Test with an agent behind a thread.
#[derive(Debug)]
pub(in crate::hosts) struct ThreadScene {
    pub(in crate::hosts) name: &'static str,
    /// Returns true for the agents with which it can be run.
    fits: fn(&ThreadAgent) -> bool,
    /// Decides the model's reply to a request, and stores the results of tools that the request contains.
    script: fn(&ModelRequest, &Mutex<Vec<String>>) -> ModelReply,
    /// Speaks as the person, and checks the result.
    run: fn(&mut ThreadRun<'_>) -> anyhow::Result<()>,
}

/// Returns the scenes of an agent, in the order in which they are run.
pub(in crate::hosts) fn of_agent(agent: &ThreadAgent) -> impl Iterator<Item = &'static ThreadScene> {
    let scenes = questions::SCENES.iter().chain(approvals::SCENES).chain(failures::SCENES);
    scenes.filter(|scene| (scene.fits)(agent))
}

/// Runs a scene.
///
/// # Errors
/// Fails if the scene does, or if it leaves an open ask.
pub(in crate::hosts) fn run(
    scene: &ThreadScene,
    agent: &ThreadAgent,
    packages: &Path,
    sandbox: &Sandbox,
) -> anyhow::Result<()> {
    let tool_results = Arc::new(Mutex::new(Vec::new()));
    let (results, script) = (Arc::clone(&tool_results), scene.script);
    let reply = move |request: &ModelRequest| script(request, &results);
    let model = Model::start(Box::new(reply), &sandbox.path("model.log"))?;
    let setup = ServerSetup { sandbox, agent, packages, model };
    let server = setup.serve("127.0.0.1:0")?;
    let bridge = setup.start_bridge(&server)?;
    let token = fs::read_to_string(sandbox.new_token("person", "ada")?)?;
    let person = ThreadClient::new(server.address(), &token, AGENT)?;
    let mut run = ThreadRun { setup, server: Some(server), bridge, person, tool_results };
    (scene.run)(&mut run)?;
    run.check_no_open_ask()
}

/// All that the start of a server with an agent depends on.
struct ServerSetup<'a> {
    sandbox: &'a Sandbox,
    agent: &'a ThreadAgent,
    packages: &'a Path,
    model: Model,
}

impl ServerSetup<'_> {
    /// Starts a server at an address.
    fn serve(&self, address: &str) -> anyhow::Result<DeskServer> {
        self.sandbox.start_server(address, |_| {})
    }

    /// Starts a bridge with the agent.
    fn start_bridge(&self, server: &DeskServer) -> anyhow::Result<Bridge> {
        let Self { sandbox, agent, packages, model } = self;
        let context = LaunchContext { sandbox, packages, model: &model.url };
        let AgentLaunch { command, variables } = agent.launch(context)?;
        // Programs of its packages come before those of the system.
        let mut path = OsString::from(packages.join(".bin"));
        if let Some(known) = std::env::var_os("PATH") {
            path.push(":");
            path.push(known);
        }
        let log = File::options().create(true).append(true).open(sandbox.path("bridge.log"))?;
        let token = sandbox.path("asker.token");
        if !token.exists() {
            sandbox.new_token("asker", AGENT)?;
        }
        let mut bridge = sandbox.host(sandbox.sayso());
        let address = format!("http://{}", server.address());
        bridge.args(["agent", AGENT, "--server", &address, "--"]).args(command);
        bridge.env("PATH", path).env("SAYSO_TOKEN_FILE", token);
        bridge.envs(NO_NETWORK).envs(variables).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Bridge::start(&mut bridge)
    }
}

/// Run of a scene with one agent.
struct ThreadRun<'a> {
    setup: ServerSetup<'a>,
    /// Running server; `None` while it starts again.
    server: Option<DeskServer>,
    bridge: Bridge,
    person: ThreadClient,
    /// Results of tools in the agent's last request to the model.
    tool_results: Arc<Mutex<Vec<String>>>,
}

impl ThreadRun<'_> {
    /// Returns the agent's process.
    fn agent(&self) -> anyhow::Result<AgentProcess> {
        wait_for_agent(&self.bridge)
    }

    /// Kills the server, and starts it again at its address.
    fn restart_server(&mut self) -> anyhow::Result<()> {
        let server = self.server.take().context("the server was killed")?;
        let address = server.address().to_owned();
        server.kill()?;
        self.server = Some(self.setup.serve(&address)?);
        Ok(())
    }

    /// Kills the bridge, and starts it again once its agent has ended.
    fn restart_bridge(&mut self) -> anyhow::Result<()> {
        let agent = self.agent()?;
        self.bridge.kill();
        agent.wait_for_end().context("after its bridge was killed")?;
        self.bridge = self.setup.start_bridge(self.server.as_ref().context("the server was killed")?)?;
        Ok(())
    }

    /// Sends the person's message, which must lead to an interrupt.
    fn send_until_interrupt(&self) -> anyhow::Result<TurnEvents> {
        let events = self.person.send_message(PROMPT)?;
        if events.interrupt().is_none() {
            bail!("the agent did not ask: {events:?}");
        }
        Ok(events)
    }

    /// Decides on each interrupt until the turn has ended, and returns the last events.
    fn decide_all(
        &self,
        mut events: TurnEvents,
        decide: fn(&Value) -> anyhow::Result<Value>,
    ) -> anyhow::Result<TurnEvents> {
        for _ in 0..MOST_INTERRUPTS {
            let Some(asked) = events.interrupt() else {
                self.check_idle(&events)?;
                return Ok(events);
            };
            events = self.person.resume(&decide(asked)?)?;
        }
        bail!("the agent asks again and again: {events:?}")
    }

    /// Checks that the turn has ended without a failure.
    fn check_idle(&self, events: &TurnEvents) -> anyhow::Result<()> {
        if events.has_failed() {
            bail!("the turn has failed: {events:?}");
        }
        let status = self.person.status()?;
        if status != "idle" {
            bail!("the thread is {status}: {events:?}");
        }
        Ok(())
    }

    /// Checks that the model's last request has a result of a tool that contains these words.
    fn check_result(&self, words: &str) -> anyhow::Result<()> {
        let results = self.tool_results.lock().unwrap_or_else(PoisonError::into_inner);
        if results.last().is_some_and(|last| last.contains(words)) {
            return Ok(());
        }
        bail!("the model did not get {words}: {results:?}")
    }

    /// Waits until no ask is open.
    fn check_no_open_ask(&self) -> anyhow::Result<()> {
        let sandbox = self.setup.sandbox;
        poll_until("end of all asks", || {
            let asks = sandbox.asks()?;
            let states = asks.iter().filter_map(id).map(|ask| sandbox.ask_state(&ask));
            let states = states.collect::<anyhow::Result<Vec<_>>>()?;
            Ok(states.iter().all(|state| state != "open").then_some(()))
        })
    }
}
