//! Scenes in which the thread, the agent or the server ends while the person is asked.

use super::approvals::{APPROVAL, allow, check_run};
use super::questions::{QUESTION, answer, check_answer, send_until_question};
use super::{ThreadRun, ThreadScene};

/// All scenes, in the order in which they are run.
pub(super) const SCENES: &[ThreadScene] = &[
    ThreadScene { name: "thread deleted while a question waits", run: deleted, ..QUESTION },
    ThreadScene { name: "thread deleted while an approval waits", run: deleted_at_approval, ..APPROVAL },
    ThreadScene { name: "agent killed while a question waits", run: agent_killed, ..QUESTION },
    ThreadScene { name: "agent killed while an approval waits", run: agent_killed_at_approval, ..APPROVAL },
    ThreadScene { name: "server killed while a question waits", run: server_killed, ..QUESTION },
    ThreadScene { name: "server killed while an approval waits", run: server_killed_at_approval, ..APPROVAL },
    ThreadScene { name: "bridge killed while a question waits", run: bridge_killed, ..QUESTION },
    ThreadScene { name: "bridge killed while an approval waits", run: bridge_killed_at_approval, ..APPROVAL },
];

fn deleted(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    send_until_question(run)?;
    delete(run)
}

fn deleted_at_approval(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    run.send_until_interrupt()?;
    delete(run)
}

/// Deletes the thread, and waits until nothing of its agent is left.
fn delete(run: &ThreadRun<'_>) -> anyhow::Result<()> {
    let agent = run.agent()?;
    run.person.delete()?;
    agent.wait_for_end()
}

fn agent_killed(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = send_until_question(run)?;
    run.agent()?.kill()?;
    run.decide_all(events, answer)?;
    check_answer(run)
}

fn agent_killed_at_approval(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = run.send_until_interrupt()?;
    run.agent()?.kill()?;
    run.decide_all(events, allow)?;
    check_run(run)
}

fn server_killed(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = send_until_question(run)?;
    run.restart_server()?;
    run.decide_all(events, answer)?;
    check_answer(run)
}

fn server_killed_at_approval(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = run.send_until_interrupt()?;
    run.restart_server()?;
    run.decide_all(events, allow)?;
    check_run(run)
}

fn bridge_killed(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = send_until_question(run)?;
    run.restart_bridge()?;
    run.decide_all(events, answer)?;
    check_answer(run)
}

fn bridge_killed_at_approval(run: &mut ThreadRun<'_>) -> anyhow::Result<()> {
    let events = run.send_until_interrupt()?;
    run.restart_bridge()?;
    run.decide_all(events, allow)?;
    check_run(run)
}
