//! Tests of lines from a pipe, together with the desk and ^C.

use crate::stage::{ONE, Stage, lines, person};
use sayso_core::{Command, Who};
use sayso_desk::{Desk, Interest, Watch};
use sayso_terminal::{Happening, Interrupts, Lines};
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(20);

fn watch(stage: &Stage) -> Box<dyn Watch> {
    stage.desk.watch(Interest::Ask(stage.id), None).unwrap()
}

fn line(text: &str) -> Happening {
    Happening::Line(text.into())
}

/// Returns the next event that is not a timeout.
fn next(lines: &mut Lines, watch: &mut dyn Watch) -> Happening {
    loop {
        let happening = lines.next(watch, LONG).unwrap();
        if happening != Happening::Idle {
            return happening;
        }
    }
}

#[test]
fn chunk_is_used_line_by_line() {
    let stage = Stage::new(ONE);
    let mut watch = watch(&stage);
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut lines = lines(theirs);
    assert_eq!(lines.next(&mut *watch, Duration::ZERO).unwrap(), Happening::Idle);
    ours.write_all(b"1\r\n\xff\n2\nhalf").unwrap();
    assert_eq!(next(&mut lines, &mut *watch), line("1"));
    assert_eq!(lines.waiting().unwrap(), 2);
    assert!(lines.has_line());
    assert_eq!(next(&mut lines, &mut *watch), Happening::Garbled);
    assert_eq!(lines.take_line(), Some(line("2")));
    assert_eq!(lines.take_line(), None);
    ours.write_all(b" a line").unwrap();
    drop(ours);
    assert_eq!(next(&mut lines, &mut *watch), line("half a line"));
    assert_eq!(next(&mut lines, &mut *watch), Happening::End);
    assert_eq!(next(&mut lines, &mut *watch), Happening::End);
}

#[test]
fn desk_change_keeps_partial_line() {
    let stage = Stage::new(ONE);
    let mut watch = watch(&stage);
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut lines = lines(theirs);
    ours.write_all(b"be").unwrap();
    stage.desk.act(&Who::Person(person("kim")), stage.id, None, Command::See).unwrap();
    assert_eq!(next(&mut lines, &mut *watch), Happening::Desk);
    ours.write_all(b"gun\n").unwrap();
    assert_eq!(next(&mut lines, &mut *watch), line("begun"));
}

#[test]
fn interrupt_ends_the_wait() {
    let stage = Stage::new(ONE);
    let mut watch = watch(&stage);
    let (_ours, theirs) = UnixStream::pair().unwrap();
    let input = File::from(OwnedFd::from(theirs));
    let mut lines = Lines::new(input, Some(Interrupts::new().unwrap()));
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::INT).unwrap();
    assert_eq!(next(&mut lines, &mut *watch), Happening::Interrupt);
    assert_eq!(lines.next(&mut *watch, Duration::ZERO).unwrap(), Happening::Idle);
}
