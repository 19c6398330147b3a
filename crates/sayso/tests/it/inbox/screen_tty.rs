//! Tests of the full screen's terminal with a program that logs its events: this test binary, started again.

use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::one;
use crate::support::test_world::{ProgramCall, TestWorld};
use sayso_core::Problem;
use sayso_desk::{ChangeCursor, Desk as _, Interest, StoreDesk, Watch, WatchEvent};
use sayso_terminal::tty::{InputEvent, Key, KeyCode, TerminalEmulator, Tty, TtyEvent, open_keyboard};
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

const DESK: &str = "SHOWS_WHAT_HAPPENS_AT";

fn event_log_call(world: &TestWorld) -> ProgramCall {
    let mut call =
        world.sayso(["--exact", "inbox::screen_tty::is_the_program", "--nocapture", "--color=never"]);
    call.line[0] = std::env::current_exe().unwrap().into_os_string();
    call.env(DESK, world.desk_file())
}

fn start_event_log(world: &TestWorld) -> EmulatedTerminal {
    let emulated = EmulatedTerminal::start(&event_log_call(world), 24, 80);
    emulated.expect_text("size 80x24");
    emulated
}

/// Does nothing as a test; with a desk to watch, it is the program.
#[test]
fn is_the_program() {
    if let Some(desk) = std::env::var_os(DESK) {
        log_events(Path::new(&desk));
    }
}

fn log_events(desk: &Path) {
    let desk = StoreDesk::open(desk).unwrap();
    let mut watch = WakeupOnlyWatch(desk.watch(Interest::All, None).unwrap());
    let (wake, worker) = UnixStream::pair().unwrap();
    wake.set_nonblocking(true).unwrap();
    let output = File::options().read(true).write(true).open("/dev/tty").unwrap();
    let emulator = TerminalEmulator::from_env(Some("xterm-ghostty"), None, None);
    let mut tty = Tty::open(&open_keyboard(&output).unwrap(), &output, emulator.modes()).unwrap();
    let mut log = Vec::new();
    loop {
        draw(&mut tty, &log);
        let happened =
            tty.wait_for_events(Some(&watch), Some(wake.as_fd()), Duration::from_secs(60)).unwrap();
        for what in happened {
            let TtyEvent::Input(InputEvent::Key(key)) = what else {
                let is_quiet = match what {
                    TtyEvent::DeskWakeup => watch.poll().unwrap().is_empty(),
                    TtyEvent::WorkerWakeup => std::io::copy(&mut &wake, &mut std::io::sink()).is_ok(),
                    _ => false,
                };
                if !is_quiet {
                    log.push(format!("{what:?}"));
                }
                continue;
            };
            match key.typed_char() {
                Some('q') => return,
                Some('!') => panic!("it fell over"),
                Some('e') => {
                    let script = "echo outside; read line; echo \"the editor read $line\"";
                    tty.run_outside(|| Command::new("/bin/sh").args(["-c", script]).status().unwrap())
                        .unwrap();
                }
                Some('n') => {
                    tty.write_sequence(&emulator.notice("New question: Deploy\x1b]52;c;eA==\x07")).unwrap();
                }
                Some('t') => {
                    let mut worker = worker.try_clone().unwrap();
                    thread::spawn(move || worker.write_all(b"!").unwrap());
                }
                _ if key == Key::ctrl('z') => tty.suspend().unwrap(),
                _ => {}
            }
            log.push(pressed(key));
        }
    }
}

/// Watch without its fallback poll, so that it relies on wakeups.
struct WakeupOnlyWatch(Box<dyn Watch>);

impl Watch for WakeupOnlyWatch {
    fn poll(&mut self) -> Result<Vec<WatchEvent>, Problem> {
        self.0.poll()
    }

    fn wait(&mut self, limit: Duration) -> Result<Vec<WatchEvent>, Problem> {
        self.0.wait(limit)
    }

    fn cursor(&self) -> ChangeCursor {
        self.0.cursor()
    }

    fn poll_interval(&self) -> Duration {
        Duration::from_secs(3600)
    }

