//! Tests of the full screen's terminal with a program that logs its events: this test binary, started again.

use crate::emulated::Emulated;
use crate::sample::one;
use crate::world::{Call, World};
use sayso_core::Problem;
use sayso_desk::{Cursor, Desk as _, Heard, Interest, LocalDesk, Watch};
use sayso_terminal::screen::tty::{Emulator, Happening, Tty, keyboard};
use sayso_terminal::screen::{Input, Key, KeyCode};
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

const DESK: &str = "SHOWS_WHAT_HAPPENS_AT";

fn shows_what_happens(world: &World) -> Call {
    let mut call = world.sayso(["--exact", "screen_tty::is_the_program", "--nocapture", "--color=never"]);
    call.line[0] = std::env::current_exe().unwrap().into_os_string();
    call.env(DESK, world.desk_file())
}

fn started(world: &World) -> Emulated {
    let emulated = Emulated::start(&shows_what_happens(world), 24, 80);
    emulated.expect("size 80x24");
    emulated
}

/// Does nothing as a test; with a desk to watch, it is the program.
#[test]
fn is_the_program() {
    if let Some(desk) = std::env::var_os(DESK) {
        show_what_happens(Path::new(&desk));
    }
}

fn show_what_happens(desk: &Path) {
    let desk = LocalDesk::open(desk).unwrap();
    let mut watch = Patient(desk.watch(Interest::All, None).unwrap());
    let (wake, worker) = UnixStream::pair().unwrap();
    wake.set_nonblocking(true).unwrap();
    let output = File::options().read(true).write(true).open("/dev/tty").unwrap();
    let emulator = Emulator::of(Some("xterm-ghostty"), None, None);
    let mut tty = Tty::open(&keyboard(&output).unwrap(), &output, emulator.modes()).unwrap();
    let mut log = Vec::new();
    loop {
        draw(&mut tty, &log);
        let happened = tty.wait(Some(&watch), Some(wake.as_fd()), Duration::from_secs(60)).unwrap();
        for what in happened {
            let Happening::Input(Input::Key(key)) = what else {
                let is_quiet = match what {
                    Happening::Bell => watch.poll().unwrap().is_empty(),
                    Happening::Woken => std::io::copy(&mut &wake, &mut std::io::sink()).is_ok(),
                    _ => false,
                };
                if !is_quiet {
                    log.push(format!("{what:?}"));
                }
                continue;
            };
            match key.typed() {
                Some('q') => return,
                Some('!') => panic!("it fell over"),
                Some('e') => {
                    let script = "echo outside; read line; echo \"the editor read $line\"";
                    tty.outside(|| Command::new("/bin/sh").args(["-c", script]).status().unwrap()).unwrap();
                }
                Some('n') => tty.say(&emulator.notice("New question: Deploy\x1b]52;c;eA==\x07")).unwrap(),
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
struct Patient(Box<dyn Watch>);

impl Watch for Patient {
    fn poll(&mut self) -> Result<Vec<Heard>, Problem> {
        self.0.poll()
    }

    fn wait(&mut self, limit: Duration) -> Result<Vec<Heard>, Problem> {
        self.0.wait(limit)
    }

    fn cursor(&self) -> Cursor {
        self.0.cursor()
    }

    fn pace(&self) -> Duration {
        Duration::from_secs(3600)
    }

    fn bell(&self) -> Option<BorrowedFd<'_>> {
        self.0.bell()
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
    let world = World::new();
    let mut emulated = started(&world);
    emulated.type_("\x1b").expect("Esc");
    emulated.type_("\n").expect("ctrl-j");
    emulated.type_("\r").expect("Enter");
    emulated.type_("\x1b\r").expect("alt-Enter");
    emulated.type_("\x1b[13;2u").expect("shift-Enter");
    emulated.type_("\x08").expect("Backspace");
    emulated.type_("\x1b[Z").expect("BackTab");
    emulated.type_("고").expect("고");
    emulated.type_("👨‍👩‍👧").expect("👧");
    let screen = emulated.expect("👩");
    let keys = ["Esc", "ctrl-j", "Enter", "alt-Enter", "shift-Enter", "Backspace", "BackTab", "고", "👨"];
    let shown: Vec<_> = screen.lines().skip(1).take(keys.len()).map(str::trim_end).collect();
    assert_eq!(shown, keys);
    emulated.assert_says_only_ours();
}

#[test]
fn paste_arrives_whole() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.type_("\x1b[200~one\r\ntwo \x1b[31mred\x1b[201~").expect(r#"Paste("one\r\ntwo \u{1b}[31mred")"#);
    emulated.type_("x").wait_for(|screen| screen.contents().lines().nth(2) == Some("x"));
    emulated.assert_says_only_ours();
}

#[test]
fn cursor_matches_frame() {
    let world = World::new();
    let mut emulated = started(&world);
    assert_eq!(emulated.cursor(), Some((1, 1)));
    emulated.type_("x").wait_for(|screen| screen.cursor_position() == (2, 1));
}

#[test]
fn resize_is_drawn() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.resize(12, 40).expect("size 40x12");
    emulated.expect("Resize(40, 12)");
    emulated.resize(50, 132).expect("size 132x50");
    emulated.expect("Resize(132, 50)");
}

#[test]
fn reverse_video_survives_without_colour() {
    let world = World::new();
    let emulated = Emulated::start(&shows_what_happens(&world).env("NO_COLOR", "1"), 24, 80);
    emulated.expect("size 80x24");
    assert!(emulated.cell(0, 0).inverse());
    assert!(!emulated.cell(0, 6).inverse());
}

#[test]
fn terminal_is_restored() {
    let world = World::new();
    let call = shows_what_happens(&world).by_shell("\"$0\" \"$@\"; stty -a");
    let mut emulated = Emulated::start(&call, 24, 80);
    emulated.expect("size 80x24");
    emulated.type_("q").expect("icanon");
    let screen = emulated.expect(" echo ");
    assert!(
        !screen.contains("-icanon") && !screen.contains("-isig") && !screen.contains("size 80x24"),
        "{screen}"
    );
    emulated.assert_given_back();
    emulated.assert_says_only_ours();
}

#[test]
fn panic_message_stays_on_main_screen() {
    let world = World::new();
    let mut emulated = started(&world);
    let screen = emulated.type_("!").expect("test result");
    assert!(screen.contains("it fell over"), "{screen}");
    emulated.assert_given_back();
}

#[test]
fn sigterm_is_received() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.signal("TERM");
    emulated.expect("Terminate");
    emulated.signal("HUP");
    emulated.type_("x").expect("x");
    emulated.type_("q");
    assert_eq!(emulated.wait().0, 0);
}

#[test]
fn suspend_restores_terminal_until_continued() {
    let world = World::new();
    let script = "set -m; \"$0\" \"$@\"; echo stopped; read line; fg; echo ended";
    let mut emulated = Emulated::start(&shows_what_happens(&world).by_shell(script), 24, 80);
    emulated.expect("size 80x24");
    emulated.type_("x\x1a");
    emulated.expect("stopped");
    emulated.assert_given_back();
    emulated.resize(20, 70).type_("\r");
    let screen = emulated.expect("size 70x20");
    assert!(screen.contains("\nx\n"), "{screen}");
    emulated.type_("y").expect("\ny");
    emulated.type_("q").expect("ended");
    emulated.assert_given_back();
}

#[test]
fn suspend_without_job_control_is_ignored() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.type_("\x1a").expect("ctrl-z");
    emulated.type_("x").expect("\nx");
}

#[test]
fn external_stop_redraws_everything() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.type_("x").expect("\nx");
    emulated.signal("STOP");
    emulated.signal("CONT");
    emulated.expect("Resize(80, 24)");
    emulated.type_("y").expect("\ny");
    emulated.kill();
}

