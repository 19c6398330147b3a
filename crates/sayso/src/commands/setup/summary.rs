//! Summary of a plan, shown between its diff and the question.

use super::host::{HostFolders, SetupHost};
use super::plan::SetupPlan;
use sayso_core::{Lang, Message, display};
use std::fmt::Write as _;

/// Returns the summary: one line a file, what keeps the host from asking at the desk, and how to go back.
pub(super) fn render(host: SetupHost, plan: &SetupPlan, folders: &HostFolders, lang: Lang) -> String {
    let mut text = format!("{}:\n", host.display_name());
    // Writing to a `String` can't fail.
    for file in plan.files() {
        let path = display::escape_line(&file.path.display().to_string()).into_owned();
        let extent = match file.after {
            None => Message::SetupFileRemoved.plain(lang).to_owned(),
            Some(_) if file.before.is_none() => Message::SetupFileNew.plain(lang).to_owned(),
            Some(_) => {
                let (added, removed) = file.line_counts();
                format!("+{added} −{removed}")
            }
        };
        let entries = file.entries.join(", ");
        let separator = if entries.is_empty() { "" } else { ": " };
        let _ = writeln!(text, "  {path} ({extent}){separator}{entries}");
    }
    if !plan.is_undo() {
        for obstacle in host.obstacles(folders) {
            let message = obstacle.message.render(lang);
            let _ = writeln!(text, "  ! {}", display::escape_composed(&message));
        }
        let _ = write!(text, "  {}", Message::SetupWayBack.render_with(lang, [host.name()]));
    }
    text.trim_end().to_owned()
}
