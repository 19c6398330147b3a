//! Tests of the two READMEs: all commands run, and both pages match.

use crate::support::test_world::{ProgramCall, TestWorld};
use sayso_core::Ask;
use serde_json::Value;
use std::path::{Path, PathBuf};

const PAGES: [&str; 2] = ["README.md", "README.zh.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// Returns the commands of a page, without their comments.
fn commands(page: &str) -> Vec<String> {
    let text = read(page);
    let blocks = text.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.split("  # ").next());
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// Returns a value with its human text masked.
fn mask_texts(value: &Value) -> Value {
    const WORDS: [&str; 11] = [
        "title",
        "context",
        "label",
        "prompt",
        "question",
        "header",
        "description",
        "detail",
        "preview",
        "placeholder",
        "annotations",
    ];
    match value {
        Value::Object(members) => {
            let keep = |(name, value): (&String, &Value)| {
                let value = if WORDS.contains(&name.as_str()) { Value::Null } else { mask_texts(value) };
                (name.clone(), value)
            };
            Value::Object(members.iter().map(keep).collect())
        }
        Value::Array(items) => items.iter().map(mask_texts).collect(),
        other => other.clone(),
    }
}

/// Returns a command with its language-specific parts masked.
fn mask_language(line: &str) -> String {
    let shown =
        |part: &str| serde_json::from_str(part).map_or(part.to_owned(), |json| mask_texts(&json).to_string());
    line.replace(".zh.json", ".json").split('\'').map(shown).collect::<Vec<_>>().join("'")
}

#[test]
fn translated_readmes_match() {
    let [english, chinese] =
        PAGES.map(|page| commands(page).iter().map(|line| mask_language(line)).collect::<Vec<_>>());
    assert!(english.len() > 5, "{english:?}");
    assert_eq!(english, chinese);
    let links = |page: &str| {
        let text =
            read(page).replace("docs/screens/zh/", "docs/screens/").replace("README.zh.md", "README.md");
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.map(str::to_owned).collect::<Vec<_>>()
    };
    let [english, chinese] = PAGES.map(links);
    assert_eq!(english, chinese);
    for page in PAGES {
        for target in read(page).split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            assert!(target.starts_with("https:") || root().join(target).exists(), "{page}: {target}");
        }
    }
    let [english, chinese] = ["examples/deploy.json", "examples/deploy.zh.json"]
        .map(|file| mask_texts(&serde_json::from_str(&read(file)).unwrap()));
    assert_eq!(english, chinese);
}

/// Reader of a page who types its commands.
struct ReadmeReader {
    world: TestWorld,
    /// First words of the lines that ran.
    seen: Vec<String>,
}

impl ReadmeReader {
    fn new() -> Self {
        let mut world = TestWorld::new();
        world.allow_scripted_answers();
        world.set_var("PATH", format!("{}:/usr/bin:/bin", world.path("home/.local/bin").display()));
        world.write("work/build/part.o", "");
        Self { world, seen: Vec::new() }
    }

    /// Returns a call of the shell with a line, in a folder.
    fn shell(&self, line: &str, folder: &Path) -> ProgramCall {
        self.world.sayso([""; 0]).by_shell(line).in_folder(folder)
    }

    fn run_command(&mut self, page: &str, line: &str) {
        let work = self.world.path("work");
        let first = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        match first.as_str() {
            // The packages are tried by `cargo xtask dist --check`.
            "curl -fsSL" => {
                let program = self.world.path("home/.local/bin/sayso");
                std::fs::create_dir_all(program.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sayso"), program).unwrap();
            }
            "sayso run" => {
                let mut terminal = self.shell(line, &work).on_terminal();
                let folder = work.canonicalize().unwrap().display().to_string();
                let text = read(page);
                let shown = text.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
                for row in shown.lines().map(str::trim) {
                    terminal.expect(if row.starts_with('/') { &folder } else { row });
                }
                terminal.expect("/help").line("y").expect("/submit").line("/submit");
                let ended = terminal.wait();
                assert!(ended.exit == 0 && !work.join("build").exists(), "{ended:?}");
            }
            "ENV=$(sayso ask" => {
                let waiting = self.shell(&format!("{line}; echo \"$ENV\""), &work).without_terminal().start();
                let ask = self.world.wait_for_ask(|ask: &Ask| ask.outcome().is_none());
                let answers = r#"{"answers":{"answer":"staging"}}"#;
                assert_eq!(
                    self.world.sayso(["answer", &ask.id.to_string(), "--answers", answers]).run().exit,
                    0
                );
                assert_eq!(waiting.wait().stdout, "staging\n");
            }
            "sayso setup" => {
                let ended = self.shell(&format!("{line} --yes"), &work).run();
                assert!(
                    ended.exit == 0
                        && [" is connected.", "已接入"].iter().any(|words| ended.stderr.contains(words)),
                    "{ended:?}"
                );
            }
            "cargo run" => {
                let asked = line.replacen("cargo run -- ", "exec \"$0\" ", 1);
                let title = if line.contains(".zh.") { "发布计划" } else { "Deploy plan" };
                let mut terminal = self.shell(&asked, &root()).on_terminal();
                terminal.expect(title).expect("/help").keys("\u{3}");
                assert_eq!(terminal.wait().exit, 130);
            }
            // The first one runs this very test.
            "cargo xtask" => {
                assert!(["cargo xtask test", "cargo xtask dist --check"].contains(&line), "{line}");
            }
            _ => panic!("no test plays the line {line}"),
        }
        self.seen.push(first);
    }
}

#[test]
fn curl_lines_work_with_old_curl() {
    // --json came with curl 7.82; Ubuntu 22.04 has 7.81.
    let docs = ["server.md", "threads.md", "formats/questionnaire.md"].map(|page| format!("docs/{page}"));
    for page in PAGES.into_iter().map(str::to_owned).chain(docs) {
        let text = read(&page);
        let old = text.lines().filter(|line| line.starts_with("curl ")).find(|line| line.contains(" --json"));
        assert_eq!(old, None, "{page}");
    }
}

#[test]
fn readme_commands_work() {
    for page in PAGES {
        let mut reader = ReadmeReader::new();
        if page.contains(".zh.") {
            reader.world.set_var("SAYSO_LANG", "zh");
        }
        for line in commands(page) {
            reader.run_command(page, &line);
        }
        assert_eq!(reader.seen.len(), 7, "{:?}", reader.seen);
    }
}
