//! Recordings of hooks: what a real host sends to `sayso hook`, and what it gets back. They are stored as test vectors,
//! so that `cargo xtask check` tests the shapes of each version without the host.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::host::Host;
use super::sandbox::Sandbox;

/// Folder of the recordings, from the root.
const FOLDER: &str = "crates/dialects/tests/vectors/hook/recorded";
/// Files in a host's home that name our program as a hook.
const FILES: [&str; 4] = [
    "home/.claude/settings.json",
    "home/.codex/config.toml",
    "home/.copilot/hooks/sayso.json",
    "home/.config/opencode/plugins/sayso.js",
];

/// Installs a wrapper around our hook that stores its input, its output and its arguments.
pub(super) fn install(sandbox: &Sandbox, sayso: &Path) -> anyhow::Result<()> {
    let records = sandbox.path("records");
    fs::create_dir_all(&records)?;
    let (records, sayso) = (records.display(), sayso.display());
    let script = format!(
        "#!/bin/sh\nfile={records}/$(date +%s%N).$$\ncat > \"$file.in\"\nprintf %s \"$*\" > \"$file.line\"\n\
         '{sayso}' \"$@\" < \"$file.in\" > \"$file.out\"\nend=$?\ncat \"$file.out\"\nexit $end\n"
    );
    let recorder = sandbox.write("recorder", &script)?;
    fs::set_permissions(&recorder, fs::Permissions::from_mode(0o755))?;
    let recorder = recorder.display();
    for name in FILES {
        let Ok(text) = fs::read_to_string(sandbox.path(name)) else { continue };
        let text = text.replace(&format!("{sayso} hook"), &format!("{recorder} hook"));
        sandbox.write(
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
    /// Kinds of the records so far: one record of each kind is kept.
    kinds: BTreeSet<String>,
}

impl Recordings {
    /// Adds the recordings of a scene.
    pub(super) fn take(&mut self, sandbox: &Sandbox, scene: &str) -> anyhow::Result<()> {
        let Ok(entries) = fs::read_dir(sandbox.path("records")) else { return Ok(()) };
        let mut inputs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        inputs.retain(|path| path.extension().is_some_and(|ending| ending == "in"));
        inputs.sort();
        let place = sandbox.path("").display().to_string();
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

    /// Writes the recordings as a file of test vectors.
    pub(super) fn write(&self, root: &Path, host: &Host) -> anyhow::Result<()> {
        if self.records.is_empty() {
            return Ok(());
        }
        let file = root.join(FOLDER).join(format!("{}-{}.json", host.name, host.package.version));
        fs::create_dir_all(root.join(FOLDER))?;
        let vectors = json!({ "host": host.name, "version": host.package.version, "records": self.records });
        fs::write(&file, format!("{vectors:#}\n"))?;
        println!("{}: {} recordings in {}", host.name, self.records.len(), file.display());
        Ok(())
    }
}

/// Returns the kind of a record: its event, its tool, and the members of its answer.
fn kind(input: &Value, named: Option<&str>, output: &Value) -> String {
    let text = |name: &str| input.get(name).and_then(Value::as_str).unwrap_or_default();
    let names = ["hook_event_name", "type", "tool_name", "toolName"].map(text).join(" ");
    let is_of_agent = input.get("agent_id").is_some();
    let behavior = output.pointer("/hookSpecificOutput/decision/behavior").or(output.get("behavior"));
    let members =
        |value: &Value| value.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>());
    format!("{names} {named:?} {is_of_agent} {behavior:?} {:?}", members(output))
}