    fn wakeup_fd(&self) -> Option<BorrowedFd<'_>> {
        self.0.wakeup_fd()
    }
}

fn pressed(key: Key) -> String {
    let held = [(key.ctrl, "ctrl-"), (key.alt, "alt-"), (key.shift, "shift-")];
    let held: String = held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name).collect();
    match key.code {
        KeyCode::Char(c) => format!("{held}{c}"),
        code => format!("{held}{code:?}"),
    }
}

/// Draws the size and the end of the log. The cursor is after the log.
fn draw(tty: &mut Tty, log: &[String]) {
    let (columns, rows) = tty.size();
    let first = format!("size {columns}x{rows}");
    let room = usize::from(rows).saturating_sub(2);
    let lines: Vec<_> = std::iter::once(&first).chain(&log[log.len().saturating_sub(room)..]).collect();
    tty.draw(|frame| {
        let mut area = frame.area();
        area.height = 1;
        for line in &lines {
            frame.render_widget(line.as_str(), area);
            area.y += 1;
        }
        // Four cells have a colour and every attribute, including reverse video.
        for column in 0..4 {
            let cell = &mut frame.buffer_mut()[(column, 0)];
            cell.fg = "red".parse().unwrap();
            cell.modifier = !cell.modifier;
        }
        frame.set_cursor_position((1, area.y));
    })
    .unwrap();
}

#[test]
fn keys_arrive_unchanged() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.type_bytes("\x1b").expect_text("Esc");
    emulated.type_bytes("\n").expect_text("ctrl-j");
    emulated.type_bytes("\r").expect_text("Enter");
    emulated.type_bytes("\x1b\r").expect_text("alt-Enter");
    emulated.type_bytes("\x1b[13;2u").expect_text("shift-Enter");
    emulated.type_bytes("\x08").expect_text("Backspace");
    emulated.type_bytes("\x1b[Z").expect_text("BackTab");
    emulated.type_bytes("고").expect_text("고");
    emulated.type_bytes("👨‍👩‍👧").expect_text("👧");
    let screen = emulated.expect_text("👩");
    let keys = ["Esc", "ctrl-j", "Enter", "alt-Enter", "shift-Enter", "Backspace", "BackTab", "고", "👨"];
    let shown: Vec<_> = screen.lines().skip(1).take(keys.len()).map(str::trim_end).collect();
    assert_eq!(shown, keys);
    emulated.assert_only_own_sequences();
}

#[test]
fn paste_arrives_whole() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated
        .type_bytes("\x1b[200~one\r\ntwo \x1b[31mred\x1b[201~")
        .expect_text(r#"Paste("one\r\ntwo \u{1b}[31mred")"#);
    emulated.type_bytes("x").wait_for(|screen| screen.contents().lines().nth(2) == Some("x"));
    emulated.assert_only_own_sequences();
}

#[test]
fn cursor_matches_frame() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    assert_eq!(emulated.cursor(), Some((1, 1)));
    emulated.type_bytes("x").wait_for(|screen| screen.cursor_position() == (2, 1));
}

#[test]
fn resize_is_drawn() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.resize(12, 40).expect_text("size 40x12");
    emulated.expect_text("Resize(40, 12)");
    emulated.resize(50, 132).expect_text("size 132x50");
    emulated.expect_text("Resize(132, 50)");
}

#[test]
fn reverse_video_survives_without_colour() {
    let world = TestWorld::new();
    let emulated = EmulatedTerminal::start(&event_log_call(&world).env("NO_COLOR", "1"), 24, 80);
    emulated.expect_text("size 80x24");
    assert!(emulated.cell(0, 0).inverse());
    assert!(!emulated.cell(0, 6).inverse());
}

#[test]
fn terminal_is_restored() {
    let world = TestWorld::new();
    let call = event_log_call(&world).by_shell("\"$0\" \"$@\"; stty -a");
    let mut emulated = EmulatedTerminal::start(&call, 24, 80);
    emulated.expect_text("size 80x24");
    emulated.type_bytes("q").expect_text("icanon");
    let screen = emulated.expect_text(" echo ");
    assert!(
        !screen.contains("-icanon") && !screen.contains("-isig") && !screen.contains("size 80x24"),
        "{screen}"
    );
    emulated.assert_restored();
    emulated.assert_only_own_sequences();
}

