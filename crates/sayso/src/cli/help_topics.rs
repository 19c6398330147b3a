//! `sayso help TOPIC`: the user documentation, which an installed program carries.

use crate::cli::Cli;
use crate::config::environment::ProcessEnv;
use crate::config::{self, GlobalFlags};
use clap::CommandFactory as _;
use sayso_core::Message;
use std::ffi::OsString;
use std::fmt::Write as _;

/// Pages by their names: the path below `docs`.
const TOPICS: &[(&str, &str)] = &[
    ("backup", include_str!("../../../../docs/backup.md")),
    ("browser", include_str!("../../../../docs/browser.md")),
    ("desk-location", include_str!("../../../../docs/desk-location.md")),
    ("inbox", include_str!("../../../../docs/inbox.md")),
    ("mcp", include_str!("../../../../docs/mcp.md")),
    ("questionnaires", include_str!("../../../../docs/questionnaires.md")),
    ("scale", include_str!("../../../../docs/scale.md")),
    ("server", include_str!("../../../../docs/server.md")),
    ("settings", include_str!("../../../../docs/settings.md")),
    ("sign-in", include_str!("../../../../docs/sign-in.md")),
    ("threads", include_str!("../../../../docs/threads.md")),
    ("formats/ask_user_question", include_str!("../../../../docs/formats/ask_user_question.md")),
    ("formats/auq", include_str!("../../../../docs/formats/auq.md")),
    ("formats/interaction", include_str!("../../../../docs/formats/interaction.md")),
    ("formats/interrupt", include_str!("../../../../docs/formats/interrupt.md")),
    ("formats/questionnaire", include_str!("../../../../docs/formats/questionnaire.md")),
    ("formats/sayso", include_str!("../../../../docs/formats/sayso.md")),
    ("hosts", include_str!("../../../../docs/hosts/README.md")),
    ("hosts/claude-code", include_str!("../../../../docs/hosts/claude-code.md")),
    ("hosts/codex", include_str!("../../../../docs/hosts/codex.md")),
    ("hosts/copilot", include_str!("../../../../docs/hosts/copilot.md")),
    ("hosts/gemini", include_str!("../../../../docs/hosts/gemini.md")),
    ("hosts/opencode", include_str!("../../../../docs/hosts/opencode.md")),
    ("hosts/pi", include_str!("../../../../docs/hosts/pi.md")),
    ("security", include_str!("../../../../SECURITY.md")),
];

/// Returns the text of the topic that the arguments name, or the list of topics. The name of a command is not a topic:
/// its page has the name `docs/NAME`.
pub(crate) fn find(args: &[OsString]) -> Option<String> {
    let [_, help, topic] = args else { return None };
    if help != "help" {
        return None;
    }
    let topic = topic.to_str()?;
    if topic == "topics" {
        return Some(list());
    }
    let name = topic.strip_prefix("docs/").unwrap_or(topic);
    let name = name.strip_suffix(".md").unwrap_or(name);
    if name == topic && is_command(topic) {
        return None;
    }
    TOPICS.iter().find(|(known, _)| *known == name).map(|(known, page)| without_links(known, page))
}

/// Returns a page whose links name topics, since an installed program has none of the files.
fn without_links(topic: &str, page: &str) -> String {
    let folder =
        if topic == "hosts" { topic } else { topic.split_once('/').map_or("", |(folder, _)| folder) };
    let mut text = String::with_capacity(page.len());
    let mut is_code = false;
    for line in page.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        let mut rest = line;
        // Writing to a `String` can't fail.
        while !is_code && let Some((before, target, after)) = split_link(rest) {
            rest = after;
            if target.starts_with("http") {
                let _ = write!(text, "{before}]({target})");
                continue;
            }
            let start = label_start(before);
            text.push_str(before.get(..start).unwrap_or_default().trim_end_matches('!'));
            text.push_str(before.get(start + 1..).unwrap_or_default());
            let _ = linked_topic(folder, target).map_or(Ok(()), |name| write!(text, " (sayso help {name})"));
        }
        text.push_str(rest);
    }
    text
}

/// Splits a line at its first link: what comes before its target, with the label, the target, and the rest.
fn split_link(line: &str) -> Option<(&str, &str, &str)> {
    let (before, linked) = line.split_once("](")?;
    let (target, after) = linked.split_once(')')?;
    Some((before, target, after))
}

/// Returns where the label at the end begins, with its bracket. It may have brackets itself.
fn label_start(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            '[' if depth == 0 => return at,
            '[' => depth -= 1,
            ']' => depth += 1,
            _ => {}
        }
    }
    0
}

/// Returns the topic of a link in a page of this folder.
fn linked_topic(folder: &str, target: &str) -> Option<String> {
    let page = target.split('#').next()?.strip_suffix(".md")?;
    let path = page.trim_start_matches("../");
    let is_beside = path == page && !folder.is_empty();
    let path = if is_beside { format!("{folder}/{page}") } else { path.to_owned() };
    let name = match path.trim_start_matches("docs/") {
        "hosts/README" => "hosts",
        "SECURITY" => "security",
        name => name,
    };
    TOPICS.iter().find(|(known, _)| *known == name).map(|(known, _)| shown_name(known))
}

/// Returns the name to type: that of a command is not a topic.
fn shown_name(name: &str) -> String {
    format!("{}{name}", if is_command(name) { "docs/" } else { "" })
}

fn list() -> String {
    let lang = config::resolve_leniently(&ProcessEnv::read(), &GlobalFlags::default());
    let mut text = Message::TopicsAre.plain(lang).to_owned();
    for (name, page) in TOPICS {
        let title = page.lines().next().unwrap_or_default().trim_start_matches("# ");
        let name = shown_name(name);
        // Writing to a `String` can't fail.
        let _ = write!(text, "\n  {name:28}{title}");
    }
    text
}

fn is_command(name: &str) -> bool {
    Cli::command().find_subcommand(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Pages that are no user documentation, or are the help itself.
    const OTHER_PAGES: [&str; 2] = ["commands", "performance"];

    #[test]
    fn every_user_page_is_a_topic() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for folder in ["", "formats/", "hosts/"] {
            for entry in std::fs::read_dir(docs.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let Some(name) = name.strip_suffix(".md").filter(|name| !OTHER_PAGES.contains(name)) else {
                    continue;
                };
                let name = if name == "README" { "hosts".to_owned() } else { format!("{folder}{name}") };
                assert!(TOPICS.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
    }

    #[test]
    fn commands_go_before_topics() {
        let find = |topic: &str| find(&["sayso", "help", topic].map(OsString::from));
        assert!(find("desk-location").unwrap().starts_with("# "));
        assert!(find("docs/inbox.md").unwrap().starts_with("# "));
        assert!(find("topics").unwrap().contains("docs/inbox"));
        assert_eq!([find("inbox"), find("nothing")], [None, None]);
    }

    #[test]
    fn topics_link_to_topics_alone() {
        let linked =
            "See [a `[b]` c](../mcp.md#x), [d](auq.md), [e](../commands.md), [g](https://h), ![f](x.svg).\n";
        let shown =
            "See a `[b]` c (sayso help docs/mcp), d (sayso help formats/auq), e, [g](https://h), f.\n";
        assert_eq!(without_links("formats/sayso", linked), shown);
        for (name, page) in TOPICS {
            let text = without_links(name, page);
            assert!(!text.contains(".md)") && !text.contains(".svg)"), "{name}");
        }
    }
}
