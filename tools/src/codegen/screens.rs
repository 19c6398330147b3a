//! The pictures of the inbox in the documents: the program itself on a terminal of ours, key by key.

mod animation;
mod svg;

use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::Parser;

use super::Generated;
use crate::{launch, program};
use animation::Story;

/// The folder of all of them; those in Chinese lie in one of their own in it.
pub(super) const FOLDER: &str = "docs/screens";

/// A language that the screens are shown in.
struct Tongue {
    name: &'static str,
    /// Folder of the pictures.
    folder: &'static str,
    /// Askers with their folders and questions: the last one shows that all are on the screen.
    asks: [(&'static str, &'static str, &'static str); 3],
    /// Words that stand in the list when all of it is there.
    last: &'static str,
    scenes: &'static [Scene],
    story: &'static Story,
}

/// Longest wait for a screen.
const LIMIT: Duration = Duration::from_secs(30);

/// A picture: the keys that lead to it, one after another, and the words that show when each has done its work.
struct Scene {
    name: &'static str,
    columns: u16,
    rows: u16,
    steps: &'static [(&'static str, &'static str)],
}

const TONGUES: [Tongue; 2] = [
    Tongue {
        name: "en",
        folder: FOLDER,
        asks: [
            ("api", "claude", include_str!("../../../examples/deploy.json")),
            (
                "shop",
                "codex",
                r#"{"sayso":1,"title":"Pick a database migration strategy","questions":[{"prompt":"Which one?","options":[{"label":"Online"},{"label":"With a window"}]}]}"#,
            ),
            (
                "ops",
                "cron",
                r#"{"sayso":1,"title":"Weekly preferences","questions":[{"prompt":"Digest?","kind":"confirm"}]}"#,
            ),
        ],
        last: "Weekly preferences",
        scenes: ENGLISH,
        story: &animation::ENGLISH,
    },
    Tongue {
        name: "zh",
        folder: "docs/screens/zh",
        asks: [
            ("api", "claude", include_str!("../../../examples/deploy.zh.json")),
            (
                "shop",
                "codex",
                r#"{"sayso":1,"title":"选择数据库迁移方式","questions":[{"prompt":"用哪一种？","options":[{"label":"在线迁移"},{"label":"停机窗口"}]}]}"#,
            ),
            (
                "ops",
                "cron",
                r#"{"sayso":1,"title":"每周偏好","questions":[{"prompt":"要摘要吗？","kind":"confirm"}]}"#,
            ),
        ],
        last: "每周偏好",
        scenes: CHINESE,
        story: &animation::CHINESE,
    },
];

const CHINESE: &[Scene] = &[
    Scene { name: "inbox", columns: 80, rows: 24, steps: &[("", "智能体在等待")] },
    Scene {
        name: "choice",
        columns: 80,
        rows: 24,
        steps: &[
            ("\r", "先发布到哪个环境"),
            ("2", "追问"),
            ("\t\t", "什么时候"),
            ("2", "灰度 5 %"),
            ("", "草稿已于"),
        ],
    },
];

const ENGLISH: &[Scene] = &[
    Scene { name: "inbox", columns: 80, rows: 24, steps: &[("", "agent waits")] },
    Scene {
        name: "choice",
        columns: 80,
        rows: 24,
        steps: &[
            ("\r", "Question 1 of 5"),
            ("2", "follow-up"),
            ("\t\t", "When should"),
            ("2", "canary 5 %"),
            ("", "Draft saved"),
        ],
    },
    Scene {
        name: "text",
        columns: 80,
        rows: 24,
        steps: &[
            ("\r", " of 6"),
            ("\x1b4", "release notes"),
            ("- v1 endpoints go away in 30 days\r- 고객 공지는 화요일 오전 🇰🇷 👩\u{200d}💻", "고객"),
            ("", "Draft saved"),
        ],
    },
    Scene {
        name: "rating",
        columns: 80,
        rows: 24,
        steps: &[("\r", " of 6"), ("\x1b5", "How confident"), ("4", "4 of 5"), ("", "Draft saved")],
    },
    Scene {
        name: "review",
        columns: 80,
        rows: 24,
        steps: &[("\r", " of 6"), ("\x1b0", "Check your answers")],
    },
    Scene { name: "narrow", columns: 40, rows: 12, steps: &[("\r", "Which region?"), ("\x1b3", "Tonight")] },
];

/// All pictures in every language, each of the same desk as the one before left it.
pub(super) fn all() -> anyhow::Result<Vec<Generated>> {
    let mut pictures = Vec::new();
    for tongue in &TONGUES {
        let world = World::new(tongue)?;
        let ask = |(folder, from, request)| world.ask(folder, from, request);
        let _askers = tongue.asks.into_iter().map(ask).collect::<anyhow::Result<Vec<_>>>()?;
        for scene in tongue.scenes {
            let path = format!("{}/{}.svg", tongue.folder, scene.name);
            let text = world.picture(scene).with_context(|| format!("the picture `{path}`"))?;
            pictures.push(Generated { path, text });
        }
        let path = format!("{}/restart.svg", tongue.folder);
        let text = animation::picture(&World::new(tongue)?, tongue.story);
        pictures.push(Generated { text: text.with_context(|| format!("the picture `{path}`"))?, path });
    }
    Ok(pictures)
}

/// A home and a desk of their own.
struct World<'t> {
    folder: TempDir,
    binary: PathBuf,
    tongue: &'t Tongue,
}

/// A program that waits for an answer, until it is dropped.
struct Asker(Child);

impl Drop for Asker {
    fn drop(&mut self) {
        // One that has ended already needs no end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl<'t> World<'t> {
    fn new(tongue: &'t Tongue) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        for name in ["home/api", "home/shop", "home/ops", "config", "data"] {
            fs::create_dir_all(folder.path().join(name))?;
        }
        Ok(Self { folder, binary: program::path("sayso")?, tongue })
    }

    fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut environment = launch::environment(self.folder.path());
        environment.extend([
            ("SAYSO_LANG", self.tongue.name.into()),
            ("SAYSO_THEME", "dark".into()),
            ("TERM", "xterm-256color".into()),
        ]);
        environment
    }

    /// Returns a command of the program in a folder of the home, without input.
    fn command(&self, folder: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).env_clear().envs(self.environment());
        command.current_dir(self.folder.path().join("home").join(folder)).stdin(Stdio::null());
        command
    }

    /// Starts a program that asks and waits, and comes back when the question is at the desk.
    fn ask(&self, folder: &str, from: &str, request: &str) -> anyhow::Result<Asker> {
        let mut command = self.command(folder, &["ask", "--elsewhere", "--from", from, request]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot run `sayso ask`")?;
        let mut text = [0; 1];
        // It says that it waits once it does.
        child
            .stderr
            .take()
            .context("no stderr")?
            .read_exact(&mut text)
            .context("`sayso ask` said nothing")?;
        Ok(Asker(child))
    }

    /// Returns the output of a command without the desk's own place, as in the terminals of the moving picture.
    fn output(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let mut command = self.command("", arguments);
        let output = command.env_remove("XDG_DATA_HOME").output().context("cannot run `sayso`")?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn picture(&self, scene: &Scene) -> anyhow::Result<String> {
        let size = PtySize { rows: scene.rows, cols: scene.columns, ..PtySize::default() };
        let pair = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(&self.binary);
        command.env_clear();
        self.environment().iter().for_each(|(name, value)| command.env(name, value));
        command.cwd(self.folder.path().join("home"));
        let mut child = pair.slave.spawn_command(command)?;
        let written = launch::output(pair.master.try_clone_reader()?);
        let mut keyboard = pair.master.take_writer()?;
        let at_least_one = |count| NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN);
        let mut parser = Parser::new(at_least_one(scene.rows), at_least_one(scene.columns), 0);
        let mut shown = || -> anyhow::Result<String> {
            // Keys that come before the first frame are for nobody.
            wait(&written, &mut parser, self.tongue.last)?;
            for (keys, words) in scene.steps {
                keyboard.write_all(keys.as_bytes())?;
                keyboard.flush()?;
                wait(&written, &mut parser, words)?;
            }
            // Content without a text to wait for, such as the count above, comes with the frame that is on its way.
            while let Ok(bytes) = written.recv_timeout(Duration::from_millis(150)) {
                parser.process(&bytes);
            }
            Ok(svg::of(parser.screen()))
        };
        let picture = shown();
        let _ = child.kill();
        child.wait()?;
        picture
    }
}

fn wait(written: &Receiver<Vec<u8>>, parser: &mut Parser, words: &str) -> anyhow::Result<()> {
    let until = Instant::now() + LIMIT;
    while !parser.screen().contents().contains(words) {
        match written.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(bytes) => parser.process(&bytes),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                bail!("`{words}` does not come:\n{}", parser.screen().contents())
            }
        }
    }
    Ok(())
}