#[test]
fn panic_message_stays_on_main_screen() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    let screen = emulated.type_bytes("!").expect_text("test result");
    assert!(screen.contains("it fell over"), "{screen}");
    emulated.assert_restored();
}

#[test]
fn sigterm_is_received() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.signal("TERM");
    emulated.expect_text("Terminate");
    emulated.signal("HUP");
    emulated.type_bytes("x").expect_text("x");
    emulated.type_bytes("q");
    assert_eq!(emulated.wait().0, 0);
}

#[test]
fn suspend_restores_terminal_until_continued() {
    let world = TestWorld::new();
    let script = "set -m; \"$0\" \"$@\"; echo stopped; read line; fg; echo ended";
    let mut emulated = EmulatedTerminal::start(&event_log_call(&world).by_shell(script), 24, 80);
    emulated.expect_text("size 80x24");
    emulated.type_bytes("x\x1a");
    emulated.expect_text("stopped");
    emulated.assert_restored();
    emulated.resize(20, 70).type_bytes("\r");
    let screen = emulated.expect_text("size 70x20");
    assert!(screen.contains("\nx\n"), "{screen}");
    emulated.type_bytes("y").expect_text("\ny");
    emulated.type_bytes("q").expect_text("ended");
    emulated.assert_restored();
}

#[test]
fn suspend_without_job_control_is_ignored() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.type_bytes("\x1a").expect_text("ctrl-z");
    emulated.type_bytes("x").expect_text("\nx");
}

#[test]
fn external_stop_redraws_everything() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.type_bytes("x").expect_text("\nx");
    emulated.signal("STOP");
    emulated.signal("CONT");
    emulated.expect_text("Resize(80, 24)");
    emulated.type_bytes("y").expect_text("\ny");
    emulated.kill();
}

#[test]
fn editor_owns_the_terminal() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.type_bytes("e").expect_text("outside");
    emulated.assert_restored();
    emulated.type_bytes("some words\rahead").wait_for(vt100::Screen::alternate_screen);
    emulated.expect_bytes(b"the editor read some words");
    let screen = emulated.type_bytes("x").expect_text("\nx");
    assert!(!screen.contains("\na\n"), "{screen}");
}

#[test]
fn wakeup_and_worker_end_wait() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    world.leave_ask(&one("colour"), &[]);
    emulated.expect_text("DeskWakeup");
    emulated.type_bytes("t").expect_text("WorkerWakeup");
    emulated.type_bytes("x").expect_text("\nx");
}

#[test]
fn terminal_replies_are_not_keys() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.expect_bytes(b"\x1b]11;?\x1b\\");
    emulated
        .type_bytes("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?5u\x1b[?62;22c")
        .expect_text("Background { dark: false }");
    let screen = emulated.type_bytes("x").expect_text("\nx");
    assert_eq!(screen.lines().nth(2), Some("x"));
}

#[test]
fn notification_is_escaped() {
    let world = TestWorld::new();
    let mut emulated = start_event_log(&world);
    emulated.type_bytes("n").expect_text("\nn");
    emulated.expect_bytes(b"\x1b]9;New question: Deploy");
    emulated.assert_only_own_sequences();
}

#[test]
fn gnu_screen_gets_no_mouse_mode() {
    let world = TestWorld::new();
    for (variables, has_mouse) in
        [(&[][..], true), (&[("STY", "4711.pts-0.host"), ("TERM", "screen")], false)]
    {
        let call = variables.iter().fold(world.sayso([""; 0]), |call, (name, value)| call.env(name, value));
        let emulated = EmulatedTerminal::start(&call, 24, 80);
        emulated.expect_text("No questions are waiting.");
        let raw = String::from_utf8_lossy(&emulated.raw()).into_owned();
        let modes = ["?1000h", "?1002h", "?1003h", "?1006h"].map(|mode| raw.contains(mode));
        assert_eq!(modes.contains(&true), has_mouse, "{raw:?}");
        emulated.kill();
    }
}
