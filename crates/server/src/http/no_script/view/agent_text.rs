//! Text of agents and people on the pages without scripts, always through `display`. Templates escape it for HTML.

use sayso_core::display;

/// Returns a text of one line, such as a title, a label or a name.
pub(crate) fn one_line(text: &str) -> String {
    display::escape_line(&display::join_lines(text)).into_owned()
}

/// Returns a text as it is, line by line.
pub(crate) fn lines(text: &str) -> String {
    display::escape_lines(text).collect::<Vec<_>>().join("\n")
}

/// Returns Markdown as plain lines.
pub(crate) fn markdown(text: &str) -> String {
    display::markdown_lines(text).join("\n")
}

/// Returns exact data of an action, in which nothing looks like a frame or a mark of ours.
pub(crate) fn exact(text: &str) -> String {
    let shown = display::escape_lines(text).map(|line| display::replace_drawing_characters(&line));
    shown.collect::<Vec<_>>().join("\n")
}
