//! Tests of the two READMEs: all commands run, and both pages match.

use crate::support::program::TestProgram;
use crate::support::served_desk::ServedDesk;
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
    assert!(english.len() > 10, "{english:?}");
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
    /// Last line that asked, with the id of its ask.
    asking: (String, String),
    /// Programs that run in other terminals.
    waiting: Vec<TestProgram>,
    served: Option<ServedDesk>,
    asked: Option<String>,
}

impl ReadmeReader {
    fn new() -> Self {
        let mut world = TestWorld::new();
        world.allow_scripted_answers();
        let bin = world.path("home/.cargo/bin");
        std::fs::create_dir_all(&bin).unwrap();
        world.set_var("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        Self { world, asking: Default::default(), waiting: Vec::new(), served: None, asked: None }
    }

    /// Returns a call of the shell with a line, in the project's folder.
    fn shell(&self, line: &str) -> ProgramCall {
        self.world.sayso([""; 0]).by_shell(line).in_folder(&root())
    }

    /// Runs a line successfully, in a writable folder.
    fn run_line(&self, line: &str) -> String {
        let ended = self.shell(line).in_folder(&self.world.path("work")).run();
        assert_eq!(ended.exit, 0, "{line}: {ended:?}");
        ended.stdout
    }

    /// Answers an ask of a dialect that `waiting` waits for.
    fn answer_waiting(&self, waiting: TestProgram, dialect: &str, answers: &str) -> String {
        let ask =
            self.world.wait_for_ask(|ask: &Ask| ask.request.dialect == dialect && ask.outcome().is_none());
        let id = ask.id.to_string();
        let output = self.world.sayso(["answer", &id, "--answers", answers]).run();
        assert_eq!(output.exit, 0, "{output:?}");
        let ended = waiting.wait();
        assert_eq!(ended.exit, 0, "{ended:?}");
        ended.stdout
    }

    /// Starts a program that asks, and returns the id of its ask.
    fn start_asker(&mut self, line: &str) -> String {
        let program = self.shell(&format!("exec {line}")).start();
        let pid = program.pid.to_string();
        self.waiting.push(program);
        self.world.wait_for_ask(|ask| format!("{:?}", ask.state.presence).contains(&pid)).id.to_string()
    }

    fn run_command(&mut self, line: &str) {
        let first = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        match first.as_str() {
            "cargo run" => {
                let asked = line.replacen("cargo run -- ", "exec \"$0\" ", 1);
                let title = if line.contains(".zh.") { "发布计划" } else { "Deploy plan" };
                let mut terminal = self.shell(&asked).on_terminal();
                terminal.expect(title).expect("/help").keys("\u{3}");
                assert_eq!(terminal.wait().exit, 130);
            }
            // Runs this very test.
            "cargo xtask" => assert_eq!(line, "cargo xtask test"),
            "cargo install" => {
                assert_eq!(line, "cargo install --path crates/sayso --profile dist");
                assert!(read("Cargo.toml").contains("[profile.dist]"));
                let installed = self.world.path("home/.cargo/bin/sayso");
                std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sayso"), installed).unwrap();
            }
            "sayso ask" => {
                // Replaces the shell, so that it ends with the test.
                let id = self.start_asker(line);
                self.asking = (line.to_owned(), id);
            }
            "pkill -9" => {
                assert_eq!(line, "pkill -9 -x sayso");
                // Programs of other tests have the same name: only those of this one are killed.
                assert!(self.waiting.drain(..).all(TestProgram::kill_9));
                let (asking, id) = self.asking.clone();
                assert_eq!(self.start_asker(&asking), id, "the same question");
            }
            "sayso" => {
                assert!(self.run_line(line).contains("api-gateway"), "the question stands in the list");
            }
            "sayso setup" => {
                let ended = self.shell(&format!("{line} --yes")).run();
                assert!(ended.exit == 0 && ended.stderr.contains(" is connected."), "{ended:?}");
            }
            "sayso serve" => self.served = Some(ServedDesk::start(&self.world)),
            "curl -H" => self.call(line),
            "auq ask" => {
                let waiting = self.shell(line).without_terminal().start();
                let answers = r#"{"answers":[{"questionIndex":0,"selectedOption":"SQLite"}]}"#;
                assert!(self.answer_waiting(waiting, "auq", answers).contains("SQLite"));
            }
            _ if line.starts_with("AskUserQuestion ") => {
                let given = self.shell(line).run_with("1\n");
                assert!(given.exit == 0 && given.stdout.ends_with("\":\"PostgreSQL\"}}\n"), "{given:?}");
            }
            "sayso token" | "ln -s" => {
                self.run_line(line);
            }
            _ => panic!("no test plays the line {line}"),
        }
    }

    /// Calls the desk on the network: asks, or waits for an outcome.
    fn call(&mut self, line: &str) {
        let address = &self.served.as_ref().unwrap().address;
        let line = line.replace("127.0.0.1:7207", address).replacen("curl", "curl -sS", 1);
        let Some(id) = self.asked.clone() else {
            let reply: Value = serde_json::from_str(&self.run_line(&line)).unwrap();
            self.asked = Some(reply["id"].as_str().unwrap().to_owned());
            return;
        };
        if line.contains("/ID/ack") {
            self.run_line(&line.replace("/ID/", &format!("/{id}/")));
            return;
        }
        let waiting =
            self.shell(&line.replace("/ID/", &format!("/{id}/"))).in_folder(&self.world.path("work")).start();
        assert_eq!(self.world.sayso(["answer", &id, "--decline"]).run().exit, 3);
        let reply = waiting.wait().stdout;
        assert!(reply.contains("\"state\":\"declined\""), "{reply}");
    }
}

#[test]
fn curl_lines_work_with_old_curl() {
    // --json came with curl 7.82; Ubuntu 22.04 has 7.81.
    let docs = ["server.md", "threads.md", "dialects/questionnaire.md"].map(|page| format!("docs/{page}"));
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
        for line in commands(page) {
            reader.run_command(&line);
        }
        assert!(reader.asked.is_some() && !reader.waiting.is_empty());
    }
}