#[test]
fn editor_owns_the_terminal() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.type_("e").expect("outside");
    emulated.assert_given_back();
    emulated.type_("some words\rahead").wait_for(vt100::Screen::alternate_screen);
    emulated.expect_bytes(b"the editor read some words");
    let screen = emulated.type_("x").expect("\nx");
    assert!(!screen.contains("\na\n"), "{screen}");
}

#[test]
fn wakeup_and_worker_end_wait() {
    let world = World::new();
    let mut emulated = started(&world);
    world.leave(&one("colour"), &[]);
    emulated.expect("Bell");
    emulated.type_("t").expect("Woken");
    emulated.type_("x").expect("\nx");
}

#[test]
fn terminal_replies_are_not_keys() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.expect_bytes(b"\x1b]11;?\x1b\\");
    emulated
        .type_("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?5u\x1b[?62;22c")
        .expect("Background { dark: false }");
    let screen = emulated.type_("x").expect("\nx");
    assert_eq!(screen.lines().nth(2), Some("x"));
}

#[test]
fn notification_is_escaped() {
    let world = World::new();
    let mut emulated = started(&world);
    emulated.type_("n").expect("\nn");
    emulated.expect_bytes(b"\x1b]9;New question: Deploy");
    emulated.assert_says_only_ours();
}
