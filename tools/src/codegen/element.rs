//! The element in `web/`: its messages from the message catalogue, and what esbuild and the TypeScript compiler make of it.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{fs, thread};

use anyhow::{Context, bail};
use sayso_core::rules::consent::words::{AGREEING_WORDS, REFUSING_WORDS};
use sayso_core::{Lang, Message, display};
use serde_json::{Value, json};

use super::Generated;
use xtask::process;

/// The folder of everything that is made for embedding.
pub(super) const FOLDER: &str = "web/dist";
/// Folders whose modules name messages, with what leads from there to the element: it, and the page around it in a
/// conversation.
const SOURCES: [(&str, &str); 2] = [("web/src", "."), ("web/app", "../src")];
/// Module of the messages of a folder.
const MESSAGES: &str = "messages.ts";
const CONSENT: &str = "web/formats/consent.ts";

/// Returns the generated sources, and the files made of all sources.
pub(super) fn all(root: &Path) -> anyhow::Result<Vec<Generated>> {
    let mut made = vec![Generated { path: CONSENT.to_owned(), text: consent_words() }];
    for (folder, element) in SOURCES {
        let text = message_module(&used_messages(&root.join(folder))?, element);
        made.push(Generated { path: format!("{folder}/{MESSAGES}"), text });
    }
    made.extend(bundles(root, &made)?);
    Ok(made)
}

/// Returns the messages that the sources in a folder name.
fn used_messages(folder: &Path) -> anyhow::Result<Vec<Message>> {
    let mut text = String::new();
    for path in sources(folder)? {
        if path != folder.join(MESSAGES) {
            text.push_str(&fs::read_to_string(&path).with_context(|| path.display().to_string())?);
        }
    }
    let names: HashSet<&str> = text
        .split("messages.")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next())
        .collect();
    let is_named = |message: &&Message| names.contains(format!("{message:?}").as_str());
    Ok(Message::ALL.iter().filter(is_named).copied().collect())
}

fn sources(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(sources(&entry.path())?);
        } else if entry.path().extension().is_some_and(|extension| extension == "ts") {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn message_module(messages: &[Message], element: &str) -> String {
    let line = |message: &Message| {
        let [en, zh] = Lang::ALL.map(|lang| quoted(message.template(lang)));
        format!("export const {message:?}: Sentence = [{en}, {zh}];\n")
    };
    let lines: String = messages.iter().map(line).collect();
    format!(
        "// Made by `cargo xtask codegen` from the message catalogue of sayso-core.\n\
         import type {{ Sentence }} from \"{element}/i18n.ts\";\n\n{lines}"
    )
}

fn consent_words() -> String {
    let letters: String = display::latin_lookalikes().flat_map(|(letter, latin)| [letter, latin]).collect();
    let list = |words: &[&str]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
    format!(
        "// Made by `cargo xtask codegen` from sayso-core.\n\n\
         /** Words that agree, in lower case. */\nexport const agreeing: readonly string[] = [{}];\n\
         /** Words that refuse, in lower case. */\nexport const refusing: readonly string[] = [{}];\n\
         /** Greek and Cyrillic letters, each followed by the Latin one that it looks like. */\n\
         export const lookalikes = {};\n",
        list(&AGREEING_WORDS),
        list(&REFUSING_WORDS),
        quoted(&letters)
    )
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Runs the build script on the sources, of which some are generated.
fn bundles(root: &Path, generated: &[Generated]) -> anyhow::Result<Vec<Generated>> {
    if !root.join("node_modules/esbuild").is_dir() {
        bail!("the npm package esbuild is missing: run `cargo xtask setup`");
    }
    let sources: BTreeMap<_, _> = generated.iter().map(|file| (&file.path, &file.text)).collect();
    let input = json!({ "sources": sources }).to_string();
    let mut command = process::command(root, &["node", "web/build.mjs"])?;
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot run `node`")?;
    let mut stdin = child.stdin.take().context("node has no standard input")?;
    let writing = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("`{}` ended with {}", process::shown(&command), output.status);
    }
    writing.join().ok().context("the sources were not written")??;
    let made: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_slice(&output.stdout).context("the output of web/build.mjs")?;
    let files = made.into_values().flatten();
    Ok(files.map(|(path, text)| Generated { path, text }).collect())
}

#[cfg(test)]
mod tests {
    use sayso_core::Message;

    #[test]
    fn messages_have_both_languages() {
        let yes = "export const Yes: Sentence = [\"Yes\", \"是\"];\n";
        assert!(super::message_module(&[Message::Yes], ".").ends_with(yes));
        assert!(super::consent_words().contains("\"go ahead\""));
    }
}
