//! Identity of a tool call, and the calls that no one needs to be asked about.

use super::input::{PLAN_TOOL, QUESTION_TOOL};
use sayso_core::Digest;
use sayso_core::wire::json;
use serde_json::Value;

/// Tools that only read, by the hosts' names in lower case.
const READING_TOOLS: [&str; 14] = [
    "read",
    "grep",
    "glob",
    "ls",
    "list",
    "view",
    "notebookread",
    "todoread",
    "bashoutput",
    "read_file",
    "list_directory",
    "search_file_content",
    "lsp",
    "toolsearch",
];
/// Subcommands that ask a person by themselves.
const ASKING_COMMANDS: [&str; 3] = ["ask", "wait", "AskUserQuestion"];
/// Characters that give a shell more to do than one command with plain arguments.
const SHELL_SYNTAX: [char; 16] =
    [';', '|', '&', '$', '`', '<', '>', '(', ')', '{', '}', '\n', '\r', '\\', '#', '!'];

/// Characters that keep their meaning in double quotes.
const EXPANDED_IN_QUOTES: [char; 4] = ['$', '`', '\\', '!'];

/// Tool call of an agent: the tool's name and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCall {
    tool: String,
    input: Value,
}

impl HookCall {
    pub(super) fn new(tool: String, input: Value) -> Self {
        // Some hosts give the arguments as JSON text.
        let input = match &input {
            Value::String(text) => json::read(text).unwrap_or(input),
            _ => input,
        };
        Self { tool, input }
    }

    /// Returns the name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns the arguments.
    pub fn input(&self) -> &Value {
        &self.input
    }

    /// Returns the digest of the tool and its arguments, by which the end of a call finds the ask about it: the hosts
    /// name a call only once it runs. Answers are left out, since they come with its end. The end of a plan's call has no
    /// arguments; an agent presents one plan at a time.
    pub fn fingerprint(&self) -> String {
        match self.tool.as_str() {
            QUESTION_TOOL => self.digest(self.input.get("questions")),
            PLAN_TOOL => self.digest(None),
            _ => self.digest(Some(&self.input)),
        }
    }

    /// Returns the key of drafts: what was typed at one call is there again at the same one, but not at another plan.
    pub(super) fn draft_key(&self) -> String {
        if self.tool == PLAN_TOOL { self.digest(Some(&self.input)) } else { self.fingerprint() }
    }

    fn digest(&self, input: Option<&Value>) -> String {
        Digest::compute(json::write(&(&self.tool, input.map(sorted))).as_bytes()).to_string()
    }
}

/// Returns the value with its members sorted, because a host may write them in another order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            members.into_iter().map(|(name, value)| (name.clone(), sorted(value))).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        value => value.clone(),
    }
}

/// Returns true if a tool only reads, so that its permission stays with the host unless a setting names it.
pub fn reads_only(tool: &str) -> bool {
    READING_TOOLS.contains(&tool.to_ascii_lowercase().as_str())
}

/// Returns true if the call asks a person through Sayso itself: a second prompt for the same question helps no one.
pub fn is_own_call(call: &HookCall) -> bool {
    is_own_tool(&call.tool) || call.input.get("command").is_some_and(is_own_command)
}

/// Returns true if a tool is one of ours, by the names that hosts give to the tools of the MCP server `sayso`.
pub(super) fn is_own_tool(tool: &str) -> bool {
    ["mcp__sayso__", "sayso-", "sayso_", "sayso/", "mcp_sayso_"].iter().any(|own| tool.starts_with(own))
}

/// Returns true for `sayso ask …` and its kin with plain arguments. Anything that a shell would expand or run besides
/// is not ours.
fn is_own_command(command: &Value) -> bool {
    let words: Vec<&str> = match command {
        Value::String(line) if is_plain_line(line) => line.split_ascii_whitespace().collect(),
        Value::Array(argv) => argv.iter().filter_map(Value::as_str).collect(),
        _ => return false,
    };
    match words.as_slice() {
        ["sayso", command, ..] => ASKING_COMMANDS.contains(command),
        ["AskUserQuestion", ..] => true,
        _ => false,
    }
}

/// Returns true if a shell reads the line as one command with literal arguments: everything outside of quotes is free
/// of its syntax, double quotes expand nothing, and each quote is closed.
fn is_plain_line(line: &str) -> bool {
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some('"') if EXPANDED_IN_QUOTES.contains(&letter) => return false,
            Some(_) => {}
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            None if SHELL_SYNTAX.contains(&letter) => return false,
            None => {}
        }
    }
    quote.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, input: Value) -> HookCall {
        HookCall::new(tool.to_owned(), input)
    }

    #[test]
    fn only_plain_own_calls_pass() {
        let shell = |command: &str| is_own_call(&call("Bash", json!({ "command": command })));
        assert!(["mcp__sayso__ask", "sayso/ask"].iter().all(|tool| is_own_call(&call(tool, json!({})))));
        assert!(shell("sayso ask '{\"a\": \"$b; c\"}'") && shell("sayso wait 9f3a2c11"));
        assert!(shell("sayso ask \"It's done; go on?\""));
        for line in [
            "sayso answer x",
            "sayso ask x; rm -rf /",
            "sayso ask $(rm x)",
            "sayso ask 'a'; rm 'b'",
            "sayso ask 'a' '; rm",
            "sayso ask \"$(rm x)\"",
            "sayso ask \"'\" ; rm x \"'\"",
            "sayso ask \"a",
            "/tmp/sayso ask x",
            "rm sayso ask",
        ] {
            assert!(!shell(line), "{line}");
        }
        assert!(!is_own_call(&call("mcp__other__ask", json!({}))));
    }

    #[test]
    fn plan_is_found_by_its_end_alone() {
        let plan = |text: &str| call("ExitPlanMode", json!({ "plan": text, "planFilePath": "/p.md" }));
        assert_eq!(plan("a").fingerprint(), call("ExitPlanMode", json!({})).fingerprint());
        assert_ne!(plan("a").draft_key(), plan("b").draft_key());
    }

    #[test]
    fn fingerprint_ignores_order_and_answers() {
        let asked = call("AskUserQuestion", json!({ "questions": [{ "a": 1, "b": 2 }] }));
        let ended = json!({ "answers": { "x": "y" }, "questions": [{ "b": 2, "a": 1 }] });
        assert_eq!(asked.fingerprint(), call("AskUserQuestion", ended).fingerprint());
        let other = call("AskUserQuestion", json!({ "questions": [{ "a": 2 }] }));
        assert_ne!(asked.fingerprint(), other.fingerprint());
        assert_ne!(
            call("Bash", json!({ "c": 1 })).fingerprint(),
            call("Zsh", json!({ "c": 1 })).fingerprint()
        );
    }
}
