//! The moving picture of the README: an agent asks, both programs are killed in the middle of the answer, and neither
//! the question nor the draft is lost. Two programs run on terminals of ours; each shot is what both show then.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use vt100::{Parser, Screen};

use super::svg::{self, Band};
use super::{World, wait};
use crate::launch;

const COLUMNS: u16 = 90;
/// Rows of the agent's terminal and of the person's.
const ROWS: (u16, u16) = (9, 17);
/// Silence after which a screen is whole.
const SETTLED: Duration = Duration::from_millis(250);
/// Silence before the person submits.
const READING: Duration = Duration::from_millis(1_500);

/// The words of the picture in one language.
pub(super) struct Story {
    request: &'static str,
    /// Output of the agent's program while it waits, before the id of the question.
    waits: &'static str,
    /// Words on the first question, on the second one and on the review.
    steps: [&'static str; 3],
    /// Keys of the person, before the kill and after it.
    typed: [&'static str; 2],
    /// Words under the form once the draft is saved, in the inbox about it, and after the answer was sent.
    saved: &'static str,
    going_on: &'static str,
    sent: &'static str,
    captions: [&'static str; 6],
}

pub(super) const ENGLISH: Story = Story {
    request: r#"{"questions":[{"question":"Which environment first?","header":"Env","multiSelect":false,"options":[{"label":"Staging","description":"a copy of last night's data"},{"label":"Production","description":"real traffic, 5 % at first"}]},{"question":"When may it start?","header":"Window","multiSelect":false,"options":[{"label":"Now","description":"the freeze begins at 18:00"},{"label":"Tonight","description":"low traffic, on-call awake"}]}]}"#,
    waits: "sayso wait ",
    steps: ["Question 1 of 2", "Question 2 of 2", "Check your answers"],
    typed: ["Monday,", " after the freeze"],
    saved: "Draft saved",
    going_on: "Your draft:",
    sent: "Sent.",
    captions: [
        "An agent asks, and waits.",
        "You answer in another terminal.",
        "kill -9: both programs are gone.",
        "The agent runs the same command. It finds the same question.",
        "Your draft is where you left it.",
        "You submit, and the agent has your answer.",
    ],
};

pub(super) const CHINESE: Story = Story {
    request: r#"{"questions":[{"question":"先发布到哪个环境？","header":"环境","multiSelect":false,"options":[{"label":"预发布","description":"昨晚数据的副本"},{"label":"生产","description":"真实流量，先放 5 %"}]},{"question":"什么时候可以开始？","header":"时间","multiSelect":false,"options":[{"label":"现在","description":"18:00 起冻结发布"},{"label":"今晚","description":"流量低，有人值班"}]}]}"#,
    waits: "sayso wait ",
    steps: ["第 1 题", "第 2 题", "请确认答案"],
    typed: ["周一，", "冻结之后"],
    saved: "草稿已于",
    going_on: "您的草稿：",
    sent: "已提交。",
    captions: [
        "智能体提问，并等待。",
        "您在另一个终端回答。",
        "kill -9：两个程序都没了。",
        "智能体再运行同一条命令，找到同一个问题。",
        "您的草稿还在原处。",
        "您提交，智能体拿到答案。",
    ],
};

/// Screens that both terminals show for a while.
struct Shot {
    caption: usize,
    seconds: f32,
    agent: Screen,
    person: Screen,
}

/// A program that runs in a terminal.
struct Program {
    child: Box<dyn Child + Send + Sync>,
    written: Receiver<Vec<u8>>,
    keyboard: Box<dyn std::io::Write + Send>,
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that has ended already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A terminal: the commands that are typed in it, and what its programs write.
struct Terminal<'w> {
    world: &'w World<'w>,
    folder: &'static str,
    rows: u16,
    parser: Parser,
    program: Option<Program>,
}

impl<'w> Terminal<'w> {
    fn new(world: &'w World<'w>, folder: &'static str, rows: u16) -> Self {
        let mut terminal = Self { world, folder, rows, parser: parser(rows), program: None };
        terminal.parser.process(b"$ ");
        terminal
    }

    fn shown(&self) -> Screen {
        self.parser.screen().clone()
    }

    /// Types a command line of the program, without the Enter.
    fn type_command(&mut self, arguments: &[&str]) {
        let words = std::iter::once("sayso").chain(arguments.iter().copied());
        self.parser.process(words.collect::<Vec<_>>().join(" ").as_bytes());
    }

    /// Runs the program until these words show.
    fn run(&mut self, arguments: &[&str], words: &str) -> anyhow::Result<()> {
        self.parser.process(b"\r\n");
        let size = PtySize { rows: self.rows, cols: COLUMNS, ..PtySize::default() };
        let pair = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(&self.world.binary);
        command.args(arguments);
        command.env_clear();
        let environment = self.world.environment();
        // The desk's own place is shorter, and the same on every machine.
        let own = environment.iter().filter(|(name, _)| *name != "XDG_DATA_HOME");
        own.for_each(|(name, value)| command.env(name, value));
        command.cwd(self.world.folder.path().join(self.folder));
        let child = pair.slave.spawn_command(command)?;
        let written = launch::output(pair.master.try_clone_reader()?);
        let keyboard = pair.master.take_writer()?;
        self.program = Some(Program { child, written, keyboard });
        self.expect(words)
    }

    /// Waits until these words show and the screen is whole.
    fn expect(&mut self, words: &str) -> anyhow::Result<()> {
        let program = self.program.as_ref().context("no program runs")?;
        wait(&program.written, &mut self.parser, words)?;
        self.expect_silence(SETTLED)
    }

    /// Waits until nothing is written for a while.
    fn expect_silence(&mut self, while_silent: Duration) -> anyhow::Result<()> {
        let program = self.program.as_ref().context("no program runs")?;
        while let Ok(bytes) = program.written.recv_timeout(while_silent) {
            self.parser.process(&bytes);
        }
        Ok(())
    }

    fn press(&mut self, keys: &str, words: &str) -> anyhow::Result<()> {
        let program = self.program.as_mut().context("no program runs")?;
        program.keyboard.write_all(keys.as_bytes())?;
        program.keyboard.flush()?;
        self.expect(words)
    }

    /// Kills the program with -9, and shows what a shell says of it.
    fn kill(&mut self) -> anyhow::Result<()> {
        let mut program = self.program.take().context("no program runs")?;
        let pid = program.child.process_id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        kill_process(pid.context("no process")?, Signal::KILL)?;
        let status = program.child.wait()?;
        let signal = status.signal().context("it ended by itself")?.to_owned();
        // A full screen is left as it was: a person takes a new terminal.
        if self.parser.screen().alternate_screen() {
            self.parser = parser(self.rows);
            self.parser.process(b"$ sayso");
        }
        let newline = if self.parser.screen().cursor_position().1 == 0 { "" } else { "\r\n" };
        self.parser.process(format!("{newline}{signal}\r\n$ ").as_bytes());
        Ok(())
    }

    /// Waits for the end of the program.
    fn finish(&mut self) -> anyhow::Result<()> {
        let mut program = self.program.take().context("no program runs")?;
        loop {
            match program.written.recv_timeout(super::LIMIT) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => bail!("it does not end:\n{}", self.shown().contents()),
            }
        }
        program.child.wait()?;
        self.parser.process(b"$ ");
        Ok(())
    }

    /// The id in the line about waiting, without the wraps of the terminal.
    fn waited_id(&self, before: &str) -> anyhow::Result<String> {
        let all = self.shown().contents();
        let (_, after) = all.rsplit_once(before).context("no line about waiting")?;
        Ok(after.chars().take_while(char::is_ascii_hexdigit).collect())
    }
}

fn parser(rows: u16) -> Parser {
    let at_least_one = |count| NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN);
    Parser::new(at_least_one(rows), at_least_one(COLUMNS), 0)
}

/// The picture, from a run of the program.
pub(super) fn picture(world: &World<'_>, story: &Story) -> anyhow::Result<String> {
    fs::write(world.folder.path().join("home/api/plan.json"), story.request)?;
    let ask = ["ask", "--elsewhere", "--from", "claude", "plan.json"];
    let mut agent = Terminal::new(world, "home/api", ROWS.0);
    let mut person = Terminal::new(world, "home", ROWS.1);
    let mut shots: Vec<Shot> = Vec::new();
    let mut shoot = |caption, seconds, agent: &Terminal<'_>, person: &Terminal<'_>| {
        shots.push(Shot { caption, seconds, agent: agent.shown(), person: person.shown() });
    };
    let [first, second, review] = story.steps;
    agent.type_command(&ask);
    shoot(0, 1.2, &agent, &person);
    agent.run(&ask, story.waits)?;
    let id = agent.waited_id(story.waits)?;
    shoot(0, 1.8, &agent, &person);
    person.type_command(&[]);
    shoot(1, 0.8, &agent, &person);
    person.run(&[], "claude")?;
    shoot(1, 1.6, &agent, &person);
    person.press("\r", first)?;
    shoot(1, 1.4, &agent, &person);
    person.press("2", "(•)")?;
    person.expect(story.saved)?;
    shoot(1, 1.0, &agent, &person);
    person.press("\t", second)?;
    person.press("3", "┌")?;
    person.press(story.typed[0], story.typed[0])?;
    // Only what was saved outlives the kill.
    expect_draft(world, &id, story.typed[0])?;
    person.expect(story.saved)?;
    shoot(1, 2.0, &agent, &person);
    agent.kill()?;
    person.kill()?;
    shoot(2, 2.4, &agent, &person);
    agent.type_command(&ask);
    shoot(3, 1.0, &agent, &person);
    agent.run(&ask, story.waits)?;
    let again = agent.waited_id(story.waits)?;
    ensure!(id == again, "the same command found another question: {id}, {again}");
    shoot(3, 1.8, &agent, &person);
    person.type_command(&[]);
    shoot(4, 0.6, &agent, &person);
    person.run(&[], "claude")?;
    shoot(4, 1.4, &agent, &person);
    person.press("\r", story.going_on)?;
    shoot(4, 2.2, &agent, &person);
    person.press(" ", "┌")?;
    person.press(story.typed[1], story.typed[1])?;
    expect_draft(world, &id, story.typed[1])?;
    person.expect(story.saved)?;
    shoot(4, 1.6, &agent, &person);
    person.press("\t", review)?;
    // The review takes no Enter that may be a held key: a person reads first.
    person.expect_silence(READING)?;
    shoot(5, 1.6, &agent, &person);
    person.press("\r", story.sent)?;
    agent.finish()?;
    shoot(5, 5.0, &agent, &person);
    Ok(draw(&shots, &story.captions))
}

/// Waits until the desk has a draft with these words.
fn expect_draft(world: &World<'_>, id: &str, words: &str) -> anyhow::Result<()> {
    let until = Instant::now() + super::LIMIT;
    while !world.output(&["show", id])?.contains(words) {
        ensure!(Instant::now() < until, "`{words}` is in no draft");
    }
    Ok(())
}

/// The picture of these shots. What is the same in several of them is in it once.
fn draw(shots: &[Shot], captions: &[&str]) -> String {
    let [agent, person] = [Band::below(svg::CAPTION, ROWS.0), Band::below(0.0, ROWS.1)];
    let person = person.moved(agent.end() + svg::GAP);
    let mut parts: Vec<(String, Vec<bool>)> = Vec::new();
    for (at, shot) in shots.iter().enumerate() {
        let caption = captions.get(shot.caption).copied().unwrap_or_default();
        let drawn = svg::rows(&shot.agent, &agent).into_iter().chain(svg::rows(&shot.person, &person));
        for part in drawn.chain([svg::caption(caption)]).filter(|part| !part.is_empty()) {
            let known = parts.iter().position(|(known, _)| *known == part);
            let index = known.unwrap_or_else(|| {
                parts.push((part, vec![false; shots.len()]));
                parts.len() - 1
            });
            if let Some(shows) = parts.get_mut(index).and_then(|(_, shows)| shows.get_mut(at)) {
                *shows = true;
            }
        }
    }
    let mut groups: Vec<(Vec<bool>, String)> = Vec::new();
    for (part, shows) in parts {
        match groups.iter_mut().find(|(known, _)| *known == shows) {
            Some((_, drawn)) => drawn.push_str(&part),
            None => groups.push((shows, part)),
        }
    }
    let mut style = String::from("g{visibility:hidden}");
    let mut body = String::new();
    let all: f32 = shots.iter().map(|shot| shot.seconds).sum();
    for (number, (shows, drawn)) in groups.iter().enumerate() {
        // Writing to a String cannot fail.
        if shows.iter().all(|shows| *shows) {
            let _ = write!(body, "<g class=\"z\">\n{drawn}</g>\n");
            continue;
        }
        let last = if shows.last() == Some(&true) { " z" } else { "" };
        let _ = write!(style, "@keyframes k{number}{{{}}}", keyframes(shots, shows, all));
        let _ = write!(style, ".g{number}{{animation:k{number} {all:.1}s step-end infinite}}");
        let _ = write!(body, "<g class=\"g{number}{last}\">\n{drawn}</g>\n");
    }
    // Without motion, the last shot is shown.
    style
        .push_str(".z{visibility:visible}@media(prefers-reduced-motion:reduce){g{animation:none!important}}");
    svg::document(&[agent, person], COLUMNS, &style, &body)
}

/// The moments at which a part comes and goes.
fn keyframes(shots: &[Shot], shows: &[bool], all: f32) -> String {
    let (mut passed, mut before, mut frames) = (0.0_f32, None, String::new());
    for (shot, shows) in shots.iter().zip(shows) {
        if before != Some(shows) {
            let word = if *shows { "visible" } else { "hidden" };
            let _ = write!(frames, "{:.2}%{{visibility:{word}}}", 100.0 * passed / all);
            before = Some(shows);
        }
        passed += shot.seconds;
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_shows_in_its_shots_only() {
        let shot = |seconds, agent: &str| {
            let mut screen = parser(ROWS.0);
            screen.process(agent.as_bytes());
            Shot {
                caption: 0,
                seconds,
                agent: screen.screen().clone(),
                person: parser(ROWS.1).screen().clone(),
            }
        };
        let shots = [shot(1.0, "one"), shot(2.0, "two"), shot(1.0, "one")];
        let moving = draw(&shots, &["caption"]);
        assert_eq!(moving.matches(">one<").count(), 1, "{moving}");
        let frames = keyframes(&shots, &[true, false, true], 4.0);
        assert_eq!(frames, "0.00%{visibility:visible}25.00%{visibility:hidden}75.00%{visibility:visible}");
        assert!(moving.contains(&frames) && moving.contains(">caption<"), "{moving}");
    }
}
