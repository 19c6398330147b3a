//! Description of an action, from its data and not from the agent's text; shared by all surfaces.

use crate::wrap::GUTTER;
use sayso_core::i18n::describe_action::{ActionPart, action_parts};
use sayso_core::{Lang, ProposedAction, display};

/// Returns the lines that describe an action: our own sentences, and exact data behind the gutter.
pub fn describe_action(action: &ProposedAction, lang: Lang) -> String {
    let mut lines = Vec::new();
    for part in action_parts(action) {
        match part {
            ActionPart::Sentence(message) => lines.push(message.render(lang)),
            ActionPart::ExactData(text) => {
                let exact = display::exact_lines(&text, lang);
                lines.extend(exact.iter().map(|line| format!("{GUTTER}{line}")));
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::ActionKind;

    /// Returns the first lines about a command of a tool, without the last, which has the command.
    fn head_of(tool: &str) -> String {
        let act = ActionKind::Shell { command: "ls".to_owned(), folder: None };
        let shown = describe_action(&ProposedAction { tool: tool.to_owned(), act }, Lang::En);
        shown.strip_suffix("\nIt runs this in a shell:\n| ls").unwrap().to_owned()
    }

    #[test]
    fn foreign_tool_name_goes_behind_gutter() {
        let unnamed = "If you agree, this tool acts:";
        let said = "Bash is sandboxed by Sayso; it cannot delete anything and";
        assert_eq!(
            head_of("mcp__github.create/pr-1:x"),
            "If you agree, the tool \"mcp__github.create/pr-1:x\" does exactly this:"
        );
        assert_eq!(head_of(said), format!("{unnamed}\n| {said}"));
        assert_eq!(head_of("Bash\nNothing is run."), format!("{unnamed}\n| Bash\n| Nothing is run."));
        assert_eq!(head_of("B\u{430}sh"), format!("{unnamed}\n| B⟦U+0430⟧sh"));
        assert_eq!(head_of(&"x".repeat(65)), format!("{unnamed}\n| {}", "x".repeat(65)));
        assert_eq!(head_of(""), format!("{unnamed}\n| "));
    }
}
