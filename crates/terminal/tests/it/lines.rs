//! Tests of lines from a pipe, together with the desk and ^C.

use crate::fixture::{ONE_CHOICE, PromptFixture, lines, person};
use sayso_core::{Actor, AskCommand};
use sayso_desk::{Desk, Interest, Watch};
use sayso_terminal::{InputLines, InterruptListener, LineEvent};
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(20);

fn watch(stage: &PromptFixture) -> Box<dyn Watch> {
    stage.desk.watch(Interest::Ask(stage.id), None).unwrap()
}

fn line(text: &str) -> LineEvent {
    LineEvent::Line(text.into())
}

/// Returns the next event that is not a timeout.
fn next_event(lines: &mut InputLines, watch: &mut dyn Watch) -> LineEvent {
    loop {
        let happening = lines.next_event(watch, LONG).unwrap();
        if happening != LineEvent::Timeout {
            return happening;
        }
    }
}

#[test]
fn chunk_is_used_line_by_line() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let mut watch = watch(&stage);
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut lines = lines(theirs);
    assert_eq!(lines.next_event(&mut *watch, Duration::ZERO).unwrap(), LineEvent::Timeout);
    ours.write_all(b"1\r\n\xff\n2\nhalf").unwrap();
    assert_eq!(next_event(&mut lines, &mut *watch), line("1"));
    assert_eq!(lines.buffered_lines().unwrap(), 2);
    assert!(lines.has_line());
    assert_eq!(next_event(&mut lines, &mut *watch), LineEvent::InvalidUtf8);
    assert_eq!(lines.take_line(), Some(line("2")));
    assert_eq!(lines.take_line(), None);
    ours.write_all(b" a line").unwrap();
    drop(ours);
    assert_eq!(next_event(&mut lines, &mut *watch), line("half a line"));
    assert_eq!(next_event(&mut lines, &mut *watch), LineEvent::End);
    assert_eq!(next_event(&mut lines, &mut *watch), LineEvent::End);
}

#[test]
fn desk_change_keeps_partial_line() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let mut watch = watch(&stage);
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut lines = lines(theirs);
    ours.write_all(b"be").unwrap();
    stage.desk.act(&Actor::Person(person("kim")), stage.id, None, AskCommand::MarkSeen).unwrap();
    assert_eq!(next_event(&mut lines, &mut *watch), LineEvent::DeskChanged);
    ours.write_all(b"gun\n").unwrap();
    assert_eq!(next_event(&mut lines, &mut *watch), line("begun"));
}

#[test]
fn interrupt_ends_the_wait() {
    let stage = PromptFixture::new(ONE_CHOICE);
    let mut watch = watch(&stage);
    let (_ours, theirs) = UnixStream::pair().unwrap();
    let input = File::from(OwnedFd::from(theirs));
    let mut lines = InputLines::new(input, Some(InterruptListener::new().unwrap()));
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::INT).unwrap();
    assert_eq!(next_event(&mut lines, &mut *watch), LineEvent::Interrupt);
    assert_eq!(lines.next_event(&mut *watch, Duration::ZERO).unwrap(), LineEvent::Timeout);
}
