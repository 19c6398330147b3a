//! Recordings of hooks: what a real host gives `sayso hook`, and what it gets back. They are kept as vectors, so that
//! `check` knows the shapes of each version without the host.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::programs::Host;
use super::stage::Stage;

/// Folder of the recordings, from the root.
const FOLDER: &str = "crates/dialects/tests/vectors/hook/recorded";
/// Files in a host's home that name our program as a hook.
const FILES: [&str; 4] = [
    "home/.claude/settings.json",
    "home/.codex/config.toml",
    "home/.copilot/hooks/sayso.json",
    "home/.config/opencode/plugins/sayso.js",
];

/// Puts a program before ours that keeps what goes in and what comes out.
pub(super) fn install(stage: &Stage, sayso: &Path) -> anyhow::Result<()> {
    let records = stage.path("records");
    fs::create_dir_all(&records)?;
    let (records, sayso) = (records.display(), sayso.display());
    let script = format!(
        "#!/bin/sh\nfile={records}/$(date +%s%N).$$\ncat > \"$file.in\"\nprintf %s \"$*\" > \"$file.line\"\n\
         '{sayso}' \"$@\" < \"$file.in\" > \"$file.out\"\nend=$?\ncat \"$file.out\"\nexit $end\n"
    );
    let recorder = stage.write("recorder", &script)?;
    fs::set_permissions(&recorder, fs::Permissions::from_mode(0o755))?;
    let recorder = recorder.display();
    for name in FILES {
        let Ok(text) = fs::read_to_string(stage.path(name)) else { continue };
        let text = text.replace(&format!("{sayso} hook"), &format!("{recorder} hook"));
        stage.write(
            name,
            &text.replace(&format!("PROGRAM = \"{sayso}\""), &format!("PROGRAM = \"{recorder}\"")),
        )?;
    }
    Ok(())
}

/// Recordings of one host.
#[derive(Default)]
pub(super) struct Recordings {
    records: Vec<Value>,
    /// Kinds of records so far: one of each is enough.
    kinds: BTreeSet<String>,
}

impl Recordings {
    /// Takes what was recorded on a stage.
    pub(super) fn take(&mut self, stage: &Stage, scene: &str) -> anyhow::Result<()> {
        let Ok(entries) = fs::read_dir(stage.path("records")) else { return Ok(()) };
        let mut inputs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        inputs.retain(|path| path.extension().is_some_and(|ending| ending == "in"));
        inputs.sort();
        let place = stage.path("").display().to_string();
        let place = place.trim_end_matches('/');
        // Claude Code names folders by the path of the folder that it works in.
        let dashed = place.replace('/', "-");
        for input in inputs {
            let read = |ending: &str| fs::read_to_string(input.with_extension(ending)).unwrap_or_default();
            let shown = |text: &str| text.replace(place, "/stage").replace(&dashed, "-stage");
            let Ok(given) = serde_json::from_str::<Value>(&shown(&read("in"))) else { continue };
            let output: Value = serde_json::from_str(&shown(&read("out"))).unwrap_or_default();
            let line = read("line");
            let named = line.split_whitespace().nth(2).map(str::to_owned);
            if self.kinds.insert(kind(&given, named.as_deref(), &output)) {
                self.records
                    .push(json!({ "scene": scene, "named": named, "input": given, "output": output }));
            }
        }
        Ok(())
    }

    /// Writes them as a file of vectors.
    pub(super) fn write(&self, root: &Path, host: &Host) -> anyhow::Result<()> {
        if self.records.is_empty() {
            return Ok(());
        }
        let file = root.join(FOLDER).join(format!("{}-{}.json", host.name, host.version));
        fs::create_dir_all(root.join(FOLDER))?;
        let vectors = json!({ "host": host.name, "version": host.version, "records": self.records });
        fs::write(&file, format!("{vectors:#}\n"))?;
        println!("{}: {} recordings in {}", host.name, self.records.len(), file.display());
        Ok(())
    }
}

/// The kind of a record: its event, its tool, and the members of its answer.
fn kind(input: &Value, named: Option<&str>, output: &Value) -> String {
    let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();
    let names = ["hook_event_name", "type", "tool_name", "toolName"].map(text).join(" ");
    let is_of_agent = input.get("agent_id").is_some();
    let behavior = output.pointer("/hookSpecificOutput/decision/behavior").or(output.get("behavior"));
    let members =
        |value: &Value| value.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>());
    format!("{names} {named:?} {is_of_agent} {behavior:?} {:?}", members(output))
}
